//! Tests of the code that a struct with mistakes gets.

use super::{errors, parse, pretty};
use crate::api_resource::derive;

/// An unknown key, a url without slash, a wrong version, `max_length` zero, no primary key.
const FIVE_MISTAKES: &str = r#"
    #[resource(name = "Thing", url = "things", version = "1", tabel = "things")]
    struct Thing {
        #[resource(max_length = 0)]
        label: String,
        price: Money,
    }
"#;

fn expansion(item: &str) -> String {
    pretty(derive(&parse(item)))
}

fn compile_errors(expansion: &str) -> usize {
    expansion.matches("compile_error!").count()
}

#[test]
fn five_mistakes_are_five_errors_and_a_fallback() {
    let text = expansion(FIVE_MISTAKES);
    assert_eq!(compile_errors(&text), 5, "{text}");
    assert!(text.contains("impl _api::ApiResource for Thing"), "{text}");
    assert!(text.contains("_api::fallback::DEFINITION"), "{text}");
    assert!(text.contains("const LABEL: _api::Column"), "{text}");
}

#[test]
fn fallback_keeps_the_checks_of_types() {
    let text = expansion(FIVE_MISTAKES);
    assert!(text.contains("<Money as _api::FieldValue>::KIND"), "{text}");
    assert!(text.contains("String: _api::Length"), "{text}");
}

#[test]
fn valid_struct_has_no_compile_error_and_no_fallback() {
    let text = expansion(super::golden::SMALL);
    assert_eq!(compile_errors(&text), 0);
    assert!(!text.contains("fallback"), "{text}");
}

#[test]
fn item_without_named_fields_has_no_constants() {
    for item in [
        "struct Thing(i64);",
        "struct Thing;",
        "enum Thing {}",
        "union Thing { id: i64 }",
    ] {
        let text = expansion(item);
        assert!(text.contains("_api::fallback::DEFINITION"), "{text}");
        assert!(!text.contains("_api::Column"), "{text}");
    }
}

#[test]
fn a_generic_struct_has_a_generic_fallback() {
    let text = expansion("struct Thing<'a, T: Clone> where T: Copy { id: &'a T }");
    assert!(
        text.contains("impl<'a, T: Clone> _api::ApiResource for Thing<'a, T>"),
        "{text}"
    );
    assert!(text.contains("T: Copy,"), "{text}");
    assert!(
        text.contains("Self: ::core::marker::Send + ::core::marker::Sync + 'static"),
        "{text}"
    );
}

#[test]
fn fallback_of_a_generic_struct_has_no_checks_of_its_parameters() {
    let text =
        expansion("struct Thing<'a, T, const N: usize> { id: u64, a: T, b: (&'a u8, [u8; N]) }");
    assert!(text.contains("<u64 as _api::FieldValue>"), "{text}");
    assert_eq!(text.matches("_api::FieldValue").count(), 1, "{text}");
}

#[test]
fn fields_of_one_constant_do_not_double_it() {
    let text = expansion("struct Thing { id: i64, a_b: i64, A_B: i64 }");
    assert_eq!(text.matches("const A_B: ").count(), 1, "{text}");
}

#[test]
fn a_malformed_crate_leaves_the_default() {
    let text = expansion("#[resource(crate = 7)] struct Thing { id: i64 }");
    assert!(
        text.contains("use ::resource_runtime::__private as _api"),
        "{text}"
    );
}

#[test]
fn a_field_that_is_a_nested_option_has_one_error_and_the_bound_of_what_it_should_be() {
    let item = "struct Thing { id: i64, label: Option<Option<String>> }";
    let about_type = |(underlined, _): &(String, String)| underlined.contains("Option");
    assert_eq!(
        errors(item)
            .iter()
            .filter(|error| about_type(error))
            .count(),
        1
    );
    assert!(!expansion(item).contains("<Option<Option<String>> as"));
}

#[test]
fn fallback_names_the_types_of_keys() {
    let keys = "follows = v1::Thing, collection(orders = orders::Order::THING_ID), tabel, \
                deprecated(since = \"2027-01-01\", successor = v3::Thing)";
    let field = "#[resource(references = Address, readable_by = v2::Thing)] address_id: i64";
    let text = expansion(&format!(
        "#[resource({keys})] struct Thing {{ id: i64, {field} }}"
    ));
    let types = "type _Types = (Address, v2::Thing, v1::Thing, v3::Thing, orders::Order);";
    assert!(text.contains(types), "{text}");
}

#[test]
fn fallback_names_the_validator_only_once() {
    let text = expansion("#[resource(validator = Check, tabel)] struct Thing { id: i64 }");
    assert!(
        text.contains("let _ = _api::validator::<Self, Check>;"),
        "{text}"
    );
    assert!(!text.contains("Check: "), "{text}");
}
