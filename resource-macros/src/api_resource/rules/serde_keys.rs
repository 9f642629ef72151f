//! Rules for keys of serde, which change nothing of a resource: each error names the key that does.

use syn::punctuated::Punctuated;
use syn::{Data, Meta, Token};

use crate::api_resource::model::{Attribute, Resource};
use crate::attributes::{FieldKeys, Keys as _};
use crate::diagnostics::Diagnostics;

/// Keys of serde on a field, each with our key and how that is written.
const OF_A_FIELD: [(&str, &str, &str); 5] = [
    ("rename", "rename", "rename = \"…\""),
    ("default", "default", "default = …"),
    ("skip", "write_only", "write_only"),
    ("skip_serializing", "write_only", "write_only"),
    ("skip_deserializing", "read_only", "read_only"),
];

/// Keys of serde on a struct, each with our key on its fields.
const OF_A_STRUCT: [(&str, &str, &str); 2] = [
    ("rename_all", "rename", "rename = \"…\""),
    ("default", "default", "default = …"),
];

/// A key of serde stands beside our own: alone, its author expects that it changes the API.
pub(super) fn check_keys_of_serde(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Data::Struct(data) = &resource.input.data else {
        return;
    };
    let fields = || resource.attributes.iter().map(Attribute::keys);
    for (key, name, ours, written) in keys(&resource.input.attrs, &OF_A_STRUCT) {
        if !fields().any(|keys| has(keys, ours)) {
            diagnostics.report(
                key,
                format!(
                    "`{name}` of serde does not change the API; write `#[resource({written})]` on fields"
                ),
            );
        }
    }
    for (field, own) in data.fields.iter().zip(fields()) {
        for (key, name, ours, written) in keys(&field.attrs, &OF_A_FIELD) {
            if !has(own, ours) {
                diagnostics.report(
                    key,
                    format!(
                        "`{name}` of serde does not change the API; write `#[resource({written})]`"
                    ),
                );
            }
        }
    }
}

type Counterpart = (Meta, &'static str, &'static str, &'static str);

/// The keys of serde that have a counterpart in `table`.
fn keys(
    attributes: &[syn::Attribute],
    table: &'static [(&'static str, &'static str, &'static str)],
) -> Vec<Counterpart> {
    let lists = attributes.iter().filter(|it| it.path().is_ident("serde"));
    // A malformed list is for the derives of serde to report.
    let lists = lists.filter_map(|it| {
        it.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .ok()
    });
    let found = lists.flatten().filter_map(|key| {
        let (name, ours, written) = table.iter().find(|(name, ..)| key.path().is_ident(name))?;
        Some((key, *name, *ours, *written))
    });
    found.collect()
}

/// Tells that a field has our key.
fn has(keys: &FieldKeys, name: &str) -> bool {
    let mut known = keys.describe().into_iter();
    known.any(|key| key.name == name && !key.written.is_empty())
}
