//! Keys about the versions of a resource: approvals of breaks, and deprecations.

use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token, TypePath, parenthesized, token};

use super::form::{self, Form, Value};
use super::key::keys;
use super::list::at_least_one;

/// The list `(tighter = "why", removed(a, b) = "why")` of at least one approval.
#[derive(Debug)]
pub(crate) struct Breaks(pub(crate) Vec<Break>);

impl Value for Breaks {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        at_least_one(form, Break::parse).map(Self)
    }
}

/// The approval of a break.
#[derive(Debug)]
pub(crate) struct Break {
    pub(crate) rule: Ident,
    /// The attributes, operations and the like that it is about, each as its name or in quotes.
    pub(crate) places: Vec<Place>,
    pub(crate) reason: LitStr,
}

/// The place of a break.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) text: String,
    pub(crate) token: TokenStream,
}

impl Parse for Break {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let rule = input.call(Ident::parse_any)?;
        let mut places = Vec::new();
        if input.peek(token::Paren) {
            let content;
            parenthesized!(content in input);
            let named = Punctuated::<Place, Token![,]>::parse_terminated(&content)?;
            places.extend(named);
        }
        input.parse::<Token![=]>()?;
        Ok(Self {
            rule,
            places,
            reason: input.parse()?,
        })
    }
}

impl Parse for Place {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let text = literal.value();
            return Ok(Self {
                text,
                token: quote::quote!(#literal),
            });
        }
        let ident = input.call(Ident::parse_any)?;
        Ok(Self {
            text: ident.unraw().to_string(),
            token: quote::quote!(#ident),
        })
    }
}

keys! {
    /// The keys of `deprecated(…)`.
    DeprecatedKeys {
        since: LitStr, once, "takes a day: `since = \"2027-01-01\"`";
        sunset: LitStr, once, "takes a day: `sunset = \"2027-07-01\"`";
        successor: TypePath, once, "takes the version to use: `successor = SettingV2`";
        instead: LitStr, once, "takes the attribute to use: `instead = \"title\"`";
        reason: LitStr, once, "takes a text: `reason = \"it was never used\"`";
    }
}

impl Value for DeprecatedKeys {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form::keys(form)
    }
}
