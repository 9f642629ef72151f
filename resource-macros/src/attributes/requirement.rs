//! Keys of access: `scopes(…)`, `public`, `owner(…)`, and the scopes that they require.

use darling::FromMeta;
use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token, parenthesized};

use super::form::{self, Form, UnknownKeys, Value};
use super::{Key, KeyDescription};

/// The form of a key that takes a [`Requirement`].
pub(super) const TAKES_SCOPES: &str =
    "takes a scope in quotes, `any(\"a\", \"b\")` or `all(\"a\", \"b\")`";

/// The scopes that a caller needs: `"a"`, `any("a", "b")` or `all("a", "b")`.
#[derive(Debug)]
pub(crate) struct Requirement {
    pub(crate) combinator: Combinator,
    pub(crate) scopes: Vec<LitStr>,
}

/// The way in which several scopes are combined.
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

/// The value of `scopes`.
#[derive(Debug)]
pub(crate) enum Scopes {
    /// `scopes`
    Alone,
    /// `scopes(read = "settings.read", write = "settings.write")`
    Named(Box<ScopeKeys>),
}

impl Value for Scopes {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::Word => Ok(Self::Alone),
            Form::List(_) | Form::Equals(_) => form::keys(form).map(Box::new).map(Self::Named),
        }
    }
}

/// The scopes of groups of operations and of single ones.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ScopeKeys {
    #[darling(multiple)]
    pub(crate) read: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) write: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) list: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) retrieve: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) create: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) update: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) delete: Key<Requirement>,
    #[darling(flatten)]
    pub(crate) unknown: UnknownKeys,
}

impl ScopeKeys {
    pub(crate) fn describe(&self) -> [KeyDescription<'_>; 7] {
        [
            ("read", &self.read),
            ("write", &self.write),
            ("list", &self.list),
            ("retrieve", &self.retrieve),
            ("create", &self.create),
            ("update", &self.update),
            ("delete", &self.delete),
        ]
        .map(|(name, key)| KeyDescription::once(name, TAKES_SCOPES, key))
    }
}

/// The value of `public`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Public {
    /// `public`
    Everything,
    /// `public(read)`
    Read,
}

impl Value for Public {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::Word => Ok(Self::Everything),
            Form::List(tokens) if is_read(tokens) => Ok(Self::Read),
            Form::List(_) | Form::Equals(_) => Err(form.tokens()),
        }
    }
}

fn is_read(tokens: &TokenStream) -> bool {
    syn::parse2::<Ident>(tokens.clone()).is_ok_and(|word| word == "read")
}

/// The keys of `owner(field = "owner_id", claim = "sub", bypass = "settings.admin")`, the owner rule.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct OwnerKeys {
    #[darling(multiple)]
    pub(crate) field: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) claim: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) bypass: Key<Requirement>,
    #[darling(flatten)]
    pub(crate) unknown: UnknownKeys,
}

impl OwnerKeys {
    #[rustfmt::skip]
    pub(crate) fn describe(&self) -> [KeyDescription<'_>; 3] {
        let Self { field, claim, bypass, unknown: _ } = self;
        [
            KeyDescription::once("field", "takes the name of a field in quotes: `field = \"owner_id\"`", field),
            KeyDescription::once("claim", "takes a string: `claim = \"sub\"`", claim),
            KeyDescription::once("bypass", TAKES_SCOPES, bypass),
        ]
    }
}

impl Value for OwnerKeys {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form::keys(form)
    }
}
