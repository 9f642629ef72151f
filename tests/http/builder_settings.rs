//! Settings of the builder, and the router within a router of the host.

use axum::Router;
use axum::routing::get;
use resource_runtime::{Api, ApiResource};
use resource_tests::models::{Address, SettingOne};
use resource_tests::{Service, apply, assert_error, every_database};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(
    name = "City",
    url = "/cities-of_the-World",
    version = "12.34",
    table = "towns"
)]
struct City {
    id: i64,
    name: Option<String>,
}

#[apply(every_database)]
fn the_root_can_be_set() {
    let service = Service::start(|database| {
        Api::builder()
            .root("/rest/v")
            .resource::<SettingOne>()
            .build(database)
    });
    let body = json!({"name": "a", "value": "b"});
    assert_eq!(
        service.create("/rest/v/latest/settings", &body),
        "/rest/v/latest/settings/1"
    );
    assert_eq!(service.read("/rest/v/1.0/settings/1")["name"], "a");
    assert_error(&service.get("/api/1.0/settings/1"), 404, 10000);
}

#[apply(every_database)]
fn unknown_query_parameters_can_be_ignored() {
    let service = Service::start(|database| {
        Api::builder()
            .ignore_unknown_parameters()
            .resource::<SettingOne>()
            .build(database)
    });
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_eq!(
        service.read("/api/1.0/settings?colour=red&limt=0&limit=1")["items"][0]["id"],
        1
    );
    assert_eq!(service.read("/api/1.0/settings/1?colour=red")["id"], 1);
    assert_error(
        &service.get("/api/1.0/settings?limit=x&colour=red"),
        400,
        10063,
    );
}

#[apply(every_database)]
fn the_url_and_version_of_a_resource_are_used_verbatim() {
    let service = Service::start(|database| Api::builder().resource::<City>().build(database));
    let path = service.create("/api/12.34/cities-of_the-World", &json!({"name": "Ely"}));
    assert_eq!(path, "/api/12.34/cities-of_the-World/1");
    assert_eq!(
        service.read("/api/latest/cities-of_the-World/1")["name"],
        "Ely"
    );
    let mut other = service.database().other_program();
    assert_eq!(other.text("SELECT name FROM towns"), "Ely");
}

#[apply(every_database)]
fn the_router_merges_with_routes_of_the_host() {
    let service = Service::start_wrapped(
        |database| Api::builder().resource::<SettingOne>().build(database),
        |app| {
            app.merge(Router::new().route(
                "/health",
                get(|| async {
                    let promised = [
                        ("x-request-id", "own"),
                        ("x-content-type-options", "nosniff"),
                        ("vary", "Accept"),
                        ("cache-control", "no-store"),
                    ];
                    (promised, "fine")
                }),
            ))
        },
    );
    assert_eq!(service.get("/health").text(), "fine");
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn the_router_nests_under_a_prefix() {
    let service = Service::start_wrapped(
        |database| Api::builder().resource::<SettingOne>().build(database),
        |app| Router::new().nest("/inner", app),
    );
    let location = service.create(
        "/inner/api/1.0/settings",
        &json!({"name": "a", "value": "b"}),
    );
    assert_eq!(service.read(&location)["name"], "a");
}

#[apply(every_database)]
fn two_apis_in_one_process_are_independent() {
    let first = Service::start(|database| Api::builder().resource::<Address>().build(database));
    let second = Service::start(|database| Api::builder().resource::<Address>().build(database));
    first.create("/api/1.0/addresses", &json!({"line1": "x"}));
    assert_eq!(second.read("/api/1.0/addresses")["totalItems"], 0);
}
