//! Rules for the field that each write changes: `revision`.

use crate::api_resource::model::Resource;
use crate::diagnostics::{Diagnostics, type_text};

const SET_BY_WRITES: &str = "every write sets the revision, which all clients may read";

/// At most one field is the revision, of the one type whose values each write can make, without a role beside it.
pub(super) fn check_revision(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let attributes = resource.attributes.iter();
    let marked = attributes.filter(|attribute| attribute.keys().revision.is_written());
    for (index, attribute) in marked.enumerate() {
        let keys = attribute.keys();
        let token = keys.revision.token();
        if index > 0 {
            diagnostics.report(
                token,
                "an item has one revision; keep `revision` on one field",
            );
        }
        let ty = type_text(attribute.ty);
        if ty != "i64" {
            diagnostics.report(
                attribute.ty,
                format!("a revision is an `i64`, and no `{ty}`"),
            );
        }
        for (has_role, what) in [
            (attribute.is_primary_key, "the primary key"),
            (attribute.is_owner, "the owner"),
            (attribute.is_redacted, "what `redacts` names"),
        ] {
            if has_role {
                let message = format!("{SET_BY_WRITES}: it is not {what}; take another field");
                diagnostics.report(token, message);
            }
        }
        for (name, token) in [
            ("unique", keys.unique.token()),
            ("references", keys.references.token()),
            ("write_only", keys.write_only.token()),
            ("read_scope", keys.read_scope.token()),
            ("write_scope", keys.write_scope.token()),
            ("soft_delete", keys.soft_delete.token()),
            ("default", keys.default.token()),
            ("default_on_update", keys.default_on_update.token()),
            ("min", keys.min.token()),
            ("max", keys.max.token()),
        ] {
            diagnostics.refuse(token, format!("{SET_BY_WRITES}; remove `{name}`"));
        }
    }
}
