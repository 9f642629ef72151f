//! Tests of the rules for subresources.

use super::{assert_errors, assert_struct_errors};

const TAKES: &str = "`subresource` takes names and their key fields: \
                     `subresource(address = \"address_id\")`";

#[test]
fn error_of_a_malformed_subresource_names_the_form() {
    assert_struct_errors("subresource()", &[("subresource", TAKES)]);
    assert_struct_errors("subresource(place)", &[("place", TAKES)]);
    assert_struct_errors(
        "subresource(place = place_id)",
        &[("place = place_id", TAKES)],
    );
    assert_struct_errors("subresource = \"place\"", &[("\"place\"", TAKES)]);
}

#[test]
fn a_key_is_a_field_that_references() {
    assert_struct_errors(
        "subresource(place = \"palce_id\")",
        &[(
            "\"palce_id\"",
            "no field `palce_id`; did you mean `place_id`?",
        )],
    );
    assert_struct_errors(
        "subresource(place = \"label\")",
        &[(
            "\"label\"",
            "`label` references no resource; \
             add `#[resource(references = …)]` with its type to the field",
        )],
    );
}

#[test]
fn a_hidden_key_is_refused_where_it_is_hidden() {
    assert_errors(
        "#[resource(name = \"Thing\", url = \"/things\", version = \"1.0\")]
         #[resource(subresource(place = \"place_id\"))]
         struct Thing {
             id: i64,
             #[resource(references = Place, write_only)]
             place_id: Option<i64>,
         }",
        &[(
            "write_only",
            "the subresource `place` would show it; remove `write_only`, or the subresource",
        )],
    );
}

#[test]
fn a_key_list_is_not_empty_and_names_no_field_twice() {
    assert_struct_errors(
        "subresource(place = [])",
        &[(
            "place",
            "`place` has no key; name the fields that hold it: `place = \"…\"`",
        )],
    );
    let found = super::errors(&super::with_struct_keys(
        "subresource(place = [\"place_id\", \"place_id\"])",
    ));
    // The errors: the doubled key, and for each of the two that no attribute of the target is named.
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0].1, "`place_id` is named twice; remove one");
}

fn with_two_keys(first: &str, second: &str) -> String {
    format!(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0", subresource(place = ["a", "b"]))]
        struct Thing {{
            id: i64,
            #[resource({first})]
            a: i64,
            #[resource({second})]
            b: i64,
        }}"#
    )
}

#[test]
fn several_keys_reference_attributes_of_one_type() {
    assert_errors(
        &with_two_keys("references(Place, x)", "references(Place, y)"),
        &[],
    );
    assert_errors(
        &with_two_keys("references(Place, x)", "references(other::City, y)"),
        &[(
            "\"b\"",
            "`b` references `other::City` and the first key `Place`; \
             name keys that reference one type",
        )],
    );
    assert_errors(
        &with_two_keys("references = Place", "references(Place, y)"),
        &[(
            "\"a\"",
            "`a` does not say which attribute it holds; write `references(Place, …)` on the field",
        )],
    );
}

#[test]
fn a_subresource_takes_the_target_that_its_keys_share() {
    let (tenant, both) = (
        "references = Tenant",
        "references = Tenant, references(Place, x)",
    );
    assert_errors(&with_two_keys(both, "references(Place, y)"), &[]);
    assert_errors(
        &with_two_keys("references(Tenant, x)", "references(City, y)"),
        &[(
            "\"b\"",
            "`b` references `City` and the first key `Tenant`; name keys that reference one type",
        )],
    );
    assert_errors(
        &with_two_keys(
            "references(Tenant, x), references(Place, x)",
            "references(Tenant, y), references(Place, y)",
        ),
        &[(
            "place",
            "`place` may be `Tenant` or `Place`, which its keys reference both; name other keys",
        )],
    );
    assert_errors(
        &with_two_keys(
            "references(Place, x), references(Place, y)",
            "references(Place, y)",
        ),
        &[("Place", "`a` references `Place` twice; remove one")],
    );
    assert_errors(
        &with_two_keys(tenant, "references(Tenant, y)"),
        &[(
            "\"a\"",
            "`a` does not say which attribute it holds; write `references(Tenant, …)` on the field",
        )],
    );
}

#[test]
fn a_collection_has_a_column() {
    assert_struct_errors(
        "collection(things = [])",
        &[(
            "things",
            "`things` has no column; name those that refer to this resource: `things = …`",
        )],
    );
    assert_struct_errors("collection(things = [Other::A, Other::B])", &[]);
}

#[test]
fn names_of_subresources_follow_those_of_attributes_and_differ_from_them() {
    assert_struct_errors(
        "subresource(label = \"place_id\")",
        &[(
            "label",
            "`label` is the name of an attribute; give the subresource another",
        )],
    );
    assert_struct_errors(
        "subresource(a = \"place_id\", a = \"place_id\")",
        &[("a", "two subresources are named `a`; give one another name")],
    );
    assert_struct_errors(
        "subresource(null = \"place_id\")",
        &[(
            "null",
            "`null` cannot be the name of a subresource: \
             it is a value in the query language; choose another",
        )],
    );
}

#[test]
fn a_collection_is_a_name_of_its_own_and_a_column() {
    let takes = "`collection` takes names and the columns that refer to this resource: \
                 `collection(orders = Order::CUSTOMER_ID)`";
    assert_struct_errors("collection()", &[("collection", takes)]);
    assert_struct_errors(
        "collection(parts = \"thing_id\")",
        &[("parts = \"thing_id\"", takes)],
    );
    assert_struct_errors(
        "collection(label = Part::THING_ID)",
        &[(
            "label",
            "`label` is the name of an attribute; give the collection another",
        )],
    );
    assert_struct_errors(
        "subresource(place = \"place_id\"), collection(place = Part::THING_ID, null = Part::THING_ID)",
        &[
            (
                "null",
                "`null` cannot be the name of a collection: it is a value in the query language; \
                 choose another",
            ),
            (
                "place",
                "`place` is the name of a subresource; give the collection another",
            ),
        ],
    );
    assert_struct_errors("collection(parts = Part::THING_ID)", &[]);
}
