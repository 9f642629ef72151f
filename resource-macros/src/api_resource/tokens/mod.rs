//! The code that the derive emits: data, bounds, and the few lines that a person would write.
//!
//! Nothing here can fail, and nothing is decided: for a struct with mistakes [`fallback`] emits
//! placeholders, which never run.

mod attribute;
mod bounds;
mod definition;
mod fallback;
mod field_enum;
mod guard;
mod literal;
mod routes;

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Resource;
use crate::diagnostics::Diagnostics;

/// The code of `resource`, or its mistakes with a placeholder that prevents further errors in the crate.
pub(crate) fn expand(resource: &Resource<'_>, diagnostics: &Diagnostics) -> TokenStream {
    let companion = field_enum::companion(resource);
    let runtime = &resource.runtime;
    let errors = diagnostics.compile_errors();
    let implementation = if diagnostics.is_empty() {
        implementation(resource)
    } else {
        fallback::implementation(resource)
    };
    // The companion enum is outside of the constant, because the user's code names it. The import is inside,
    // where it cannot collide with a name of the user's module.
    quote! {
        #errors
        #companion
        const _: () = {
            use #runtime::__private as _api;
            #implementation
        };
    }
}

fn implementation(resource: &Resource<'_>) -> TokenStream {
    // The parts are made first, so that the template below reads like the code that it emits.
    let field_impls = field_enum::impls(resource);
    let ident = &resource.input.ident;
    let companion = field_enum::name(resource);
    let bounds = bounds::predicates(resource);
    let constants = definition::constants(resource);
    let routes = routes::constant(resource);
    let conversions = conversions(resource);
    // `automatically_derived` tells lints and tools that nobody wrote the impl by hand.
    quote! {
        #field_impls
        #[automatically_derived]
        impl _api::ApiResource for #ident
        where
            #(#bounds,)*
        {
            type Field = #companion;
            #constants
            #routes
            #conversions
        }
    }
}

/// The conversions between the struct and a record of its values in declaration order.
fn conversions(resource: &Resource<'_>) -> TokenStream {
    // The type of each field chooses its conversion, so none is named here.
    let attributes = resource.attributes.iter();
    let fields: Vec<_> = attributes.map(|attribute| attribute.field).collect();
    // Struct fields are evaluated in the order in which they are written, which is that of the record. `Ok`
    // comes from the runtime, because the user's module may have a name `Ok` of its own.
    quote! {
        fn from_record(record: _api::Record) -> _api::Result<Self> {
            let mut values = record.into_values();
            _api::Ok(Self {
                #(#fields: values.take()?,)*
            })
        }
        fn to_record(&self) -> _api::Record {
            _api::Record::new() #(+ &self.#fields)*
        }
    }
}
