//! Rules for the shape of a struct, and of the types of its fields.

use syn::{Data, DataEnum, DataUnion, Fields};

use crate::api_resource::model::{Resource, option_argument};
use crate::diagnostics::{Diagnostics, type_text};

/// A resource is a struct whose fields have names, because attributes need names.
pub(super) fn check_is_struct_with_named_fields(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let ident = &resource.input.ident;
    match &resource.input.data {
        Data::Struct(data) => match &data.fields {
            // Many rules about fields are silent where there are none, so the error about that is here.
            Fields::Named(fields) if fields.named.is_empty() => diagnostics.report(
                ident,
                "a resource without fields; add `pub id: i64` and one field for each attribute",
            ),
            Fields::Named(_) => {}
            // The parentheses are underlined, because they are to be replaced by braces.
            Fields::Unnamed(fields) => diagnostics.report(
                fields,
                "attributes need names; write the fields in braces: `{ pub id: i64 }`",
            ),
            Fields::Unit => diagnostics.report(
                ident,
                "a resource without fields; add them in braces: `{ pub id: i64 }`",
            ),
        },
        // The keyword is underlined, because the shape of the whole item has to change.
        Data::Enum(DataEnum { enum_token, .. }) => diagnostics.report(
            enum_token,
            "an enum cannot be a resource; derive it for a struct that has the enum in a field",
        ),
        Data::Union(DataUnion { union_token, .. }) => {
            diagnostics.report(union_token, "a union cannot be a resource; write a struct");
        }
    }
}

/// A resource has no generic parameters, which would multiply its table and routes.
pub(super) fn check_is_not_generic(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let parameters = &resource.input.generics.params;
    if !parameters.is_empty() {
        diagnostics.report(
            parameters,
            "a resource cannot be generic; write one struct for each type that is stored",
        );
    }
}

/// An `Option` holds no other `Option`, because JSON and SQL have only one null.
pub(super) fn check_options_do_not_nest(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let inner = option_argument(attribute.ty).filter(|ty| option_argument(ty).is_some());
        if inner.is_some() {
            diagnostics.report(
                attribute.ty,
                format!(
                    "a value is absent in one way only; write `Option<{}>`",
                    // The remedy removes all levels but one, however many there are.
                    type_text(attribute.bound_type())
                ),
            );
        }
    }
}
