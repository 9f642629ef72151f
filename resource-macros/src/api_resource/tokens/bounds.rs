//! The trait bounds that keys require of the fields' types.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, Generics};

use crate::api_resource::model::{Attribute, Resource, is_foreign_integer};

/// The bounds of the fields' types, as those of a function that nobody calls.
///
/// Bounds of the impl would have to hold wherever the struct is used as a resource, and one that does not would be an error
/// at each use. A predicate here is one error, at its span. Equal bounds are one predicate, at the first place.
pub(super) fn function(resource: &Resource<'_>) -> Option<TokenStream> {
    let predicates = predicates(resource);
    (!predicates.is_empty()).then(|| {
        quote! {
            fn _bounds()
            where
                #(#predicates,)*
            {}
        }
    })
}

fn predicates(resource: &Resource<'_>) -> Vec<TokenStream> {
    // An integer that cannot be stored has its error already, which names the one that can.
    let attributes = of_known_type(resource).filter(|it| !is_foreign_integer(it.bound_type()));
    let predicates = attributes.flat_map(of_attribute);
    let mut seen = HashSet::new();
    // Tokens have no equality, so their text is compared.
    predicates
        .filter(|predicate| seen.insert(predicate.to_string()))
        .collect()
}

/// The attributes whose types mention no parameter of the struct: that is a mistake, and has its error already.
pub(super) fn of_known_type<'resource, 'input>(
    resource: &'resource Resource<'input>,
) -> impl Iterator<Item = &'resource Attribute<'input>> {
    let parameters = parameters(&resource.input.generics);
    let attributes = resource.attributes.iter();
    attributes.filter(move |it| !mentions(&it.ty.to_token_stream(), &parameters))
}

fn parameters(generics: &Generics) -> Vec<Ident> {
    let parameters = generics.params.iter();
    let ident = |parameter: &GenericParam| match parameter {
        // In a token stream, a lifetime is an apostrophe and this identifier.
        GenericParam::Lifetime(lifetime) => lifetime.lifetime.ident.clone(),
        GenericParam::Type(ty) => ty.ident.clone(),
        GenericParam::Const(constant) => constant.ident.clone(),
    };
    parameters.map(ident).collect()
}

fn mentions(tokens: &TokenStream, parameters: &[Ident]) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => parameters.contains(&ident),
        // The parameter may stand within brackets or parentheses, as in `[T; 2]`.
        TokenTree::Group(group) => mentions(&group.stream(), parameters),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
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
    // A bound without a place is not needed and drops out below.
    let bounds = [
        (is_key.then(here), key),
        (attribute.is_owner.then(here), quote!(_api::Owner)),
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
