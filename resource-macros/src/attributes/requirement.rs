//! Keys of access: `scopes(…)`, `public`, `owner(…)`, and the scopes that they require.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token, parenthesized};

use super::form::{self, Form, Value};
use super::key::keys;

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
        // For a single scope, `any` and `all` mean the same.
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
            // The text never shows: the error tells the form of the key instead.
            _ => Err(syn::Error::new_spanned(name, "neither `any` nor `all`")),
        }
    }
}

fn scopes(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let content;
    parenthesized!(content in input);
    let scopes = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
    // A requirement without scopes is one that nobody meets, so it is taken as a mistake.
    if scopes.is_empty() {
        return Err(input.error("no scope"));
    }
    Ok(scopes.into_iter().collect())
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
            // The keys are boxed because they are many times as large as the other variant.
            Form::List(_) | Form::Equals(_) => form::keys(form).map(Box::new).map(Self::Named),
        }
    }
}

keys! {
    /// The scopes of groups of operations and of single ones.
    ScopeKeys {
        read: Requirement, once, TAKES_SCOPES;
        write: Requirement, once, TAKES_SCOPES;
        list: Requirement, once, TAKES_SCOPES;
        retrieve: Requirement, once, TAKES_SCOPES;
        create: Requirement, once, TAKES_SCOPES;
        update: Requirement, once, TAKES_SCOPES;
        delete: Requirement, once, TAKES_SCOPES;
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
            // Only reads can be public as a group; a single public operation has no key.
            Form::List(tokens) if is_read(tokens) => Ok(Self::Read),
            Form::List(_) | Form::Equals(_) => Err(form.tokens()),
        }
    }
}

fn is_read(tokens: &TokenStream) -> bool {
    syn::parse2::<Ident>(tokens.clone()).is_ok_and(|word| word == "read")
}

keys! {
    /// The keys of `owner(field = "owner_id", claim = "sub", bypass = "settings.admin")`, the owner rule.
    OwnerKeys {
        field: LitStr, once, "takes the name of a field in quotes: `field = \"owner_id\"`";
        claim: LitStr, once, "takes a string: `claim = \"sub\"`";
        bypass: Requirement, once, TAKES_SCOPES;
    }
}

impl Value for OwnerKeys {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form::keys(form)
    }
}
