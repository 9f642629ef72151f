//! The files that the page loads, as they stand in the binary.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::http::header;
use axum::response::{IntoResponse as _, Response};

/// The page, which has no more than the names of the files.
pub(crate) const PAGE: &str = include_str!("../assets/index.html");

/// A style sheet or a script.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct File {
    pub(crate) name: &'static str,
    text: &'static str,
}

/// The files with these names.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(File { name: $name, text: include_str!(concat!("../assets/", $name)) },)*]
    };
}

/// All files; a test compares them with the folder.
pub(crate) const FILES: &[File] = files! {
    "style.css"
    "vendor.css"
    "vendor.js"
    "app/api.js"
    "app/cells.js"
    "app/collections.js"
    "app/document.js"
    "app/export.js"
    "app/fields.js"
    "app/filter.js"
    "app/filter_form.js"
    "app/item.js"
    "app/json.js"
    "app/login.js"
    "app/main.js"
    "app/metrics.js"
    "app/overview.js"
    "app/parts.js"
    "app/picker.js"
    "app/place.js"
    "app/settings.js"
    "app/table.js"
};

/// The digest of all files: their folder is named by it, so that browsers may keep them for ever.
pub(crate) fn digest() -> String {
    // The keys of this hasher are fixed, so that all instances of a build have the same addresses.
    let mut hasher = DefaultHasher::new();
    FILES.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The elements by which a browser loads all scripts at once, instead of each when another one imports it.
pub(crate) fn preloads() -> String {
    let scripts = FILES.iter().filter(|it| it.is_script());
    scripts.fold(String::new(), |mut text, script| {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            r#"<link rel="modulepreload" href="{{assets}}/{}">"#,
            script.name
        );
        text
    })
}

impl File {
    fn is_script(&self) -> bool {
        self.name.strip_suffix(".js").is_some()
    }

    /// The response with the file.
    pub(crate) fn response(self) -> Response {
        let content_type = if self.is_script() {
            "text/javascript; charset=utf-8"
        } else {
            "text/css; charset=utf-8"
        };
        let headers = [
            (header::CONTENT_TYPE, content_type),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        ];
        (headers, self.text).into_response()
    }
}
