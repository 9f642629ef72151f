//! Uniqueness: of one attribute, and of several together.

use resource_runtime::{Api, ApiResource, Validator};
use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database, responses_differ,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(
    name = "Seat",
    url = "/seats",
    version = "1.0",
    unique(hall, row, place)
)]
struct Seat {
    id: i64,
    hall: String,
    row: Option<i64>,
    #[resource(rename = "number", column = "place_number")]
    place: i64,
    #[resource(unique)]
    ticket: Option<i64>,
}

/// A seat whose writes pass a hook.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Box",
    url = "/boxes",
    version = "1.0",
    unique(hall, row, place),
    validator = Anybody
)]
struct Loge {
    id: i64,
    hall: String,
    row: Option<i64>,
    #[resource(rename = "number", column = "place_number")]
    place: i64,
    #[resource(unique)]
    ticket: Option<i64>,
}

#[derive(Debug, Default)]
struct Anybody;

impl Validator<Loge> for Anybody {}

const SEATS: &str = "/api/1.0/seats";

fn seats() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Seat>()
            .resource::<Loge>()
            .build(database)
    })
}

#[apply(every_database)]
fn a_unique_violation_is_400_10030_that_names_the_attribute() {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "red"}),
    );
    let answer = service.post(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "blue"}),
    );
    assert_error(&answer, 400, 10030)
        .naming(&["`name`"])
        .without("`value`");
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 1);
}

#[apply(every_database)]
fn all_unique_violations_are_named_at_once_in_declaration_order() {
    responses_differ("PostgreSQL does not reuse the id of a refused item");
    let service = seats();
    let seat = json!({"hall": "A", "row": 1, "number": 1, "ticket": 7});
    service.create(SEATS, &seat);
    let both = "`ticket` is already taken by another Seat\n\
                `hall`, `row`, `number` together are already taken by another Seat";
    let told = |answer: &resource_tests::Answer| {
        assert_error(answer, 400, 10030);
        answer.json()["error_description"].clone()
    };
    assert_eq!(told(&service.post(SEATS, &seat)), both);
    let other = service.create(
        SEATS,
        &json!({"hall": "A", "row": 1, "number": 2, "ticket": 8}),
    );
    let body = json!({"number": 1, "ticket": 7});
    assert_eq!(told(&service.put(&other, &body)), both);
    let (first, _) = both.split_once('\n').unwrap();
    assert_eq!(
        told(&service.put(&other, &json!({"ticket": 7, "row": 2}))),
        first
    );
    assert_no_content(&service.put(&other, &json!({"ticket": 8, "row": 1, "number": 2})));
    let half = json!({"hall": "A", "row": null, "number": 1, "ticket": null});
    service.create(SEATS, &half);
    service.create(SEATS, &half);
}

#[apply(every_database)]
fn a_unique_violation_on_update_is_400_10030() {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "red"}),
    );
    let path = service.create("/api/1.0/settings", &json!({"name": "size", "value": "5"}));
    let answer = service.put(&path, &json!({"name": "colour", "value": "6"}));
    assert_error(&answer, 400, 10030).naming(&["`name`"]);
    assert_eq!(
        service.read(&path),
        json!({"id": 2, "name": "size", "value": "5"})
    );
}

#[apply(every_database)]
fn a_unique_violation_names_no_unique_set_with_a_null_member() {
    responses_differ("PostgreSQL does not reuse the id of a refused item");
    let service = seats();
    for collection in [SEATS, "/api/1.0/boxes"] {
        let seat = json!({"hall": "A", "row": 1, "number": 1, "ticket": 7});
        service.create(collection, &seat);
        let rowless = json!({"hall": "A", "number": 1, "ticket": 7});
        assert_error(&service.post(collection, &rowless), 400, 10030)
            .naming(&["`ticket`"])
            .without("`hall`");
        let free = json!({"hall": "A", "number": 1, "ticket": 8});
        let path = service.create(collection, &free);
        assert_error(
            &service.put(&path, &json!({"number": 1, "ticket": 7})),
            400,
            10030,
        )
        .naming(&["`ticket`"])
        .without("`hall`");
        assert_error(&service.put(&path, &json!({"row": 1})), 400, 10030)
            .naming(&["`hall`", "`row`", "`number`"])
            .without("`ticket`");
    }
}

#[apply(every_database)]
fn unique_texts_are_compared_by_code_point() {
    let service = address_book();
    for name in [
        "colour", "Colour", "COLOUR", "colour ", " colour", "é", "e\u{301}",
    ] {
        service.create("/api/1.0/settings", &json!({"name": name, "value": "v"}));
    }
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 7);
}

#[apply(every_database)]
fn attributes_can_be_unique_together() {
    let service = seats();
    service.create(SEATS, &json!({"hall": "A", "row": 1, "number": 1}));
    service.create(SEATS, &json!({"hall": "A", "row": 1, "number": 2}));
    service.create(SEATS, &json!({"hall": "A", "row": 2, "number": 1}));
    service.create(SEATS, &json!({"hall": "B", "row": 1, "number": 1}));
    let answer = service.post(SEATS, &json!({"hall": "A", "row": 1, "number": 1}));
    assert_error(&answer, 400, 10030)
        .naming(&["`hall`", "`row`", "`number`"])
        .without("place");
}

#[apply(every_database)]
fn attributes_are_unique_together_on_update() {
    let service = seats();
    service.create(SEATS, &json!({"hall": "A", "row": 1, "number": 1}));
    let path = service.create(SEATS, &json!({"hall": "A", "row": 1, "number": 2}));
    assert_error(&service.put(&path, &json!({"number": 1})), 400, 10030)
        .naming(&["`hall`", "`row`", "`number`"]);
    assert_no_content(&service.put(&path, &json!({"number": 1, "row": 2})));
}

#[apply(every_database)]
fn null_never_violates_uniqueness() {
    let service = seats();
    for _ in 0..2 {
        service.create(SEATS, &json!({"hall": "A", "row": null, "number": 1}));
    }
    service.create(
        SEATS,
        &json!({"hall": "A", "row": 1, "number": 1, "ticket": 5}),
    );
    let answer = service.post(
        SEATS,
        &json!({"hall": "B", "row": 1, "number": 1, "ticket": 5}),
    );
    assert_error(&answer, 400, 10030)
        .naming(&["`ticket`"])
        .without("`hall`");
}

#[apply(every_database)]
fn a_refused_item_is_not_counted() {
    responses_differ("PostgreSQL does not reuse the id of a refused item");
    let service = seats();
    service.create(SEATS, &json!({"hall": "A", "row": 1, "number": 1}));
    assert_error(
        &service.post(SEATS, &json!({"hall": "A", "row": 1, "number": 1})),
        400,
        10030,
    );
    service.create(SEATS, &json!({"hall": "A", "row": 1, "number": 2}));
    assert_eq!(service.read("/api/1.0/seats?limit=0")["totalItems"], 2);
}
