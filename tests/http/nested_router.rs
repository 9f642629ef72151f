//! A router that is nested under a prefix with a parameter: every URL keeps the prefix.

use axum::Router;
use resource_runtime::Api;
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};
use resource_tests::{Answer, Service, apply, assert_error, assert_no_content, every_database};
use serde_json::json;

const SETTINGS: &str = "/t/acme/api/1.0/settings";

fn tenants() -> Service {
    Service::start_wrapped(
        |database| {
            Api::builder()
                .resource::<SettingOne>()
                .resource::<SettingTwo>()
                .resource::<Address>()
                .resource::<Person>()
                .build(database)
        },
        |app| Router::new().nest("/t/{tenant}", app),
    )
}

#[apply(every_database)]
fn an_item_is_read_changed_and_deleted_at_its_location() {
    let service = tenants();
    let location = service.create(SETTINGS, &json!({"name": "a", "value": "b"}));
    assert_eq!(location, "/t/acme/api/1.0/settings/1");
    assert_eq!(
        service.read(&location),
        json!({"id": 1, "name": "a", "value": "b"})
    );
    assert_no_content(&service.put(&location, &json!({"value": "c"})));
    assert_eq!(
        service.read(SETTINGS),
        json!({"items": [{"id": 1, "name": "a", "value": "c"}], "totalItems": 1})
    );
    assert_no_content(&service.delete(&location));
    assert_error(&service.get(&location), 404, 10001);
}

#[apply(every_database)]
fn a_location_keeps_the_prefix_and_the_version_as_the_client_wrote_them() {
    let service = tenants();
    for (number, prefix) in ["/t/acme", "/t/a%20b", "/t/%C3%A4", "/t/api", "/t/1"]
        .into_iter()
        .enumerate()
    {
        let path = format!("{prefix}/api/latest/settings");
        let location = service.create(&path, &json!({"name": prefix, "value": "v"}));
        assert_eq!(location, format!("{path}/{}", number + 1));
        assert_eq!(service.read(&location)["name"], prefix);
    }
}

#[apply(every_database)]
fn the_index_lists_urls_with_the_prefix() {
    let service = tenants();
    let server = format!("http://{}", service.address());
    let index = service.read("/t/acme/api/1.0");
    let resources = index["resources"].as_array().expect("resources");
    assert_eq!(resources.len(), 3, "{index}");
    for resource in resources {
        let collection = resource["collection"].as_str().expect("a collection");
        let path = format!("/t/acme/api/1.0/{collection}");
        assert_eq!(resource["url"], format!("{server}{path}"));
        assert_eq!(service.read(&path)["totalItems"], 0);
    }
}

#[apply(every_database)]
fn error_details_link_to_a_page_under_the_prefix() {
    let service = tenants();
    let server = format!("http://{}", service.address());
    let errors: [(Answer, u16, u16); 5] = [
        (service.get(&format!("{SETTINGS}/7")), 404, 10001),
        (service.get(&format!("{SETTINGS}/abc")), 404, 10001),
        (service.get("/t/acme/api/1.0/nothing"), 404, 10000),
        (service.post(SETTINGS, &json!({})), 400, 10010),
        (service.delete(SETTINGS), 405, 10070),
    ];
    for (answer, status, code) in errors {
        assert_error(&answer, status, code);
        let details = answer.json()["error_details"].clone();
        let path = format!("/t/acme/errors/{code}");
        assert_eq!(details, format!("{server}{path}"));
        let page = service.get(&path);
        assert_eq!(page.status, 200, "{}", page.text());
        assert!(page.text().contains(&code.to_string()), "{}", page.text());
    }
}

#[apply(every_database)]
fn a_path_below_the_prefix_and_outside_the_pattern_is_404_10000() {
    let service = tenants();
    for path in [
        "/t/acme/api",
        "/t/acme/api/",
        "/t/acme/apix/1.0/settings",
        "/t/acme/1.0/settings",
        "/t/acme/api/1.0/settings/",
        "/t/acme/api/1.0/settings/1/value",
    ] {
        println!("{path}");
        assert_error(&service.get(path), 404, 10000);
    }
}

#[apply(every_database)]
fn the_openapi_document_has_the_prefix_as_its_server() {
    let service = tenants();
    for tenant in ["acme", "other", "acme"] {
        let prefix = format!("/t/{tenant}");
        let document = service.read(&format!("{prefix}/api/1.0/openapi.json"));
        assert_eq!(document["servers"], json!([{ "url": prefix }]));
        let described = &document["paths"]["/api/1.0"]["get"]["responses"]["200"]["headers"];
        let index = service.get(&format!("{prefix}/api/1.0"));
        assert_eq!(described["Link"]["example"], *index.header("link").unwrap());
    }
}
