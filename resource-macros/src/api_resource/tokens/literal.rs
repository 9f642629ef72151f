//! Literals without the span of the user's code, so that none of the user's lints applies to them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::attributes::Number;

pub(super) fn count(value: u32) -> Literal {
    Literal::u32_unsuffixed(value)
}

/// The tokens of a number; its sign is a token of its own, as a parser expects it.
pub(super) fn number(value: Number) -> TokenStream {
    let (is_negative, digits) = match value {
        Number::Integer(value) => (value < 0, Literal::u64_unsuffixed(value.unsigned_abs())),
        Number::Real(value) => (
            value.is_sign_negative(),
            Literal::f64_unsuffixed(value.abs()),
        ),
    };
    let sign = is_negative.then(|| quote!(-));
    quote!(#sign #digits)
}

/// The literal of `text` between `r#"` and `"#`, which needs no escapes for a list of quoted names.
pub(super) fn raw_string(text: &str) -> Literal {
    let raw = format!("r#\"{text}\"#").parse();
    raw.unwrap_or_else(|_| Literal::string(text))
}
