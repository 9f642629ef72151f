//! Versions of one collection share one table, unless `table` says otherwise.

use resource_runtime::{Api, ApiResource};
use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Task", url = "/tasks", version = "1.0")]
struct TaskOne {
    id: i64,
    title: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Task", url = "/tasks", version = "2.0")]
struct TaskTwo {
    id: i64,
    #[resource(rename = "headline")]
    title: String,
    owner: Option<String>,
    #[resource(default = 3)]
    priority: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Task", url = "/tasks", version = "3.0", table = "new_tasks")]
struct TaskThree {
    id: i64,
    title: String,
}

fn tasks() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<TaskOne>()
            .resource::<TaskTwo>()
            .resource::<TaskThree>()
            .build(database)
    })
}

#[apply(every_database)]
fn an_item_of_one_version_is_an_item_of_the_others() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "one", "value": "1"}));
    service.create("/api/2.0/settings", &json!({"name": "two", "value": "2"}));
    let page = service.read("/api/1.0/settings");
    assert_eq!(page["totalItems"], 2);
    assert_eq!(service.read("/api/2.0/settings"), page);
    assert_eq!(service.read("/api/latest/settings"), page);
}

#[apply(every_database)]
fn a_change_through_one_version_is_seen_through_the_others() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "one", "value": "1"}));
    assert_no_content(&service.put("/api/2.0/settings/1", &json!({"name": "renamed"})));
    assert_eq!(service.read("/api/1.0/settings/1")["name"], "renamed");
    assert_no_content(&service.delete("/api/1.0/settings/1"));
    assert_error(&service.get("/api/2.0/settings/1"), 404, 10001);
}

#[apply(every_database)]
fn a_name_is_unique_across_the_versions() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "one", "value": "1"}));
    let answer = service.post("/api/2.0/settings", &json!({"name": "one", "value": "2"}));
    assert_error(&answer, 400, 10030).naming(&["name"]);
}

#[apply(every_database)]
fn an_item_that_is_too_long_for_an_old_version_can_still_be_read_and_changed_there() {
    let service = address_book();
    let long = "n".repeat(80);
    service.create("/api/2.0/settings", &json!({"name": long, "value": "1"}));
    assert_no_content(&service.put("/api/1.0/settings/1", &json!({"value": "2"})));
    assert_eq!(
        service.read("/api/1.0/settings/1"),
        json!({"id": 1, "name": long, "value": "2"})
    );
}

#[apply(every_database)]
fn each_version_shows_its_own_attributes_of_the_shared_table() {
    let service = tasks();
    service.create(
        "/api/2.0/tasks",
        &json!({"headline": "paint", "owner": "Ann", "priority": 7}),
    );
    assert_eq!(
        service.read("/api/1.0/tasks/1"),
        json!({"id": 1, "title": "paint"})
    );
    assert_eq!(
        service.read("/api/2.0/tasks/1"),
        json!({"id": 1, "headline": "paint", "owner": "Ann", "priority": 7})
    );
}

#[apply(every_database)]
fn an_old_version_creates_items_without_the_attributes_of_a_newer_one() {
    let service = tasks();
    service.create("/api/1.0/tasks", &json!({"title": "paint"}));
    assert_eq!(
        service.read("/api/2.0/tasks/1"),
        json!({"id": 1, "headline": "paint", "owner": null, "priority": 3})
    );
}

#[apply(every_database)]
fn a_change_through_an_old_version_leaves_the_newer_attributes_alone() {
    let service = tasks();
    service.create(
        "/api/2.0/tasks",
        &json!({"headline": "paint", "owner": "Ann", "priority": 7}),
    );
    assert_no_content(&service.put("/api/1.0/tasks/1", &json!({"title": "draw"})));
    assert_eq!(
        service.read("/api/2.0/tasks/1"),
        json!({"id": 1, "headline": "draw", "owner": "Ann", "priority": 7})
    );
}

#[apply(every_database)]
fn a_version_with_a_table_of_its_own_has_its_own_items() {
    let service = tasks();
    service.create("/api/1.0/tasks", &json!({"title": "old"}));
    assert_eq!(
        service.read("/api/3.0/tasks"),
        json!({"items": [], "totalItems": 0})
    );
    service.create("/api/latest/tasks", &json!({"title": "new"}));
    assert_eq!(
        service.read("/api/3.0/tasks/1"),
        json!({"id": 1, "title": "new"})
    );
    assert_eq!(
        service.read("/api/1.0/tasks/1"),
        json!({"id": 1, "title": "old"})
    );
}
