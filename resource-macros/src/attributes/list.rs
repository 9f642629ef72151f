//! Values of keys that are lists of names.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Path, Token, TypePath, bracketed, token};

use super::form::{Form, Value};

/// The list `(a, b)` of at least one name; keywords too, so that the field `r#type` may be called `type`.
#[derive(Debug)]
pub(crate) struct Names(pub(crate) Vec<Ident>);

impl Value for Names {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        at_least_one(form, Ident::parse_any).map(Self)
    }
}

/// The list `("a", "b")` of at least one text.
#[derive(Debug)]
pub(crate) struct Texts(pub(crate) Vec<LitStr>);

impl Value for Texts {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        at_least_one(form, <LitStr as Parse>::parse).map(Self)
    }
}

/// The list `(bill_address = "bill_address_id", region = ["country", "code"])` of at least one entry.
#[derive(Debug)]
pub(crate) struct SubresourceEntries(pub(crate) Vec<SubresourceEntry>);

impl Value for SubresourceEntries {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        at_least_one(form, SubresourceEntry::parse).map(Self)
    }
}

/// A subresource's name and the fields that hold its key.
#[derive(Debug, Clone)]
pub(crate) struct SubresourceEntry {
    pub(crate) name: Ident,
    pub(crate) keys: Vec<LitStr>,
}

impl Parse for SubresourceEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // A keyword may be the name, as it may be that of a field.
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        // One key stands alone, several stand in brackets.
        let keys = if input.peek(token::Bracket) {
            bracketed_list(input)?
        } else {
            vec![input.parse()?]
        };
        Ok(Self { name, keys })
    }
}

/// The list `(orders = Order::CUSTOMER_ID)` of at least one collection's name and column, or columns in brackets.
#[derive(Debug)]
pub(crate) struct CollectionEntries(pub(crate) Vec<(Ident, Vec<Path>)>);

impl Value for CollectionEntries {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        let entry = |input: ParseStream<'_>| {
            let name = input.call(Ident::parse_any)?;
            input.parse::<Token![=]>()?;
            let columns = if input.peek(token::Bracket) {
                bracketed_list(input)?
            } else {
                vec![input.parse()?]
            };
            Ok((name, columns))
        };
        at_least_one(form, entry).map(Self)
    }
}

fn bracketed_list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    bracketed!(content in input);
    // An empty list is read all the same: a rule reports it, with the name of the entry.
    let keys = Punctuated::<T, Token![,]>::parse_terminated(&content)?;
    Ok(keys.into_iter().collect())
}

pub(super) fn at_least_one<T>(
    form: &Form,
    element: fn(ParseStream<'_>) -> syn::Result<T>,
) -> Result<Vec<T>, TokenStream> {
    let Form::List(tokens) = form else {
        return Err(form.tokens());
    };
    // A comma may end the list, as in every list of Rust.
    let parser =
        |input: ParseStream<'_>| Punctuated::<T, Token![,]>::parse_terminated_with(input, element);
    match parser.parse2(tokens.clone()) {
        // A key that lists nothing says nothing, so an empty list is malformed.
        Ok(elements) if !elements.is_empty() => Ok(elements.into_iter().collect()),
        Ok(_) | Err(_) => Err(form.tokens()),
    }
}

/// The target of `references = Type`, or of `references(Type, attribute, on_delete = "…")`, which points at the primary key
/// where it names no attribute.
#[derive(Debug)]
pub(crate) struct References {
    pub(crate) target: TypePath,
    pub(crate) attribute: Option<Ident>,
    pub(crate) on_delete: Option<LitStr>,
}

syn::custom_keyword!(on_delete);

impl Value for References {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::List(tokens) => in_parentheses
                .parse2(tokens.clone())
                .map_err(|_| form.tokens()),
            // A bare `references` fails in `equals`, too.
            Form::Word | Form::Equals(_) => {
                let target: TypePath = form.equals()?;
                if target.qself.is_none() && is_column(&target.path) {
                    return Err(form.tokens());
                }
                Ok(Self {
                    target,
                    attribute: None,
                    on_delete: None,
                })
            }
        }
    }
}

/// Tests whether a path names a constant of a type, as `Order::ID` does: `collection(…)` takes such ones.
fn is_column(path: &Path) -> bool {
    let mut segments = path.segments.iter().rev().map(|it| it.ident.to_string());
    let is_constant = segments
        .next()
        .is_some_and(|it| !it.contains(char::is_lowercase));
    let within = segments.next();
    is_constant && within.is_some_and(|it| it.starts_with(char::is_uppercase))
}

fn in_parentheses(input: ParseStream<'_>) -> syn::Result<References> {
    let target = input.parse()?;
    input.parse::<Token![,]>()?;
    let (mut attribute, mut on_delete) = (None, None);
    if !input.peek2(Token![=]) {
        attribute = Some(input.parse()?);
        // A comma may end this list, as it may end every other one.
        input.parse::<Option<Token![,]>>()?;
    }
    if attribute.is_none() || !input.is_empty() {
        input.parse::<on_delete>()?;
        input.parse::<Token![=]>()?;
        on_delete = Some(input.parse()?);
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(References {
        target,
        attribute,
        on_delete,
    })
}
