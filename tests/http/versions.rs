//! Versions: each its own model and its own endpoints, `latest` the newest of a collection.

use resource_runtime::{Api, ApiResource};
use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database,
};
use serde_json::{Value, json};

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.9")]
struct NoteNine {
    id: i64,
    #[resource(max_length = 9)]
    text: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.10")]
struct NoteTen {
    id: i64,
    #[resource(max_length = 10)]
    text: String,
}

fn named(length: usize) -> Value {
    json!({"name": "n".repeat(length), "value": "v"})
}

#[apply(every_database)]
fn a_51_character_name_is_refused_by_version_1_0_and_accepted_by_2_0() {
    let service = address_book();
    assert_error(&service.post("/api/1.0/settings", &named(51)), 400, 10010)
        .naming(&["name", "50"]);
    assert_eq!(
        service.create("/api/2.0/settings", &named(51)),
        "/api/2.0/settings/1"
    );
}

#[apply(every_database)]
fn each_version_has_its_own_limit() {
    let service = address_book();
    service.create("/api/1.0/settings", &named(50));
    service.create("/api/2.0/settings", &named(80));
    assert_error(&service.post("/api/2.0/settings", &named(81)), 400, 10010)
        .naming(&["name", "80"]);
}

#[apply(every_database)]
fn latest_addresses_the_most_recent_version() {
    let service = address_book();
    assert_eq!(
        service.create("/api/latest/settings", &named(80)),
        "/api/latest/settings/1"
    );
    assert_error(
        &service.post("/api/latest/settings", &named(81)),
        400,
        10010,
    )
    .naming(&["80"]);
}

#[apply(every_database)]
fn latest_is_the_most_recent_version_of_each_collection() {
    let service = address_book();
    assert_eq!(
        service.create("/api/latest/addresses", &json!({"line1": "x"})),
        "/api/latest/addresses/1"
    );
    assert_eq!(
        service.read("/api/latest/addresses/1"),
        service.read("/api/1.0/addresses/1")
    );
}

#[apply(every_database)]
fn version_1_10_is_newer_than_1_9_in_any_order_of_registration() {
    let rising = Service::start(|database| {
        Api::builder()
            .resource::<NoteNine>()
            .resource::<NoteTen>()
            .build(database)
    });
    let falling = Service::start(|database| {
        Api::builder()
            .resource::<NoteTen>()
            .resource::<NoteNine>()
            .build(database)
    });
    for service in [rising, falling] {
        service.create("/api/latest/notes", &json!({"text": "1234567890"}));
        assert_error(
            &service.post("/api/1.9/notes", &json!({"text": "1234567890"})),
            400,
            10010,
        )
        .naming(&["9"]);
    }
}

#[apply(every_database)]
fn version_1_1_is_not_1_10() {
    let service = Service::start(|database| Api::builder().resource::<NoteTen>().build(database));
    assert_eq!(service.get("/api/1.10/notes").status, 200);
    for path in ["/api/1.1/notes", "/api/1.010/notes", "/api/1.100/notes"] {
        assert_error(&service.get(path), 404, 10000);
    }
}

#[apply(every_database)]
fn the_location_has_the_version_segment_that_the_client_used() {
    let service = address_book();
    for (number, version) in ["1.0", "2.0", "latest"].into_iter().enumerate() {
        let body = json!({"name": version, "value": "v"});
        let location = service.create(&format!("/api/{version}/settings"), &body);
        assert_eq!(location, format!("/api/{version}/settings/{}", number + 1));
        assert_eq!(service.read(&location)["name"], version);
    }
}

#[apply(every_database)]
fn the_same_operations_exist_under_every_version() {
    let service = address_book();
    for version in ["1.0", "2.0", "latest"] {
        let collection = format!("/api/{version}/settings");
        let item = service.create(&collection, &json!({"name": "one", "value": "1"}));
        assert_no_content(&service.put(&item, &json!({"value": "2"})));
        let id = service.read(&item)["id"].clone();
        let stored = json!({"id": id, "name": "one", "value": "2"});
        assert_eq!(service.read(&item), stored);
        assert_eq!(
            service.read(&collection),
            json!({"items": [stored], "totalItems": 1})
        );
        assert_no_content(&service.delete(&item));
        assert_error(&service.get(&item), 404, 10001);
    }
}
