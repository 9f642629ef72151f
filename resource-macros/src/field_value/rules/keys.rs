use crate::api_resource::rules::{adopt, check_keys};
use crate::diagnostics::Diagnostics;
use crate::field_value::model::{FieldType, Shape};
use crate::field_value::rules::newtype::is_of_a_field;

/// The keys of the type are known, well-formed, and each given once.
///
/// Where the derive itself is the mistake, they go with it.
pub(super) fn check_container_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    if matches!(field_type.shape, Shape::Other) {
        return;
    }
    adopt(&field_type.written.unreadable, diagnostics);
    let keys = field_type.keys();
    let unknown = keys.unknown.iter();
    let [case, runtime] = keys.describe();
    if matches!(field_type.shape, Shape::Newtype(_)) {
        let unknown = unknown.filter(|key| !is_of_a_field(key));
        check_keys(unknown, &[runtime], "a struct around one type", diagnostics);
    } else {
        check_keys(unknown, &[case, runtime], "an enum", diagnostics);
    }
}

/// The same for the keys of the variants.
pub(super) fn check_variant_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    for variant in field_type.variants() {
        adopt(&variant.written.unreadable, diagnostics);
        let keys = &variant.written.keys;
        let unknown = keys.unknown.iter();
        check_keys(unknown, &keys.describe(), "a variant", diagnostics);
    }
}
