//! Values of keys that are a flag, a count or a path.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{LitInt, LitStr, Path};

use super::form::{Form, Value};

/// The presence of a key that takes no value.
#[derive(Debug)]
pub(crate) struct Flag;

impl Value for Flag {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::Word => Ok(Self),
            // Even `= true` is refused, so that a flag has one spelling.
            Form::List(_) | Form::Equals(_) => Err(form.tokens()),
        }
    }
}

/// A whole number from 0 to 4294967295.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count(pub(crate) u32);

impl Parse for Count {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // A negative number, or one beyond `u32`, is a literal that does not parse.
        input.parse::<LitInt>()?.base10_parse().map(Self)
    }
}

/// The path of a crate or module, in quotes because `crate` may begin it.
#[derive(Debug)]
pub(crate) struct QuotedPath(pub(crate) Path);

impl Parse for QuotedPath {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let text: LitStr = input.parse()?;
        // Generic arguments are excluded, because the path becomes part of a `use`.
        text.parse_with(Path::parse_mod_style).map(Self)
    }
}
