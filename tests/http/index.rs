//! `GET <root>/<version>`: the index of the resources of a version.

use resource_runtime::Api;
use resource_tests::models::{Address, SettingOne, SettingTwo};
use resource_tests::{Service, address_book, apply, assert_error, every_database};
use serde_json::{Value, json};

fn collections(index: &Value) -> Vec<&str> {
    let resources = index["resources"].as_array().expect("a list of resources");
    let mut names: Vec<&str> = resources
        .iter()
        .map(|resource| resource["collection"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    names
}

#[apply(every_database)]
fn the_index_of_a_version_names_its_resources() {
    let service =
        Service::start(|database| Api::builder().resource::<SettingOne>().build(database));
    let url = format!("http://{}/api/1.0/settings", service.address());
    assert_eq!(
        service.read("/api/1.0"),
        json!({"version": "1.0", "resources": [{"name": "Setting", "collection": "settings", "url": url}]})
    );
}

#[apply(every_database)]
fn a_resource_is_listed_only_in_the_index_of_its_versions() {
    let service = address_book();
    assert_eq!(
        collections(&service.read("/api/1.0")),
        ["addresses", "persons", "settings"]
    );
    assert_eq!(collections(&service.read("/api/2.0")), ["settings"]);
}

#[apply(every_database)]
fn the_index_of_latest_names_every_collection_once() {
    let service = address_book();
    let index = service.read("/api/latest");
    assert_eq!(collections(&index), ["addresses", "persons", "settings"]);
    for resource in index["resources"].as_array().unwrap() {
        let url = resource["url"].as_str().unwrap();
        let path = url
            .strip_prefix(&format!("http://{}", service.address()))
            .expect("a URL of this server");
        assert_eq!(service.read(path), json!({"items": [], "totalItems": 0}));
    }
}

#[apply(every_database)]
fn the_index_is_served_below_the_configured_root() {
    let service = Service::start(|database| {
        Api::builder()
            .root("/rest")
            .resource::<SettingTwo>()
            .resource::<Address>()
            .build(database)
    });
    assert_eq!(collections(&service.read("/rest/2.0")), ["settings"]);
    assert_eq!(collections(&service.read("/rest/1.0")), ["addresses"]);
}

#[apply(every_database)]
fn the_index_of_an_unknown_version_is_404_10000() {
    let service = address_book();
    for path in ["/api/3.0", "/api/1", "/api/newest"] {
        println!("{path}");
        assert_error(&service.get(path), 404, 10000);
    }
}

#[apply(every_database)]
fn the_index_allows_only_get_and_head() {
    let service = address_book();
    let answer = service.post("/api/1.0", &json!({}));
    assert_error(&answer, 405, 10070);
    assert_eq!(answer.methods(), ["GET", "HEAD"]);
}
