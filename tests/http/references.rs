//! References: their target must exist, and a referenced item cannot be deleted.

use resource_runtime::{Api, ApiResource};
use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(
    name = "Folder",
    url = "/folders",
    version = "1.0",
    subresource(parent = "parent_id")
)]
struct Folder {
    id: i64,
    #[resource(references = Folder, rename = "parentId", column = "parent")]
    parent_id: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Team",
    url = "/teams",
    version = "1.0",
    subresource(captain = "captain_id")
)]
struct Team {
    id: i64,
    #[resource(references = Player)]
    captain_id: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Player",
    url = "/players",
    version = "1.0",
    subresource(team = "team_id")
)]
struct Player {
    id: i64,
    #[resource(references = Team)]
    team_id: i64,
}

fn folders() -> Service {
    Service::start(|database| Api::builder().resource::<Folder>().build(database))
}

fn teams() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Team>()
            .resource::<Player>()
            .build(database)
    })
}

#[apply(every_database)]
fn a_reference_to_a_missing_item_is_400_10031_that_names_the_attribute() {
    let service = address_book();
    service.create("/api/1.0/addresses", &json!({"line1": "x"}));
    for id in [2, 0, -1, i64::MAX, i64::MIN] {
        let answer = service.post(
            "/api/1.0/persons",
            &json!({"bill_address_id": 1, "ship_address_id": id}),
        );
        assert_error(&answer, 400, 10031)
            .naming(&["`ship_address_id`"])
            .without("`bill_address_id`");
    }
    assert_eq!(service.read("/api/1.0/persons")["totalItems"], 0);
}

#[apply(every_database)]
fn updating_a_reference_to_a_missing_item_is_400_10031() {
    let service = address_book();
    let path = service.create("/api/1.0/persons", &json!({"first_name": "Ann"}));
    let answer = service.put(&path, &json!({"first_name": "Bob", "mail_address_id": 7}));
    assert_error(&answer, 400, 10031).naming(&["`mail_address_id`"]);
    assert_eq!(service.read(&path)["first_name"], "Ann");
}

#[apply(every_database)]
fn a_reference_to_a_deleted_item_is_400_10031() {
    let service = address_book();
    let address = service.create("/api/1.0/addresses", &json!({"line1": "x"}));
    assert_no_content(&service.delete(&address));
    let answer = service.post("/api/1.0/persons", &json!({"bill_address_id": 1}));
    assert_error(&answer, 400, 10031).naming(&["`bill_address_id`"]);
}

#[apply(every_database)]
fn a_resource_may_refer_to_itself() {
    let service = folders();
    service.create("/api/1.0/folders", &json!({}));
    service.create("/api/1.0/folders", &json!({"parentId": 1}));
    let answer = service.post("/api/1.0/folders", &json!({"parentId": 99}));
    assert_error(&answer, 400, 10031).naming(&["`parentId`"]);
    assert_error(&service.delete("/api/1.0/folders/1"), 400, 10020).naming(&["Folder"]);
    assert_no_content(&service.delete("/api/1.0/folders/2"));
    assert_no_content(&service.delete("/api/1.0/folders/1"));
}

#[apply(every_database)]
fn an_item_that_only_itself_references_can_be_deleted() {
    let service = folders();
    service.create("/api/1.0/folders", &json!({}));
    assert_no_content(&service.put("/api/1.0/folders/1", &json!({"parentId": 1})));
    assert_no_content(&service.delete("/api/1.0/folders/1"));
}

#[apply(every_database)]
fn two_resources_may_refer_to_each_other() {
    let service = teams();
    let team = service.create("/api/1.0/teams", &json!({}));
    let player = service.create("/api/1.0/players", &json!({"team_id": 1}));
    assert_no_content(&service.put(&team, &json!({"captain_id": 1})));
    assert_error(&service.delete(&team), 400, 10020).naming(&["Player"]);
    assert_error(&service.delete(&player), 400, 10020).naming(&["Team"]);
    assert_no_content(&service.put(&team, &json!({"captain_id": null})));
    assert_no_content(&service.delete(&player));
    assert_no_content(&service.delete(&team));
}

#[apply(every_database)]
fn a_referenced_item_cannot_be_deleted_through_another_version() {
    let service = address_book();
    service.create("/api/latest/addresses", &json!({"line1": "x"}));
    service.create("/api/1.0/persons", &json!({"ship_address_id": 1}));
    assert_error(&service.delete("/api/latest/addresses/1"), 400, 10020).naming(&["Person"]);
}
