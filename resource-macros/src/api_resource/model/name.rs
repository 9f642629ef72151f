//! Names with the tokens that an error about them underlines.

use std::collections::HashSet;
use std::fmt;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Ident, LitStr};

/// A name with the token it comes from, which an error about the name underlines.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) token: TokenStream,
}

impl Name {
    pub(crate) fn new(text: impl Into<String>, token: &impl ToTokens) -> Self {
        Self {
            text: text.into(),
            // Tokens are kept and not a span, because an error underlines from the first of them to the last.
            token: token.to_token_stream(),
        }
    }
}

/// The names that stand earlier in a list already.
pub(crate) fn repeated<'name>(
    names: impl IntoIterator<Item = &'name Name>,
) -> impl Iterator<Item = &'name Name> {
    let mut seen = HashSet::new();
    let names = names.into_iter();
    // Of equal names the first is taken as right, and every later one is returned.
    names.filter(move |name| !seen.insert(&name.text))
}

impl From<&LitStr> for Name {
    fn from(literal: &LitStr) -> Self {
        Self::new(literal.value(), literal)
    }
}

/// A raw identifier stands for the word behind `r#`.
impl From<&Ident> for Name {
    fn from(ident: &Ident) -> Self {
        Self::new(ident.unraw().to_string(), ident)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl ToTokens for Name {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.token.to_tokens(tokens);
    }
}
