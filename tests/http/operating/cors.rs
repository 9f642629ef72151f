//! CORS: allowed origins may read responses, all others get no CORS headers.

use resource_runtime::{Api, Dialect};
use resource_tests::models::SettingOne;
use resource_tests::{Answer, Service, apply, every_database, problems};

const SITE: &str = "https://app.example.org";
const SETTINGS: &str = "/api/1.0/settings";

fn with_origins(origins: &'static [&'static str]) -> Service {
    Service::start(move |database| {
        let builder = Api::builder().cors(origins.iter().copied());
        builder.resource::<SettingOne>().build(database)
    })
}

fn send_from(service: &Service, origin: &str, method: &str, path: &str) -> Answer {
    let request = service.request(method, path).header("origin", origin);
    request
        .header("access-control-request-method", "PUT")
        .header("access-control-request-headers", "authorization")
        .send()
}

fn varies_by_origin(answer: &Answer) -> bool {
    let values = answer.headers.get_all("vary").iter();
    let mut values = values.map(|value| value.to_str().unwrap().to_ascii_lowercase());
    values.any(|value| value.contains("origin"))
}

fn listed<'answer>(answer: &'answer Answer, name: &str) -> Vec<&'answer str> {
    let value = answer.header(name).unwrap_or_default();
    value.split(',').map(str::trim).collect()
}

#[apply(every_database)]
fn an_allowed_origin_may_read_responses_and_errors() {
    let service = with_origins(&["https://other.example.org", SITE]);
    for path in [SETTINGS, "/api/1.0/settings/7", "/nothing", "/livez"] {
        let answer = send_from(&service, SITE, "GET", path);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            Some(SITE),
            "{path}"
        );
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        let exposed = listed(&answer, "access-control-expose-headers");
        assert_eq!(
            exposed,
            [
                "location",
                "content-location",
                "accept-patch",
                "preference-applied",
                "idempotent-replayed",
                "etag",
                "link",
                "deprecation",
                "sunset",
                "retry-after",
                "www-authenticate",
                "x-request-id"
            ]
        );
        assert!(varies_by_origin(&answer), "{answer:?}");
    }
}

#[apply(every_database)]
fn a_preflight_gets_the_allowed_methods_and_headers() {
    let service = with_origins(&[SITE]);
    let answer = send_from(&service, SITE, "OPTIONS", SETTINGS);
    assert_eq!(answer.status, 204);
    assert_eq!(answer.methods(), ["GET", "HEAD", "POST"]);
    assert_eq!(answer.header("access-control-allow-origin"), Some(SITE));
    assert_eq!(answer.header("access-control-max-age"), Some("600"));
    let methods = listed(&answer, "access-control-allow-methods");
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        assert!(methods.contains(&method), "{methods:?}");
    }
    let sent = listed(&answer, "access-control-allow-headers");
    for header in [
        "authorization",
        "content-type",
        "if-match",
        "if-none-match",
        "prefer",
        "idempotency-key",
    ] {
        assert!(sent.contains(&header), "{sent:?}");
    }
}

#[apply(every_database)]
fn an_origin_that_is_not_allowed_gets_no_cors_headers() {
    let service = with_origins(&[SITE]);
    for origin in [
        "https://evil.example",
        "https://app.example.org.evil.example",
        "null",
    ] {
        for method in ["GET", "OPTIONS"] {
            let answer = send_from(&service, origin, method, SETTINGS);
            assert_eq!(
                answer.header("access-control-allow-origin"),
                None,
                "{origin}"
            );
            assert!(varies_by_origin(&answer));
        }
    }
}

#[apply(every_database)]
fn an_asterisk_allows_every_origin() {
    let service = with_origins(&["*"]);
    let answer = send_from(&service, "https://anybody.example", "GET", SETTINGS);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn an_invalid_origin_is_a_build_error() {
    let builder = Api::builder().cors([SITE, "https://app.example.org/", "app"]);
    let builder = builder.resource::<SettingOne>();
    let error = builder.schema_sql(Dialect::Sqlite).unwrap_err();
    let problems = problems(&error);
    let named = problems.iter();
    let named: Vec<&str> = named
        .map(|mistake| mistake.split('`').nth(1).unwrap())
        .collect();
    assert_eq!(named, ["https://app.example.org/", "app"]);
}
