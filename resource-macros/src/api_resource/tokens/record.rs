//! The tokens of the conversions between a struct and a record.

use proc_macro2::TokenStream;
use quote::quote;

use crate::api_resource::model::Resource;

/// The conversions between the struct and a record of its values in declaration order.
pub(super) fn conversions(resource: &Resource<'_>) -> TokenStream {
    let fields: Vec<_> = resource
        .attributes
        .iter()
        .map(|attribute| attribute.field)
        .collect();
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
