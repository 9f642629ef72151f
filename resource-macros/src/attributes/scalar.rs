//! Values of keys that are a flag, a literal, an expression, a type or a path.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, LitInt, LitStr, Path, TypePath};

use super::form::{Form, Value};

/// The presence of a key that takes no value.
#[derive(Debug)]
pub(crate) struct Flag;

impl Value for Flag {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::Word => Ok(Self),
            Form::List(_) | Form::Equals(_) => Err(form.tokens()),
        }
    }
}

impl Value for LitStr {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form.equals()
    }
}

impl Value for Expr {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form.equals()
    }
}

impl Value for TypePath {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form.equals()
    }
}

/// A whole number from 0 to 4294967295.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count(pub(crate) u32);

impl Parse for Count {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<LitInt>()?.base10_parse().map(Self)
    }
}

impl Value for Count {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form.equals()
    }
}

/// The path of a crate or module, in quotes because `crate` may begin it.
#[derive(Debug)]
pub(crate) struct QuotedPath(pub(crate) Path);

impl Parse for QuotedPath {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let text: LitStr = input.parse()?;
        text.parse_with(Path::parse_mod_style).map(Self)
    }
}

impl Value for QuotedPath {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form.equals()
    }
}
