use syn::{Data, DataEnum, DataUnion, Fields};

use crate::api_resource::model::Resource;
use crate::diagnostics::Diagnostics;

/// A resource is a struct whose fields have names, as its attributes need them.
pub(super) fn check_is_struct_with_named_fields(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let ident = &resource.input.ident;
    match &resource.input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) if fields.named.is_empty() => diagnostics.report(
                ident,
                "a resource without fields; add `pub id: i64` and one field for each attribute",
            ),
            Fields::Named(_) => {}
            Fields::Unnamed(fields) => diagnostics.report(
                fields,
                "attributes need names; write the fields in braces: `{ pub id: i64 }`",
            ),
            Fields::Unit => diagnostics.report(
                ident,
                "a resource without fields; add them in braces: `{ pub id: i64 }`",
            ),
        },
        Data::Enum(DataEnum { enum_token, .. }) => diagnostics.report(
            enum_token,
            "an enum cannot be a resource; derive it for a struct that has the enum in a field",
        ),
        Data::Union(DataUnion { union_token, .. }) => {
            diagnostics.report(union_token, "a union cannot be a resource; write a struct");
        }
    }
}
