//! The code that the derive emits: data, bounds, and the few lines that a person would write.
//!
//! Nothing here can fail, and nothing is decided: for a struct with mistakes [`fallback`] emits
//! placeholders, which never run.

mod attribute;
mod bounds;
mod columns;
mod definition;
mod evolution;
mod fallback;
mod guard;
mod literal;
mod routes;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::model::{Attribute, Resource, is_foreign_integer};
use crate::diagnostics::Diagnostics;

/// The code of `resource`, or its mistakes with a placeholder that prevents further errors in the crate.
pub(crate) fn expand(resource: &Resource<'_>, diagnostics: &Diagnostics) -> TokenStream {
    let columns = columns::implementation(resource);
    let runtime = &resource.runtime;
    let errors = diagnostics.compile_errors();
    let implementation = if diagnostics.is_empty() {
        implementation(resource)
    } else {
        fallback::implementation(resource)
    };
    // The import is inside of the constant, where it cannot collide with a name of the user's module.
    quote! {
        #errors
        const _: () = {
            use #runtime::__private as _api;
            #columns
            #implementation
        };
    }
}

fn implementation(resource: &Resource<'_>) -> TokenStream {
    // The parts are made first, so that the template below reads like the code that it emits.
    let ident = &resource.input.ident;
    let key = key(resource);
    let fields = field_names(resource);
    let bounds = bounds::function(resource);
    let constants = definition::constants(resource);
    let routes = routes::constant(resource);
    let conversions = conversions(resource);
    let comparison = evolution::comparison(resource);
    // `automatically_derived` tells lints and tools that nobody wrote the impl by hand.
    quote! {
        #[automatically_derived]
        impl _api::ApiResource for #ident {
            type Key = #key;
            const FIELDS: &'static str = #fields;
            #constants
            #routes
            #conversions
        }
        #bounds
        #comparison
    }
}

/// The type of the primary key, a tuple of several parts. A struct without a key has its own error, and a placeholder here.
fn key(resource: &Resource<'_>) -> TokenStream {
    let key = resource.attributes.iter().filter(|it| it.is_primary_key);
    let types: Vec<_> = key.map(Attribute::value_type).collect();
    match types.as_slice() {
        [] => quote!(i64),
        // The type has its error at the field, so that a placeholder prevents another one.
        [only] if is_foreign_integer(only) => quote!(i64),
        [only] => only.to_token_stream(),
        parts => quote!((#(#parts),*)),
    }
}

/// The names of the fields in Rust, separated by spaces: one line instead of one for each field.
fn field_names(resource: &Resource<'_>) -> String {
    let attributes = resource.attributes.iter();
    let names: Vec<&str> = attributes.map(|it| &*it.field_name.text).collect();
    names.join(" ")
}

/// The conversions between the struct and its values in declaration order.
fn conversions(resource: &Resource<'_>) -> TokenStream {
    let attributes = resource.attributes.iter();
    let fields: Vec<_> = attributes.map(|attribute| attribute.field).collect();
    let conversions = |name| {
        let attributes = resource.attributes.iter();
        attributes.map(move |it| attribute::of_type(it.ty, &name))
    };
    let (take, put) = (conversions(quote!(take)), conversions(quote!(put)));
    // Struct fields are evaluated in the order in which they are written, which is that of the values. `Ok`
    // comes from the runtime, because the user's module may have a name `Ok` of its own.
    quote! {
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                #(#fields: #take(values)?,)*
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            #(#put(&self.#fields, &mut record);)*
            record
        }
    }
}
