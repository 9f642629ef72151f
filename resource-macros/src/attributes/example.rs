//! The value of `example = …`.

use syn::parse::{Parse, ParseStream};
use syn::{LitBool, LitByteStr, LitStr};

use super::Number;

/// A literal as the example of a field's values.
#[derive(Debug)]
pub(crate) enum Example {
    Boolean(LitBool),
    Number(Number),
    Text(LitStr),
    Bytes(LitByteStr),
}

impl Parse for Example {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitBool) {
            input.parse().map(Self::Boolean)
        } else if input.peek(LitStr) {
            input.parse().map(Self::Text)
        } else if input.peek(LitByteStr) {
            input.parse().map(Self::Bytes)
        } else {
            // A number may have a sign, which is no part of a literal.
            input.parse().map(Self::Number)
        }
    }
}
