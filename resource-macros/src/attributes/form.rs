//! The syntactic forms of keys under `#[resource(…)]`, and the reading of all keys of an item.

use darling::ast::NestedMeta;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parse;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Path};

use super::key::Keys;

/// The syntactic form of a key with its value.
#[derive(Debug)]
pub(crate) enum Form {
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
pub(crate) trait Value: Sized {
    /// The value, or else the malformed tokens; an empty stream where the value is absent.
    fn read(form: &Form) -> Result<Self, TokenStream>;
}

/// A value of Rust's grammar stands behind `=`.
impl<T: Parse> Value for T {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form.equals()
    }
}

/// The keys inside `key(…)`: at least one, known or not.
pub(super) fn keys<K: Keys>(form: &Form) -> Result<K, TokenStream> {
    let Form::List(tokens) = form else {
        return Err(form.tokens());
    };
    let items = NestedMeta::parse_meta_list(tokens.clone()).unwrap_or_default();
    let written: Option<Vec<_>> = items.iter().map(written).collect();
    let written = written.filter(|written| !written.is_empty());
    let mut keys = K::default();
    for (key, form) in written.ok_or_else(|| form.tokens())? {
        keys.add(key, &form);
    }
    Ok(keys)
}

/// A key and the form of its value; `None` for a value without a key.
fn written(item: &NestedMeta) -> Option<(&Path, Form)> {
    match item {
        NestedMeta::Meta(meta) => Some((meta.path(), Form::of(meta))),
        NestedMeta::NameValueInvalidExpr(pair) => {
            Some((&pair.path, Form::Equals(pair.value.clone())))
        }
        NestedMeta::Lit(_) => None,
    }
}

/// The keys of all `#[resource(…)]` on one item or field, and the errors of parts that cannot be read.
#[derive(Debug)]
pub(crate) struct Keyed<K> {
    pub(crate) keys: K,
    /// Errors of unread parts. While there are any, a key that seems to be missing may be in such a part.
    pub(crate) unreadable: Vec<syn::Error>,
}

impl<K: Keys> Keyed<K> {
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
        let mut keys = K::default();
        for item in &items {
            match written(item) {
                Some((key, form)) => keys.add(key, &form),
                None => unreadable.push(syn::Error::new_spanned(
                    item,
                    "a value without its key; write `key = value`",
                )),
            }
        }
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

/// The lines of an item's doc comments. Texts that a macro makes are left out: they are not yet
/// expanded.
pub(crate) fn doc_lines(attributes: &[Attribute]) -> Vec<String> {
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
