//! The style sheets and scripts that documentation pages load.

use std::hash::{DefaultHasher, Hasher as _};
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::http::respond::escape;

/// Caching without revalidation, as the address of a file changes with its bytes.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// A style sheet or script that pages load.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) name: &'static str,
    bytes: &'static [u8],
    /// Hash of the bytes, by which the address of the file changes with its content.
    hash: String,
}

/// The files of the reference, in the order in which it needs them.
static REFERENCE: LazyLock<[Asset; 5]> = LazyLock::new(|| {
    // Style sheets before scripts, and the library before the script that starts it.
    [
        Asset::new(
            "swagger-ui.css",
            include_bytes!("../../assets/swagger-ui/swagger-ui.css.gz"),
        ),
        Asset::new("reference.css", include_bytes!("reference.css")),
        Asset::new(
            "swagger-ui-bundle.js",
            include_bytes!("../../assets/swagger-ui/swagger-ui-bundle.js.gz"),
        ),
        Asset::new("samples.js", include_bytes!("samples.js")),
        Asset::new("start.js", include_bytes!("start.js")),
    ]
});

/// The files of the page at which the log-in ends.
static REDIRECT: LazyLock<[Asset; 1]> =
    LazyLock::new(|| [Asset::new("redirect.js", include_bytes!("redirect.js"))]);

impl Asset {
    pub(super) fn all() -> impl Iterator<Item = &'static Self> {
        REFERENCE.iter().chain(&*REDIRECT)
    }

    /// The elements with which the reference loads its files.
    pub(super) fn head_of_reference() -> String {
        Self::head(&*REFERENCE)
    }

    /// The elements with which the page at which the log-in ends loads its files.
    pub(super) fn head_of_redirect() -> String {
        Self::head(&*REDIRECT)
    }

    fn head(assets: &[Self]) -> String {
        let elements = assets.iter();
        let elements = elements.map(|asset| {
            let address = escape(&asset.address());
            if asset.is_style() {
                format!("<link rel=\"stylesheet\" href=\"{address}\">\n")
            } else {
                // Deferred scripts run in the order of the page, so Swagger UI is there when `start.js` uses it.
                format!("<script defer src=\"{address}\"></script>\n")
            }
        });
        elements.collect()
    }

    fn new(name: &'static str, bytes: &'static [u8]) -> Self {
        // The keys of this hasher are fixed, so all instances of one build give a file the same address. The
        // hash guards against nothing, so it need not be cryptographic.
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let hash = format!("{:016x}", hasher.finish());
        Self { name, bytes, hash }
    }

    /// True of a style sheet; the other files are scripts.
    pub(super) fn is_style(&self) -> bool {
        self.name.strip_suffix(".css").is_some()
    }

    /// Address of the file, relative to the pages below `/docs`.
    pub(super) fn address(&self) -> String {
        format!("assets/{}?{}", self.name, self.hash)
    }

    /// The response for a client that may have it already.
    pub(super) fn response(&self, request: &HeaderMap) -> Response {
        // Weak, as the same file may be sent in more than one coding (RFC 9110, section 8.8.1).
        let hash = format!("\"{}\"", self.hash);
        let known = request.get(header::IF_NONE_MATCH);
        let known = known.and_then(|tags| tags.to_str().ok());
        // A hash in quotes is always a valid header value, so no response lacks its tag.
        let tag = HeaderValue::try_from(format!("W/{hash}")).ok();
        let about = [(header::ETAG, tag), (header::CACHE_CONTROL, Some(CACHE))].into_iter();
        let about = about.filter_map(|(name, value)| Some((name, value?)));
        let mut headers: HeaderMap = about.collect();
        // Compared without `W/`, as the comparison is weak (RFC 9110, section 13.1.2).
        if known.is_some_and(|known| known.contains(&hash) || known.trim() == "*") {
            // This response repeats the tag and the caching of a full one (RFC 9110, section 15.4.5).
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        // Browsers refuse style sheets and scripts of another type when `nosniff` is set.
        let content_type = HeaderValue::from_static(if self.is_style() {
            "text/css; charset=utf-8"
        } else {
            "text/javascript; charset=utf-8"
        });
        headers.insert(header::CONTENT_TYPE, content_type);
        // The bytes begin as those of gzip do. All browsers inflate them; other clients get the same.
        if self.bytes.starts_with(&[0x1f, 0x8b]) {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        (headers, Bytes::from_static(self.bytes)).into_response()
    }
}
