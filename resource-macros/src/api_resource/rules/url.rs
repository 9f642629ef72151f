use syn::ext::IdentExt;

use super::spelling::{is_word_or_dash, kebab_plural};
use crate::api_resource::model::Resource;
use crate::diagnostics::Diagnostics;

/// The url is a slash and one path segment.
pub(super) fn check_url(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(literal) = resource.keys().url.value() else {
        return;
    };
    let url = literal.value();
    if let Some(rule) = broken_rule(&url) {
        let struct_name = resource.input.ident.unraw().to_string();
        let corrected = corrected(&url).unwrap_or_else(|| kebab_plural(&struct_name));
        diagnostics.report(
            literal,
            format!("`url` {rule}; write `url = \"/{corrected}\"`"),
        );
    }
}

/// Whether `url` keeps all rules, for checks of what is derived from it.
pub(super) fn is_url(url: &str) -> bool {
    broken_rule(url).is_none()
}

/// The first rule that `url` breaks; the corrected value keeps all of them.
fn broken_rule(url: &str) -> Option<&'static str> {
    let segment = url.trim_matches('/');
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

/// What is left of `url` without what it cannot hold; nothing where that would tear a word apart.
fn corrected(url: &str) -> Option<String> {
    let url = url.split(['?', '#']).next().filter(|url| url.is_ascii())?;
    let words: Vec<&str> = url
        .split(|character| !is_word_or_dash(character))
        .filter(|word| !word.is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join("-"))
}
