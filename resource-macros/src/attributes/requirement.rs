use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token, parenthesized};

use super::form::{Form, Value};

/// How a key that takes a [`Requirement`] is written.
pub(super) const TAKES_SCOPES: &str =
    "takes a scope in quotes, `any(\"a\", \"b\")` or `all(\"a\", \"b\")`";

/// `"a"`, `any("a", "b")` or `all("a", "b")`: the scopes that a caller needs.
#[derive(Debug)]
pub(crate) struct Requirement {
    pub(crate) combinator: Combinator,
    pub(crate) scopes: Vec<LitStr>,
}

/// How many of several scopes a caller needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combinator {
    Any,
    All,
}

impl Parse for Requirement {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return Ok(Self {
                combinator: Combinator::Any,
                scopes: vec![input.parse()?],
            });
        }
        Ok(Self {
            combinator: input.parse()?,
            scopes: scopes(input)?,
        })
    }
}

impl Parse for Combinator {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "any" => Ok(Self::Any),
            "all" => Ok(Self::All),
            _ => Err(syn::Error::new_spanned(name, "neither `any` nor `all`")),
        }
    }
}

fn scopes(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let content;
    parenthesized!(content in input);
    let scopes = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
    if scopes.is_empty() {
        return Err(input.error("no scope"));
    }
    Ok(scopes.into_iter().collect())
}

impl Value for Requirement {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form.equals()
    }
}
