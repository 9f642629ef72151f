//! Other sites: which may read answers, and of those that may not nobody hears.

use resource_runtime::{Api, Dialect};
use resource_tests::models::SettingOne;
use resource_tests::{Answer, Service, apply, every_database, problems};

const SITE: &str = "https://app.example.org";
const SETTINGS: &str = "/api/1.0/settings";

fn readable_by(origins: &'static [&'static str]) -> Service {
    Service::start(move |database| {
        let builder = Api::builder().cors(origins.iter().copied());
        builder.resource::<SettingOne>().build(database)
    })
}

fn from(service: &Service, origin: &str, method: &str, path: &str) -> Answer {
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
fn a_site_that_may_reads_answers_and_errors() {
    let service = readable_by(&["https://other.example.org", SITE]);
    for path in [SETTINGS, "/api/1.0/settings/7", "/nothing", "/livez"] {
        let answer = from(&service, SITE, "GET", path);
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
                "etag",
                "link",
                "retry-after",
                "www-authenticate",
                "x-request-id"
            ]
        );
        assert!(varies_by_origin(&answer), "{answer:?}");
    }
}

#[apply(every_database)]
fn a_browser_that_asks_before_it_sends_is_told_what_it_may() {
    let service = readable_by(&[SITE]);
    let answer = from(&service, SITE, "OPTIONS", SETTINGS);
    assert_eq!(answer.status, 204);
    assert_eq!(answer.methods(), ["GET", "HEAD", "POST"]);
    assert_eq!(answer.header("access-control-allow-origin"), Some(SITE));
    assert_eq!(answer.header("access-control-max-age"), Some("600"));
    let methods = listed(&answer, "access-control-allow-methods");
    for method in ["GET", "POST", "PUT", "DELETE"] {
        assert!(methods.contains(&method), "{methods:?}");
    }
    let sent = listed(&answer, "access-control-allow-headers");
    for header in ["authorization", "content-type"] {
        assert!(sent.contains(&header), "{sent:?}");
    }
}

#[apply(every_database)]
fn a_site_that_may_not_is_told_nothing() {
    let service = readable_by(&[SITE]);
    for origin in [
        "https://evil.example",
        "https://app.example.org.evil.example",
        "null",
    ] {
        for method in ["GET", "OPTIONS"] {
            let answer = from(&service, origin, method, SETTINGS);
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
fn every_site_may_where_that_is_wanted() {
    let service = readable_by(&["*"]);
    let answer = from(&service, "https://anybody.example", "GET", SETTINGS);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn what_no_browser_sends_is_a_mistake() {
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
