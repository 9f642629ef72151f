//! Composite keys in writes: they must refer to an existing item, and a referenced item cannot be removed.

use resource_tests::{apply, assert_error, assert_no_content, every_database};
use serde_json::json;

use crate::regions::{OFFICES, REGIONS, offices};

#[apply(every_database)]
fn dangling_composite_key_is_400_10031_and_names_its_attributes() {
    let service = offices();
    for (country, code) in [("CH", 3), ("AT", 1), ("", 1), ("ch", 1), ("CH", -1)] {
        let body = json!({"name": "x", "country": country, "regionCode": code});
        assert_error(&service.post(OFFICES, &body), 400, 10031)
            .naming(&["`country`", "`regionCode`", "Region"])
            .without("former")
            .in_lines(1);
    }
    assert_eq!(service.read(OFFICES)["totalItems"], 6);
}

#[apply(every_database)]
fn two_dangling_keys_are_two_lines() {
    let service = offices();
    let body = json!({"name": "x", "country": "AT", "regionCode": 1, "formerCountry": "AT", "former_code": 1});
    assert_error(&service.post(OFFICES, &body), 400, 10031)
        .naming(&["`country`", "`formerCountry`", "`former_code`"])
        .in_lines(2);
}

#[apply(every_database)]
fn partly_null_key_is_not_checked_and_stored() {
    let service = offices();
    let path = service.create(OFFICES, &json!({"name": "x", "country": "nowhere"}));
    assert_eq!(service.read(&path)["country"], "nowhere");
    assert_no_content(&service.put(&path, &json!({"country": null, "regionCode": 99})));
    assert_eq!(service.read(&path)["regionCode"], 99);
    assert_no_content(&service.put(&path, &json!({"country": "CH", "regionCode": 2})));
}

#[apply(every_database)]
fn changed_composite_key_must_refer_to_an_item() {
    let service = offices();
    let path = format!("{OFFICES}/1");
    let answer = service.put(&path, &json!({"country": "AT", "regionCode": 2}));
    assert_error(&answer, 400, 10031).naming(&["`country`", "`regionCode`"]);
    assert_eq!(service.read(&path)["country"], "CH");
    assert_no_content(&service.put(&path, &json!({"country": "DE", "regionCode": 2})));
}

#[apply(every_database)]
fn changed_attribute_is_checked_with_the_stored_other_one() {
    let service = offices();
    let path = format!("{OFFICES}/1");
    assert_no_content(&service.put(&path, &json!({"regionCode": 2})));
    assert_no_content(&service.put(&path, &json!({"country": "DE"})));
    assert_error(&service.put(&path, &json!({"regionCode": 3})), 400, 10031);
    assert_error(&service.put(&path, &json!({"country": "AT"})), 400, 10031);
    assert_eq!(service.read(&path)["regionCode"], 2);
    assert_no_content(&service.put(&path, &json!({"country": null})));
    assert_no_content(&service.put(&path, &json!({"regionCode": 3})));
    assert_error(&service.put(&path, &json!({"country": "DE"})), 400, 10031);
    assert_eq!(service.read(&path)["country"], json!(null));
}

#[apply(every_database)]
fn dangling_change_names_the_changed_attribute() {
    let service = offices();
    let path = format!("{OFFICES}/2");
    assert_error(&service.put(&path, &json!({"regionCode": 3})), 400, 10031)
        .naming(&["`regionCode`", "Region"])
        .without("former");
    assert_error(
        &service.put(&path, &json!({"formerCountry": "AT", "name": "x"})),
        400,
        10031,
    )
    .naming(&["`formerCountry`", "Region"])
    .without("`country`");
}

#[apply(every_database)]
fn referenced_region_cannot_be_deleted() {
    let service = offices();
    // Each region with the changes and removals of offices after which nothing refers to it.
    for (region, free) in [
        (1, vec![(1, Some(json!({"country": null})))]),
        (2, vec![(2, Some(json!({"former_code": null})))]),
        (
            3,
            vec![(2, Some(json!({"country": "DE", "regionCode": 2})))],
        ),
        (
            4,
            vec![
                (2, None),
                (5, Some(json!({"formerCountry": null}))),
                (6, None),
            ],
        ),
    ] {
        let region = format!("{REGIONS}/{region}");
        for (office, change) in free {
            assert_error(&service.delete(&region), 400, 10020).naming(&["Office"]);
            let office = format!("{OFFICES}/{office}");
            assert_no_content(&match change {
                Some(change) => service.put(&office, &change),
                None => service.delete(&office),
            });
        }
        assert_no_content(&service.delete(&region));
    }
}

#[apply(every_database)]
fn partly_null_key_does_not_count_as_a_reference() {
    let service = offices();
    for office in [1, 2, 5, 6] {
        assert_no_content(&service.delete(&format!("{OFFICES}/{office}")));
    }
    // The remaining offices name the country of two regions, and no code.
    for region in 1..=4 {
        assert_no_content(&service.delete(&format!("{REGIONS}/{region}")));
    }
}

#[apply(every_database)]
fn key_of_a_referenced_region_cannot_be_changed() {
    let service = offices();
    let path = format!("{REGIONS}/1");
    for change in [
        json!({"country": "AT"}),
        json!({"code": 9}),
        json!({"country": "AT", "code": 9, "name": "x"}),
    ] {
        assert_error(&service.put(&path, &change), 400, 10020).naming(&["Office"]);
    }
    assert_no_content(&service.put(&path, &json!({"name": "Berne", "country": "CH", "code": 1})));
    assert_no_content(&service.delete(&format!("{OFFICES}/1")));
    assert_no_content(&service.put(&path, &json!({"country": "AT", "code": 9})));
}

#[apply(every_database)]
fn composite_key_of_a_region_is_unique() {
    let service = offices();
    let answer = service.post(REGIONS, &json!({"country": "CH", "code": 1}));
    assert_error(&answer, 400, 10030)
        .naming(&["`country`", "`code`"])
        .without("region_code");
}
