//! The variants of the companion enum, named like the fields.

use syn::Ident;
use syn::ext::IdentExt;

/// The variant of the companion enum for a field: `first_name` becomes `FirstName`.
pub(super) fn of(field: &Ident) -> Ident {
    let name = field.unraw().to_string();
    let mut variant = syn::parse_str(&variant_name(&name)).unwrap_or_else(|_| field.clone());
    variant.set_span(field.span());
    variant
}

fn variant_name(field: &str) -> String {
    let camel_case: String = field.split('_').map(capitalized).collect();
    match camel_case.chars().next() {
        // The keyword `Self` is no name, not even as a raw identifier.
        _ if camel_case == "Self" => "Self_".to_owned(),
        Some(first) if first.is_alphabetic() => camel_case,
        // A field of underscores alone, or `_1`, is a name only with an underscore in front.
        _ => format!("_{camel_case}"),
    }
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}
