//! Literals without the span of the user's code, so that none of the user's lints applies to them.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use crate::attributes::{Count, Number};

impl ToTokens for Count {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        Literal::u32_unsuffixed(self.0).to_tokens(tokens);
    }
}

/// The sign is a token of its own, as a parser expects it.
impl ToTokens for Number {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (is_negative, digits) = match self {
            // The magnitude of `i64::MIN` fits only into an unsigned integer.
            Self::Integer(value) => (*value < 0, Literal::u64_unsuffixed(value.unsigned_abs())),
            Self::Real(value) => (
                value.is_sign_negative(),
                Literal::f64_unsuffixed(value.abs()),
            ),
        };
        let sign = is_negative.then(|| quote!(-));
        tokens.extend(quote!(#sign #digits));
    }
}

/// The literal of `text` between `r#"` and `"#`, which needs no escapes for a list of quoted names.
pub(super) fn raw_string(text: &str) -> Literal {
    // A raw literal has no constructor of its own, so it is parsed.
    let raw = format!("r#\"{text}\"#").parse();
    // A text that would end the raw literal early is written with escapes.
    raw.unwrap_or_else(|_| Literal::string(text))
}
