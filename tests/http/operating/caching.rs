//! Caching: `Cache-Control` and `Vary` keep caches from serving stale or mismatched responses.

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{Answer, Service, address_book, apply, every_database, responses_differ};
use serde_json::json;

const SETTINGS: &str = "/api/1.0/settings";

/// A response of each kind that a service without authorization gives.
fn responses_of_each_kind(service: &Service) -> Vec<(u16, Answer)> {
    let setting = json!({"name": "theme", "value": "dark"});
    let created = service.post(SETTINGS, &setting);
    let item = created.header("location").unwrap().to_owned();
    let ask = |method, path: &str| service.request(method, path);
    let problem = ask("GET", "/api/1.0/settings/7").header("accept", "application/problem+json");
    let unacceptable = ask("GET", SETTINGS).header("accept", "text/html");
    let text = ask("POST", SETTINGS).header("content-type", "text/plain");
    vec![
        (200, service.get(&item)),
        (200, service.get(SETTINGS)),
        (200, ask("HEAD", &item).send()),
        (200, ask("HEAD", SETTINGS).send()),
        (201, created),
        (204, service.put(&item, &json!({"value": "light"}))),
        (204, ask("OPTIONS", SETTINGS).send()),
        (400, service.get("/api/1.0/settings?limit=x")),
        (400, service.post(SETTINGS, &setting)),
        (404, service.get("/api/1.0/settings/7")),
        (404, problem.send()),
        (404, service.get("/api/9.9/settings")),
        (405, ask("PATCH", SETTINGS).send()),
        (406, unacceptable.send()),
        (413, ask("POST", SETTINGS).json(vec![b' '; 2 << 20]).send()),
        (415, text.body("x").send()),
        (204, service.delete(&item)),
        (200, service.get("/api/1.0")),
        (200, service.get("/api/1.0/openapi.json")),
        (200, service.get("/api/latest/openapi-3.0.json")),
        (200, service.get("/docs")),
        (200, service.get("/docs/1.0")),
        (200, service.get("/errors")),
        (200, service.get("/errors/10001")),
        (404, service.get("/errors/1")),
    ]
}

/// The values of a header, each as it was sent.
fn values<'answer>(answer: &'answer Answer, name: &str) -> Vec<&'answer str> {
    let values = answer.headers.get_all(name).iter();
    values.map(|value| value.to_str().unwrap()).collect()
}

#[track_caller]
fn assert_private_and_varying(service: &Service, vary: &str) {
    for (status, answer) in responses_of_each_kind(service) {
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(values(&answer, "vary"), [vary], "{answer:?}");
        let told = values(&answer, "cache-control");
        assert_eq!(told, ["private, no-cache"], "{answer:?}");
    }
}

#[apply(every_database)]
fn responses_are_private_no_cache_and_vary_by_accept() {
    assert_private_and_varying(&address_book(), "Accept");
}

#[apply(every_database)]
fn vary_follows_compression_and_cors() {
    let start = |set: fn(resource_runtime::ApiBuilder) -> resource_runtime::ApiBuilder| {
        Service::start(move |database| {
            let builder = set(Api::builder()).resource::<SettingOne>();
            builder.build(database)
        })
    };
    let compressed = start(resource_runtime::ApiBuilder::compression);
    assert_private_and_varying(&compressed, "Accept, Accept-Encoding");
    let readable = start(|it| it.cors(["https://app.example.org"]));
    assert_private_and_varying(&readable, "Accept, Origin");
    let by_all = start(|it| it.cors(["*"]));
    assert_private_and_varying(&by_all, "Accept");
    let both = start(|it| it.compression().cors(["https://app.example.org"]));
    assert_private_and_varying(&both, "Accept, Accept-Encoding, Origin");
}

#[apply(every_database)]
fn a_500_is_private_no_cache() {
    let service = address_book();
    service
        .database()
        .other_program()
        .execute("DROP TABLE settings");
    let failed = service.get(SETTINGS);
    assert_eq!(failed.status, 500);
    assert_eq!(values(&failed, "vary"), ["Accept"]);
    assert_eq!(values(&failed, "cache-control"), ["private, no-cache"]);
}

/// Health and metrics may change at any moment; the assets of pages never change.
#[apply(every_database)]
fn health_and_metrics_are_no_store_and_assets_are_immutable() {
    responses_differ("durations are measured");
    let service = Service::start(|database| {
        let builder = Api::builder().metrics().resource::<SettingOne>();
        builder.build(database)
    });
    let asset = service.get("/docs/assets/start.js");
    let tag = asset.header("etag").unwrap().to_owned();
    let again = service.request("GET", "/docs/assets/start.js");
    let again = again.header("if-none-match", tag).send();
    assert_eq!(again.status, 304);
    let forever = "public, max-age=31536000, immutable";
    for (answer, kept) in [
        (service.get("/livez"), "no-store"),
        (service.get("/readyz"), "no-store"),
        (service.get("/metrics"), "no-store"),
        (asset, forever),
        (again, forever),
    ] {
        assert_eq!(values(&answer, "cache-control"), [kept], "{answer:?}");
        assert_eq!(values(&answer, "vary"), ["Accept"], "{answer:?}");
    }
}
