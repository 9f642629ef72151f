//! The tokens of a resource's definition.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::Ident;

use super::{attribute, evolution, guard, literal};
use crate::api_resource::model::{Name, Operation, Resource, Subresource, is_upsert, peculiarity};
use crate::attributes::{ContainerKeys, Count, Key, Names};

/// The constants of the impl: the resource as data.
pub(super) fn constants(resource: &Resource<'_>) -> TokenStream {
    let keys = resource.keys();
    // A view is made by others in any case.
    let is_existing = keys.existing.is_written() || keys.view.is_written();
    let attributes = resource.attributes.iter();
    let attributes = attributes.map(|it| attribute::description(it, is_existing));
    let columns = columns(resource);
    let definition = definition(resource);
    // These are constants, so the compiler evaluates them, and nothing is built when a service starts.
    quote! {
        const ATTRIBUTES: &'static [_api::Attribute] = &[#(#attributes,)*];
        const COLUMNS: &'static str = #columns;
        const DEFINITION: &'static _api::ResourceDefinition = &#definition;
    }
}

/// The columns that clients may read, as SQL lists them.
fn columns(resource: &Resource<'_>) -> Literal {
    // Statements select these columns only, so a hidden value cannot reach a response.
    let readable = resource.attributes.iter();
    let readable = readable.filter(|attribute| !attribute.is_hidden());
    // Others give their columns any names, with quotes within them, too.
    let quoted: Vec<_> = readable
        .map(|attribute| format!("\"{}\"", attribute.column.text.replace('"', "\"\"")))
        .collect();
    literal::raw_string(&quoted.join(", "))
}

fn definition(resource: &Resource<'_>) -> TokenStream {
    let Resource {
        name,
        collection,
        table,
        ..
    } = resource;
    let table = &table.text;
    let description = resource.description.as_ref();
    let description = description.map(|text| quote!(.description(#text)));
    let validator = validator(resource).map(|function| quote!(.validator(#function)));
    // A `Count` becomes a literal without a suffix, which fits the parameter's own type.
    let major = Count(resource.version.major.into());
    let minor = Count(resource.version.minor.into());
    let subresources = subresources(resource);
    let collections = collections(resource);
    let unique = sets(resource, &resource.keys().unique);
    // A call without sets would only repeat the default, so it is left out.
    let unique = (!unique.is_empty()).then(|| quote!(.unique(&[#(#unique),*])));
    let indexes = sets(resource, &resource.keys().index);
    let indexes = (!indexes.is_empty()).then(|| quote!(.indexes(&[#(#indexes),*])));
    let limits = limits(resource);
    let idempotency = idempotency(resource);
    let operations = operations(resource);
    let guard = guard::guard(resource);
    let owner = guard::owner(resource);
    let keys = resource.keys();
    let existing = existing(keys);
    let require_if_match = keys.require_if_match.is_written();
    let require_if_match = require_if_match.then(|| quote!(.require_if_match()));
    let evolution = evolution::of_definition(resource);
    let cache = keys.cache.value().map(|control| quote!(.cache(#control)));
    // A part that is `None` leaves no tokens, so the expansion has only what the user asked for.
    quote! {
        _api::definition(#name, #collection, _api::Version::new(#major, #minor))
            #description
            .table(#table)
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            #validator
            #subresources
            #collections
            #unique
            #indexes
            #limits
            #idempotency
            #operations
            #guard
            #owner
            #existing
            #require_if_match
            #cache
            #evolution
    }
}

/// The calls about a table that others made.
fn existing(keys: &ContainerKeys) -> TokenStream {
    let schema = keys.schema.value().map(|name| quote!(.schema(#name)));
    let existing = keys.existing.is_written().then(|| quote!(.existing()));
    let view = keys.view.is_written().then(|| quote!(.view()));
    let ignored: Vec<_> = keys.ignore.values().flat_map(|it| &it.0).collect();
    let ignored = (!ignored.is_empty()).then(|| quote!(.ignored(&[#(#ignored),*])));
    let accepted = keys.accept.values().flat_map(|it| &it.0);
    let accepted = accepted.filter_map(|text| peculiarity(&text.value()));
    let accepted: Vec<_> = accepted
        .map(|name| Ident::new(name, Span::mixed_site()))
        .collect();
    let accepted =
        (!accepted.is_empty()).then(|| quote!(.accept(&[#(_api::Peculiarity::#accepted),*])));
    quote!(#schema #existing #view #ignored #accepted)
}

/// The function that makes the validator; its own bounds check the validator's type.
pub(super) fn validator(resource: &Resource<'_>) -> Option<TokenStream> {
    let ty = resource.keys().validator.value()?;
    Some(quote!(_api::validator::<Self, #ty>))
}

fn subresources(resource: &Resource<'_>) -> Option<TokenStream> {
    let subresources: Vec<_> = resource
        .subresources
        .iter()
        // The subresource passed all rules, so none is left out.
        .filter_map(|subresource| description(resource, subresource))
        .collect();
    (!subresources.is_empty()).then(|| quote!(.subresources(&[#(#subresources),*])))
}

/// The tokens of a subresource.
fn description(resource: &Resource<'_>, subresource: &Subresource) -> Option<TokenStream> {
    let target = resource.target(subresource)?;
    let name = &subresource.name.text;
    let keys = attribute_names(resource, &subresource.keys);
    Some(quote!(_api::subresource::<#target>(#name, &[#(#keys),*])))
}

/// The collections: the compiler judges each column at its place in the struct.
fn collections(resource: &Resource<'_>) -> Option<TokenStream> {
    let collections = resource.collections.iter().filter_map(|(name, columns)| {
        let (name, (first, further)) = (&name.text, columns.split_first()?);
        let further = further.iter().map(|it| quote!(_api::beside(#first, #it)));
        let further: Vec<_> = further.collect();
        let further = (!further.is_empty()).then(|| quote!(.and(&[#(#further),*])));
        Some(quote!(_api::collection(#name, #first) #further))
    });
    let collections: Vec<_> = collections.collect();
    (!collections.is_empty()).then(|| quote!(.collections(&[#(#collections),*])))
}

/// The sets of fields that a key names, each a slice of attribute names.
fn sets(resource: &Resource<'_>, key: &Key<Names>) -> Vec<TokenStream> {
    key.values().map(|set| set_of(resource, &set.0)).collect()
}

fn set_of(resource: &Resource<'_>, fields: &[Ident]) -> TokenStream {
    let fields: Vec<Name> = fields.iter().map(Name::from).collect();
    let names = attribute_names(resource, &fields);
    quote!(&[#(#names),*])
}

/// The JSON names of the attributes, which the definition uses, for the field names in the user's keys.
fn attribute_names<'resource>(
    resource: &'resource Resource<'_>,
    fields: &[Name],
) -> Vec<&'resource str> {
    fields
        .iter()
        .filter_map(|field| resource.attribute(&field.text))
        .map(|attribute| attribute.name.text.as_str())
        .collect()
}

/// The operations of a resource that does not offer all of them.
fn operations(resource: &Resource<'_>) -> Option<TokenStream> {
    // The operations are in the order of the enum, whatever the user's order is.
    let offered = resource.offered(&Operation::ALL);
    let all = offered.len() == Operation::ALL.len();
    let named = resource.keys().operations.value();
    let upserts = named.is_some_and(|names| names.0.iter().any(is_upsert));
    let upsert = upserts.then(|| quote!(.upsert()));
    let operations = (!all).then(|| quote!(.operations(&[#(_api::#offered),*])));
    (!all || upserts).then(|| quote!(#operations #upsert))
}

fn idempotency(resource: &Resource<'_>) -> Option<TokenStream> {
    let rules = resource.keys().idempotency.value()?;
    rules
        .required
        .value()
        .map(|_| quote!(.require_idempotency_key()))
}

fn limits(resource: &Resource<'_>) -> Option<TokenStream> {
    let uncounted = resource.keys().count.value().map(|_| quote!(.uncounted()));
    // A limit that is not written is chosen by the runtime.
    let Some(limit) = resource.keys().limit.value() else {
        return uncounted;
    };
    let default = limit.default.value();
    let default = default.map(|count| quote!(.default_limit(#count)));
    let max = limit.max.value().map(|count| quote!(.max_limit(#count)));
    let all = limit.all.value().map(|_| quote!(.allow_all()));
    Some(quote!(#default #max #all #uncounted))
}
