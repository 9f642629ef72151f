//! The trait bounds of the fields' types.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::api_resource::model::{Attribute, Resource};

/// The bounds of the fields' types, as predicates of the impl.
///
/// A predicate with the span of the field's type makes a bound that does not hold exactly one error,
/// because the body of the impl assumes the bound. Equal bounds are one predicate, at the first place.
/// The validator is left out: a predicate about it would be required wherever the struct is used as a
/// resource, first of all in the impl of the validator.
pub(super) fn predicates(resource: &Resource<'_>) -> Vec<TokenStream> {
    let predicates = resource.attributes.iter().flat_map(of_attribute);
    let mut seen = HashSet::new();
    // Tokens have no equality, so their text is compared.
    predicates
        .filter(|predicate| seen.insert(predicate.to_string()))
        .collect()
}

fn of_attribute(attribute: &Attribute<'_>) -> Vec<TokenStream> {
    let keys = attribute.keys();
    let ty = attribute.bound_type();
    let here = || ty.span();
    // An optional key has its error already, at this very type.
    let is_key = attribute.is_primary_key && !attribute.is_optional();
    // The database can assign integers only; a client or a default can assign texts and UUIDs, too.
    let key = if attribute.is_assigned_key() {
        quote!(_api::AssignedKey)
    } else {
        quote!(_api::PrimaryKey)
    };
    // One bound serves both keys, and its error underlines one of them.
    let length = keys.max_length.token().or(keys.min_length.token());
    let range = keys.min.token().or(keys.max.token());
    // A field that is not optional has its error already, and so has a primary key.
    let is_deletion = keys.soft_delete.is_written() && attribute.is_optional();
    let deletion = is_deletion.then(here);
    // A bound without a place is not needed and drops out below.
    let bounds = [
        (Some(here()), quote!(_api::FieldValue)),
        (is_key.then(here), key),
        (attribute.is_owner.then(here), quote!(_api::Owner)),
        (deletion, quote!(_api::DeletionTime)),
        (length.map(Spanned::span), quote!(_api::Length)),
        (range.map(Spanned::span), quote!(_api::Number)),
    ];
    bounds
        .into_iter()
        .filter_map(|(span, bound)| Some(predicate(ty, span?, &bound)))
        .collect()
}

/// The predicate `ty: bound`, whose error underlines `place`.
fn predicate(ty: &impl ToTokens, place: Span, bound: &TokenStream) -> TokenStream {
    // Only the place is the user's; `_api` resolves as a name of the derive.
    let span = Span::mixed_site().located_at(place);
    // The compiler underlines the bound, so its tokens need the span as well.
    let bound = bound.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    quote_spanned!(span=> #ty: #(#bound)*)
}
