use syn::ext::IdentExt;

use super::spelling::is_word_or_dash;
use crate::api_resource::model::Resource;
use crate::diagnostics::Diagnostics;

/// The name stands in documents and code of clients, so it is a plain word.
pub(super) fn check_name(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(literal) = resource.keys().name.value() else {
        return;
    };
    let name = literal.value();
    if !is_name(&name) {
        let corrected: String = name
            .chars()
            .filter(|letter| is_word_or_dash(*letter))
            .collect();
        let struct_name = resource.input.ident.unraw().to_string();
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
