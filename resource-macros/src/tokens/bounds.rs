use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::model::{Attribute, Resource};

/// What the fields' types must be able to do, as predicates of the impl.
///
/// As a predicate, and at the field's type, a bound that does not hold is exactly one error: the
/// body of the impl takes it for granted. Equal bounds are one predicate, at the first place.
pub(super) fn predicates(resource: &Resource<'_>) -> Vec<TokenStream> {
    let of_attributes = resource.attributes.iter().flat_map(of_attribute);
    let predicates = of_attributes.chain(of_validator(resource));
    let mut seen = HashSet::new();
    predicates
        .filter(|predicate| seen.insert(predicate.to_string()))
        .collect()
}

fn of_attribute(attribute: &Attribute<'_>) -> Vec<TokenStream> {
    let keys = attribute.keys();
    let ty = attribute.bound_type();
    let here = || Some(ty.span());
    let is_key = attribute.is_primary_key && !attribute.is_optional();
    let key = if attribute.is_assigned_key() {
        quote!(_api::AssignedKey)
    } else {
        quote!(_api::PrimaryKey)
    };
    let length = keys.max_length.token().or(keys.min_length.token());
    let range = keys.min.token().or(keys.max.token());
    let bounds = [
        (here(), quote!(_api::FieldValue)),
        (here().filter(|_| is_key), key),
        (length.map(Spanned::span), quote!(_api::Length)),
        (range.map(Spanned::span), quote!(_api::Number)),
    ];
    let written = bounds
        .into_iter()
        .filter_map(|(span, bound)| Some((span?, bound)));
    written
        .map(|(span, bound)| predicate(ty, span, &bound))
        .collect()
}

/// Two predicates, so that the compiler names the one that does not hold.
fn of_validator(resource: &Resource<'_>) -> Vec<TokenStream> {
    let bounds = [
        quote!(::core::default::Default),
        quote!(_api::Validator<Self>),
    ];
    let Some(validator) = resource.keys().validator.value() else {
        return Vec::new();
    };
    bounds
        .iter()
        .map(|bound| predicate(validator, validator.span(), bound))
        .collect()
}

fn predicate(ty: &impl ToTokens, place: Span, bound: &TokenStream) -> TokenStream {
    let span = Span::mixed_site().located_at(place);
    let bound = bound.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    quote_spanned!(span=> #ty: #(#bound)*)
}
