//! The syntactic forms of keys under `#[resource(…)]`, and the reading of all keys of an item.

use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parse;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Path};

/// The syntactic form of a key with its value.
#[derive(Debug)]
pub(super) enum Form {
    /// `key`
    Word,
    /// `key(…)`
    List(TokenStream),
    /// `key = …`
    Equals(TokenStream),
}

impl Form {
    pub(super) fn of(item: &Meta) -> Self {
        match item {
            Meta::Path(_) => Self::Word,
            Meta::List(list) => Self::List(list.tokens.clone()),
            Meta::NameValue(pair) => Self::Equals(pair.value.to_token_stream()),
        }
    }

    /// The value of `key = …` as a `T`.
    pub(super) fn equals<T: Parse>(&self) -> Result<T, TokenStream> {
        match self {
            Self::Equals(tokens) => syn::parse2(tokens.clone()).map_err(|_| self.tokens()),
            Self::Word | Self::List(_) => Err(self.tokens()),
        }
    }

    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Self::Word => TokenStream::new(),
            Self::List(tokens) | Self::Equals(tokens) => tokens.clone(),
        }
    }
}

/// A kind of value that a key takes.
pub(super) trait Value: Sized {
    /// The value, or else the malformed tokens; an empty stream where the value is absent.
    fn read(form: &Form) -> Result<Self, TokenStream>;
}

/// The keys inside `key(…)`: at least one, known or not.
pub(super) fn keys<Keys: FromMeta>(form: &Form) -> Result<Keys, TokenStream> {
    let Form::List(tokens) = form else {
        return Err(form.tokens());
    };
    let items = NestedMeta::parse_meta_list(tokens.clone()).map_err(|_| form.tokens())?;
    if items.is_empty() {
        return Err(form.tokens());
    }
    Keys::from_list(&items).map_err(|_| form.tokens())
}

/// The unknown keys, collected so that each is reported with a suggestion.
#[derive(Debug, Default)]
pub(crate) struct UnknownKeys(Vec<Path>);

impl UnknownKeys {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.0.iter()
    }
}

impl FromMeta for UnknownKeys {
    fn from_list(items: &[NestedMeta]) -> darling::Result<Self> {
        Ok(Self(items.iter().filter_map(key).cloned().collect()))
    }
}

fn key(item: &NestedMeta) -> Option<&Path> {
    match item {
        NestedMeta::Meta(meta) => Some(meta.path()),
        NestedMeta::NameValueInvalidExpr(meta) => Some(&meta.path),
        NestedMeta::Lit(_) => None,
    }
}

/// The keys of all `#[resource(…)]` on one item or field, and the errors of parts that cannot be read.
#[derive(Debug)]
pub(crate) struct Keyed<Keys> {
    pub(crate) keys: Keys,
    /// Errors of unread parts. While there are any, a key that seems to be missing may be in such a part.
    pub(crate) unreadable: Vec<syn::Error>,
}

impl<Keys: FromMeta + Default> Keyed<Keys> {
    pub(crate) fn read(attributes: &[Attribute]) -> Self {
        let mut unreadable = Vec::new();
        let mut items = Vec::new();
        for attribute in attributes {
            if attribute.path().is_ident("resource") {
                match key_list(attribute) {
                    Ok(list) => items.extend(list),
                    Err(error) => unreadable.push(error),
                }
            }
        }
        let items = without_literals(items, &mut unreadable);
        let keys = Keys::from_list(&items).unwrap_or_else(|error| {
            unreadable.push(error.into());
            Keys::default()
        });
        Self { keys, unreadable }
    }
}

fn key_list(attribute: &Attribute) -> syn::Result<Vec<NestedMeta>> {
    match &attribute.meta {
        Meta::List(list) => NestedMeta::parse_meta_list(list.tokens.clone()),
        Meta::Path(_) | Meta::NameValue(_) => Err(syn::Error::new_spanned(
            &attribute.meta,
            "the keys stand in parentheses; write `#[resource(…)]`",
        )),
    }
}

/// Removes bare literals, which darling's receivers would refuse in their own words without reading the rest.
fn without_literals(
    mut items: Vec<NestedMeta>,
    unreadable: &mut Vec<syn::Error>,
) -> Vec<NestedMeta> {
    let literals = items.extract_if(.., |item| matches!(item, NestedMeta::Lit(_)));
    unreadable.extend(literals.map(|literal| {
        syn::Error::new_spanned(literal, "a value without its key; write `key = value`")
    }));
    items
}

/// The lines of an item's doc comments. Texts that a macro makes are left out: they are not yet
/// expanded.
pub(super) fn lines(attributes: &[Attribute]) -> Vec<String> {
    attributes.iter().filter_map(line).collect()
}

fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else {
        return None;
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = &pair.value
    else {
        return None;
    };
    pair.path.is_ident("doc").then(|| text.value())
}
