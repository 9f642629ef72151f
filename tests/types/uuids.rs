//! `Uuid`: accepted in either case, returned in lower case, ordered as text.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, every_database, responses_differ};
use serde_json::json;
use uuid::Uuid;

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone};
use crate::samples::samples_of;

const KIND: &str = r#"a UUID like "01890a5d-ac96-774b-bcce-b302099a8057""#;
const LOWER: &str = "\"01890a5d-ac96-774b-bcce-b302099a8057\"";
const UPPER: &str = "\"01890A5D-AC96-774B-BCCE-B302099A8057\"";
const NIL: &str = "\"00000000-0000-0000-0000-000000000000\"";
const MAX: &str = "\"ffffffff-ffff-ffff-ffff-ffffffffffff\"";

samples_of!(Uuid);

#[apply(every_database)]
fn either_case_is_returned_in_lower_case() {
    let service = samples();
    for (sent, shown) in [
        (LOWER, LOWER),
        (UPPER, LOWER),
        ("\"01890A5d-aC96-774b-bcce-b302099A8057\"", LOWER),
        (NIL, NIL),
        ("\"FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF\"", MAX),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), NIL);
}

#[apply(every_database)]
fn uuids_compare_as_lower_case_texts() {
    let ranks: [&[&str]; 5] = [
        &[NIL],
        &[LOWER, UPPER],
        &[
            "\"01890a5d-ac96-774b-bcce-b302099a8058\"",
            "\"01890A5D-AC96-774B-BCCE-B302099A8058\"",
        ],
        &["\"A0000000-0000-0000-0000-000000000000\""],
        &[MAX],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn malformed_uuid_is_refused_with_an_example() {
    let literals = [
        "\"\"",
        "\"01890a5dac96774bbcceb302099a8057\"",
        "\"{01890a5d-ac96-774b-bcce-b302099a8057}\"",
        "\"urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057\"",
        "\"01890a5d-ac96-774b-bcce-b302099a805\"",
        "\"01890a5d-ac96-774b-bcce-b302099a80570\"",
        "\"01890a5d-ac96-774b-bcce-b302099a805g\"",
        "\"01890a5d_ac96_774b_bcce_b302099a8057\"",
        "\"01890a5da-c96-774b-bcce-b302099a8057\"",
        "\"-1890a5d-ac96-774b-bcce-b302099a8057\"",
    ];
    assert_refused(&one_sample(NIL), &format!("must be {KIND}"), &literals);
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("0", "0"),
        ("true", "a boolean"),
        ("[]", "an array"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample(NIL), KIND, &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), KIND);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Device", url = "/devices", version = "1.0")]
struct Device {
    id: i64,
    #[resource(unique)]
    serial: Uuid,
}

#[apply(every_database)]
fn unique_uuid_is_taken_in_either_case() {
    responses_differ("PostgreSQL gives a refused item an id that no other item gets");
    let service = Service::start(|database| Api::builder().resource::<Device>().build(database));
    let device = |serial: &str| json!({"serial": serial.trim_matches('"')});
    service.create("/api/1.0/devices", &device(LOWER));
    let answer = service.post("/api/1.0/devices", &device(UPPER));
    assert_error(&answer, 400, 10030).naming(&["`serial`"]);
    service.create("/api/1.0/devices", &device(NIL));
}
