//! Compressed responses.

use std::io::Read as _;

use flate2::read::GzDecoder;
use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{Answer, Service, address_book, apply, every_database};
use serde_json::json;

const PAGE: &str = "/api/1.0/settings?limit=100";

fn with_settings() -> Service {
    let service = Service::start(|database| {
        let builder = Api::builder().compression();
        builder.resource::<SettingOne>().build(database)
    });
    for number in 0..40 {
        let setting = json!({"name": format!("setting {number}"), "value": "v".repeat(40)});
        service.create("/api/1.0/settings", &setting);
    }
    service
}

fn get_with_encoding(service: &Service, path: &str, encoding: &str) -> Answer {
    let request = service.request("GET", path);
    request.header("accept-encoding", encoding).send()
}

#[apply(every_database)]
fn a_long_response_is_compressed_as_accept_encoding_says() {
    let service = with_settings();
    let plain = service.get(PAGE);
    assert_eq!(plain.header("content-encoding"), None);
    let gzip = get_with_encoding(&service, PAGE, "gzip");
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    assert_eq!(gzip.header("vary"), Some("Accept, Accept-Encoding"));
    assert!(gzip.body.len() * 4 < plain.body.len());
    let mut unpacked = Vec::new();
    GzDecoder::new(&*gzip.body)
        .read_to_end(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain.body);
    let brotli = get_with_encoding(&service, PAGE, "br");
    assert_eq!(brotli.header("content-encoding"), Some("br"));
    assert!(brotli.body.len() * 4 < plain.body.len());
    let other = get_with_encoding(&service, PAGE, "compress");
    assert_eq!(other.header("content-encoding"), None);
    assert_eq!(other.body, plain.body);
}

#[apply(every_database)]
fn head_has_the_headers_of_the_compressed_response() {
    let service = with_settings();
    let got = get_with_encoding(&service, PAGE, "gzip");
    let request = service.request("HEAD", PAGE);
    let told = request.header("accept-encoding", "gzip").send();
    assert_eq!((told.status, told.text()), (200, ""));
    for name in ["content-type", "content-encoding", "content-length", "vary"] {
        assert_eq!(told.header(name), got.header(name), "{name}");
    }
}

#[apply(every_database)]
fn a_short_response_is_not_compressed() {
    let service = with_settings();
    for path in ["/api/1.0/settings/1", "/api/1.0/settings/999", "/livez"] {
        let answer = get_with_encoding(&service, path, "gzip, br");
        assert_eq!(answer.header("content-encoding"), None, "{path}");
    }
}

#[apply(every_database)]
fn nothing_is_compressed_by_default() {
    let service = address_book();
    let answer = get_with_encoding(&service, "/api/1.0/openapi.json", "gzip, br");
    assert!(answer.body.len() > 1024);
    assert_eq!(answer.header("content-encoding"), None);
}

#[apply(every_database)]
fn a_response_without_an_acceptable_encoding_is_sent_uncompressed() {
    let service = with_settings();
    let plain = service.get(PAGE);
    for refused in ["*;q=0", "zstd, *;q=0", "identity;q=0"] {
        let answer = get_with_encoding(&service, PAGE, refused);
        assert_eq!(
            (answer.status, &answer.body),
            (200, &plain.body),
            "{refused}"
        );
    }
    let setting = json!({"name": "other", "value": ""}).to_string();
    let request = service.request("POST", "/api/1.0/settings").json(setting);
    let answer = request.header("accept-encoding", "zstd, *;q=0").send();
    assert_eq!(answer.status, 201, "the item was created");
}
