use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token, TypePath};

use super::form::{Form, Value};

/// `references = Type`, or `references(Type, attribute)` where not the primary key is meant.
#[derive(Debug)]
pub(crate) struct References {
    pub(crate) target: TypePath,
    pub(crate) attribute: Option<Ident>,
}

impl Value for References {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::List(tokens) => syn::parse2(tokens.clone()).map_err(|_| form.tokens()),
            Form::Word | Form::Equals(_) => form.equals().map(|target| Self {
                target,
                attribute: None,
            }),
        }
    }
}

/// The form in parentheses.
impl Parse for References {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let target = input.parse()?;
        input.parse::<Token![,]>()?;
        let attribute = Some(input.parse()?);
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { target, attribute })
    }
}
