//! The syntactic forms of keys under `#[resource(…)]`, and the reading of all keys of an item.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::token::{Brace, Bracket, Paren};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitBool, Meta, Path, PathSegment, Token};

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
    /// The value of `key = …` as a `T`.
    pub(super) fn equals<T: Parse>(&self) -> Result<T, TokenStream> {
        match self {
            // The parser's own message is dropped: the description of the key tells its form better.
            Self::Equals(tokens) => syn::parse2(tokens.clone()).map_err(|_| self.tokens()),
            // In these forms, no value stands behind `=`.
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
    // Tokens that are no list count as an empty one: in both cases the form of the whole value is wrong.
    let items = Item::list(tokens.clone()).unwrap_or_default();
    let (keys, values) = sorted(&items);
    // A value without its key makes the whole list malformed.
    if items.is_empty() || !values.is_empty() {
        return Err(form.tokens());
    }
    Ok(keys)
}

/// The keys of a list, and its values without a key.
fn sorted<K: Keys>(items: &[Item]) -> (K, Vec<&Lit>) {
    let (mut keys, mut values) = (K::default(), Vec::new());
    for item in items {
        match item {
            Item::Key(key, form) => keys.add(key, form),
            Item::Value(value) => values.push(value),
        }
    }
    (keys, values)
}

/// An item of a list of keys.
enum Item {
    Key(Path, Form),
    /// A value without its key.
    Value(Lit),
}

impl Item {
    fn list(tokens: TokenStream) -> syn::Result<Vec<Self>> {
        let items = Punctuated::<Self, Token![,]>::parse_terminated.parse2(tokens)?;
        Ok(items.into_iter().collect())
    }
}

/// Unlike [`Meta`], a key may be a keyword, as `crate` is, and a value that is no expression is read up to the
/// next comma: the error about it names its key.
impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // `true` and `false` are literals to syn; before `=`, one of them stands for an unknown key.
        let is_key = input.peek(LitBool) && input.peek2(Token![=]);
        if input.peek(Lit) && !is_key {
            return input.parse().map(Self::Value);
        }
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected identifier or literal"));
        }
        // Keywords are read as keys too: `crate` is one, and any other is reported as unknown.
        let segment = |input: ParseStream<'_>| Ident::parse_any(input).map(PathSegment::from);
        let key = Path {
            leading_colon: None,
            segments: Punctuated::parse_separated_nonempty_with(input, segment)?,
        };
        // Any delimiter makes a list, as in `Meta`; whether the key takes a list, its value decides.
        if input.peek(Paren) || input.peek(Bracket) || input.peek(Brace) {
            let list: Group = input.parse()?;
            return Ok(Self::Key(key, Form::List(list.stream())));
        }
        if input.parse::<Option<Token![=]>>()?.is_none() {
            return Ok(Self::Key(key, Form::Word));
        }
        // An expression is tried first, because it may hold commas, as `f::<A, B>()` does. The fork is needed
        // because a failed parse stops somewhere within the value.
        let ahead = input.fork();
        if let Ok(value) = ahead.parse::<Expr>() {
            input.advance_to(&ahead);
            return Ok(Self::Key(key, Form::Equals(value.into_token_stream())));
        }
        // A value that is no expression ends at the next comma; its tokens are kept to be underlined.
        let mut value = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![,]) {
            value.extend([input.parse::<TokenTree>()?]);
        }
        Ok(Self::Key(key, Form::Equals(value)))
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
            // The item also has attributes of other macros and of the compiler.
            if attribute.path().is_ident("resource") {
                match key_list(attribute) {
                    Ok(list) => items.extend(list),
                    // The keys of the other attributes are read all the same.
                    Err(error) => unreadable.push(error),
                }
            }
        }
        // The keys of all attributes are read together, so a key that two of them have is a repetition.
        let (keys, values) = sorted(&items);
        unreadable.extend(values.into_iter().map(|value| {
            syn::Error::new_spanned(value, "a value without its key; write `key = value`")
        }));
        Self { keys, unreadable }
    }
}

fn key_list(attribute: &Attribute) -> syn::Result<Vec<Item>> {
    match &attribute.meta {
        Meta::List(list) => Item::list(list.tokens.clone()),
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
    // To a macro, a doc comment is `#[doc = "…"]`; `#[doc(hidden)]` is a list and holds no text.
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
