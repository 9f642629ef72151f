//! The impl that a struct with mistakes gets, so that no errors follow from its mistakes.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::{GenericParam, Generics, WherePredicate, parse_quote};

use super::{bounds, definition, key};
use crate::api_resource::model::Resource;

/// A placeholder for the impl that a struct with mistakes cannot have.
///
/// Without it, every use of the struct as a resource would be an error of its own. The impl keeps the
/// predicates, and names the validator, so that a type that cannot be stored or cannot validate is
/// reported together with the other mistakes.
pub(super) fn implementation(resource: &Resource<'_>) -> TokenStream {
    let ident = &resource.input.ident;
    let generics = generics(resource);
    // Parameters are a mistake, but an impl without them would be a second error about the same struct.
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let key = key(resource);
    let validator = validator(resource);
    quote! {
        #[automatically_derived]
        impl #parameters _api::ApiResource for #ident #arguments #bounds {
            type Key = #key;
            const FIELDS: &'static str = "";
            const ATTRIBUTES: &'static [_api::Attribute] = &[];
            const COLUMNS: &'static str = "";
            const DEFINITION: &'static _api::ResourceDefinition = _api::fallback::DEFINITION;
            const ROUTES: &'static _api::Routes = _api::fallback::ROUTES;
            fn from_values(_values: &mut _api::Values<'_>) -> _api::Result<Self> {
                #validator
                _api::fallback::record()
            }
            fn to_record(&self) -> _api::Record {
                _api::Record::new()
            }
        }
    }
}

/// The use of the validator; none for a generic struct, whose parameters may lack the validator's bounds.
fn validator(resource: &Resource<'_>) -> Option<TokenStream> {
    let is_generic = !resource.input.generics.params.is_empty();
    let function = definition::validator(resource).filter(|_| !is_generic)?;
    Some(quote!(let _ = #function;))
}

fn generics(resource: &Resource<'_>) -> Generics {
    let mut generics = resource.input.generics.clone();
    let parameters = parameters(&generics);
    // Predicates about parameters are left out; the others were made as predicates, so all of them parse.
    let predicates: Vec<WherePredicate> = bounds::predicates(resource)
        .into_iter()
        .filter(|predicate| !mentions(predicate, &parameters))
        .filter_map(|predicate| syn::parse2(predicate).ok())
        .collect();
    // The where clause borrows the generics mutably, so the question is asked before.
    let is_generic = !generics.params.is_empty();
    let clause = generics.make_where_clause();
    clause.predicates.extend(predicates);
    // These are the supertraits of `ApiResource`, which unbounded parameters may not satisfy.
    if is_generic {
        clause.predicates.push(parse_quote! {
            Self: ::core::marker::Send + ::core::marker::Sync + 'static
        });
    }
    generics
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

/// Tells that a predicate is about a parameter: it would be required wherever the struct is named, though
/// the mistake is the parameter itself.
fn mentions(tokens: &TokenStream, parameters: &[Ident]) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => parameters.contains(&ident),
        // The parameter may stand within brackets or parentheses, as in `[T; 2]`.
        TokenTree::Group(group) => mentions(&group.stream(), parameters),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
