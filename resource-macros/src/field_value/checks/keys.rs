use crate::checks::{adopt, check_keys};
use crate::diagnostics::Diagnostics;
use crate::field_value::model::FieldType;

/// The keys of the type are known, well-formed, and each given once.
pub(super) fn check_container_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    adopt(&field_type.written.unreadable, diagnostics);
    let keys = field_type.keys();
    check_keys(&keys.unknown, &keys.describe(), "`FieldValue`", diagnostics);
}

/// The same for the keys of the variants.
pub(super) fn check_variant_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    for variant in field_type.variants() {
        adopt(&variant.written.unreadable, diagnostics);
        let keys = &variant.written.keys;
        check_keys(&keys.unknown, &keys.describe(), "a variant", diagnostics);
    }
}
