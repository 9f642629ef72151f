use darling::FromMeta;
use darling::ast::NestedMeta;
use syn::{Attribute, Meta};

/// The keys of all `#[resource(…)]` on one item or field, and what could not be read as keys.
#[derive(Debug)]
pub(crate) struct Keyed<Keys> {
    pub(crate) keys: Keys,
    /// While this is not empty, a key that seems to be missing may stand in the unread part.
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

/// Darling's receivers would refuse a bare literal in their own words, and then read nothing else.
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
