//! Rules for the required keys `name`, `url` and `version`, and for their spelling.

use syn::ext::IdentExt;

use super::attribute_keys::is_misspelled;
use super::spelling::{is_word_or_dash, kebab_plural};
use crate::api_resource::model::{Resource, Version};
use crate::diagnostics::Diagnostics;

/// The keys `name`, `url` and `version` are given; each error suggests a value for this very struct.
pub(super) fn check_required_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // A key that seems to be missing may be in the part that could not be read.
    if !resource.written.unreadable.is_empty() {
        return;
    }
    let struct_name = resource.input.ident.unraw().to_string();
    let collection = format!("/{}", kebab_plural(&struct_name));
    let keys = resource.keys();
    // A malformed value has its error already, so it is enough that a key is written.
    let required = [
        ("name", keys.name.is_written(), struct_name),
        ("url", keys.url.is_written(), collection),
        ("version", keys.version.is_written(), "1.0".to_owned()),
    ];
    for (key, is_written, example) in required {
        if !is_written && !is_misspelled(key, keys) {
            diagnostics.report(
                &resource.input.ident,
                format!("missing `{key}`; add `{key} = \"{example}\"` to `#[resource(…)]`"),
            );
        }
    }
}

/// The name is a plain word, because it is used in documents and in code of clients.
pub(super) fn check_name(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(literal) = resource.keys().name.value() else {
        return;
    };
    let name = literal.value();
    if !is_name(&name) {
        // The example keeps as much of the user's name as is valid.
        let corrected: String = name
            .chars()
            .filter(|letter| is_word_or_dash(*letter))
            .collect();
        let struct_name = resource.input.ident.unraw().to_string();
        // Where nothing valid is left, the name of the struct is suggested.
        let example = if is_name(&corrected) {
            corrected
        } else {
            struct_name
        };
        diagnostics.report(
            literal,
            format!(
                "`name` must hold letters, digits, `_` and `-` only, a letter first; \
                 write `name = \"{example}\"`"
            ),
        );
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.chars().all(is_word_or_dash)
}

/// The url is a slash and one path segment.
pub(super) fn check_url(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(literal) = resource.keys().url.value() else {
        return;
    };
    let url = literal.value();
    if let Some(rule) = broken_rule(&url) {
        let struct_name = resource.input.ident.unraw().to_string();
        // Where nothing of the url can be kept, the name of the struct suggests one.
        let corrected = corrected(&url).unwrap_or_else(|| kebab_plural(&struct_name));
        diagnostics.report(
            literal,
            format!("`url` {rule}; write `url = \"/{corrected}\"`"),
        );
    }
}

/// Tells that `url` keeps all rules, for checks of values that are derived from it.
pub(super) fn is_url(url: &str) -> bool {
    broken_rule(url).is_none()
}

/// The first rule that `url` breaks; the corrected value keeps all of them.
fn broken_rule(url: &str) -> Option<&'static str> {
    let segment = url.trim_matches('/');
    // Slashes are judged before other characters, because each of them has a remedy of its own.
    if segment.is_empty() {
        Some("must name a collection")
    } else if segment.contains('/') {
        Some("must be one path segment")
    } else if !url.starts_with('/') {
        Some("must start with a slash")
    } else if url.ends_with('/') {
        Some("must end without a slash")
    } else if url.starts_with("//") {
        Some("must start with one slash only")
    } else if !segment.chars().all(is_word_or_dash) {
        Some("must hold letters, digits, `-` and `_` only")
    } else {
        None
    }
}

/// The `url` without the characters that it cannot hold; `None` where that would break up a word.
fn corrected(url: &str) -> Option<String> {
    // A query and a fragment are no part of a path. A letter beyond ASCII would tear its word apart.
    let url = url.split(['?', '#']).next().filter(|url| url.is_ascii())?;
    let words: Vec<&str> = url
        .split(|character| !is_word_or_dash(character))
        .filter(|word| !word.is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join("-"))
}

/// The version is spelled as in paths.
pub(super) fn check_version(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(literal) = resource.keys().version.value() else {
        return;
    };
    let nearest = Version::nearest(&literal.value());
    let spelling = nearest.map(|version| version.to_string());
    // The nearest version equals the text only if the spelling is right.
    if spelling.as_ref() != Some(&literal.value()) {
        let example = spelling.unwrap_or_else(|| "1.0".to_owned());
        diagnostics.report(
            literal,
            format!(
                "`version` must be `<major>.<minor>`, each from 0 to 65535 without leading zeros; \
                 write `version = \"{example}\"`"
            ),
        );
    }
}
