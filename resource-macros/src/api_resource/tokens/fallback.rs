//! The impl that a struct with mistakes gets, so that no errors follow from its mistakes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Generics, Path, parse_quote};

use super::{attribute, bounds, definition, key};
use crate::api_resource::model::{Attribute, Resource};

/// A placeholder for the impl that a struct with mistakes cannot have.
///
/// Without it, every use of the struct as a resource would be an error of its own. The types of the fields and the
/// validator are named, so that a type that cannot be stored or cannot validate is reported together with the other mistakes.
pub(super) fn implementation(resource: &Resource<'_>) -> TokenStream {
    let ident = &resource.input.ident;
    let generics = generics(resource);
    // Parameters are a mistake, but an impl without them would be a second error about the same struct.
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let key = key(resource);
    let validator = validator(resource);
    let kinds = bounds::of_known_type(resource)
        .map(|it| attribute::of_type(it.bound_type(), &quote!(KIND)));
    let function = bounds::function(resource);
    let types = types(resource);
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
        const _: &[_api::Kind] = &[#(#kinds),*];
        #function
        #types
    }
}

/// The use of the validator; none for a generic struct, whose parameters may lack the validator's bounds.
fn validator(resource: &Resource<'_>) -> Option<TokenStream> {
    let is_generic = !resource.input.generics.params.is_empty();
    let function = definition::validator(resource).filter(|_| !is_generic)?;
    Some(quote!(let _ = #function;))
}

/// The types that keys name, so that the compiler does not call their imports unused; an alias checks nothing of them.
fn types(resource: &Resource<'_>) -> Option<TokenStream> {
    let keys = || resource.attributes.iter().map(Attribute::keys);
    let targets = keys().flat_map(|it| it.references.values());
    let targets = targets.map(|it| it.target.to_token_stream());
    let readers = keys().filter_map(|it| it.readable_by.value());
    let followed = resource.keys().follows.value();
    let deprecated = resource.keys().deprecated.value();
    let successor = deprecated.and_then(|it| it.successor.value());
    let further = readers.chain(followed).chain(successor);
    let further = further.map(ToTokens::to_token_stream);
    let columns = resource.collections.iter().flat_map(|(_, it)| it);
    let of_columns = columns.filter_map(type_of_column);
    let types: Vec<_> = targets.chain(further).chain(of_columns).collect();
    // A parameter of the struct is no type here.
    let is_needed = !types.is_empty() && resource.input.generics.params.is_empty();
    is_needed.then(|| quote!(type _Types = (#(#types,)*);))
}

/// The type in the path of a column: `Order` of `Order::CUSTOMER_ID`.
fn type_of_column(path: &Path) -> Option<TokenStream> {
    let mut ty = path.clone();
    ty.segments.pop();
    ty.segments.pop_punct();
    (!ty.segments.is_empty()).then(|| ty.to_token_stream())
}

fn generics(resource: &Resource<'_>) -> Generics {
    let mut generics = resource.input.generics.clone();
    // These are the supertraits of `ApiResource`, which unbounded parameters may not satisfy.
    if !generics.params.is_empty() {
        generics.make_where_clause().predicates.push(parse_quote! {
            Self: ::core::marker::Send + ::core::marker::Sync + 'static
        });
    }
    generics
}
