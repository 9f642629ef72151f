//! Long lists as clients receive them.

use std::io::Read as _;

use flate2::read::GzDecoder;
use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{Answer, Service, apply, every_database, raw, responses_differ};
use serde_json::{Value, json};

use super::{SETTINGS, settings, single_connection, with_settings};

fn ids(page: &Value) -> Vec<i64> {
    let items = page["items"].as_array().expect("items");
    let ids = items.iter().map(|item| item["id"].as_i64().expect("an id"));
    ids.collect()
}

#[track_caller]
fn assert_chunked(answer: &Answer) {
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("content-length"), None);
    assert_eq!(answer.header("transfer-encoding"), Some("chunked"));
}

#[track_caller]
fn assert_with_length(answer: &Answer) {
    assert_eq!(answer.status, 200);
    let length = answer.body.len().to_string();
    assert_eq!(answer.header("content-length"), Some(length.as_str()));
    assert_eq!(answer.header("transfer-encoding"), None);
}

/// Without a length, an HTTP/1.0 client could not tell a complete body from an aborted connection.
#[apply(every_database)]
fn a_list_over_http_1_0_has_a_content_length() {
    let service = Service::start_on(&with_settings(300, 1000), settings);
    let head = format!("GET {SETTINGS}?limit=300 HTTP/1.0");
    let answer = raw::send(service.address(), &[&head, "Host: a"], b"");
    assert!(answer.body.len() > 300_000);
    assert_with_length(&answer);
}

#[apply(every_database)]
fn a_long_list_is_chunked_and_complete() {
    let service = Service::start_on(&with_settings(300, 1000), settings);
    for (page, expected) in [
        ("limit=1000", 1..=300),
        ("limit=300", 1..=300),
        ("limit=200", 1..=200),
        ("limit=200&offset=150", 151..=300),
        ("limit=100&order=desc(id)&offset=200", 1..=100),
    ] {
        println!("{page}");
        let answer = service.get(&format!("{SETTINGS}?{page}"));
        assert_chunked(&answer);
        let page = answer.json();
        let mut read = ids(&page);
        read.sort_unstable();
        assert_eq!(read, expected.collect::<Vec<_>>());
        assert_eq!(page["totalItems"], 300);
        let first = json!({"id": read[0], "name": read[0].to_string(), "value": "v".repeat(1000)});
        let items = page["items"].as_array().expect("items");
        assert!(items.contains(&first));
    }
}

/// The head of a streamed page is sent before the last row is read; a page that is read backward is not streamed.
#[apply(every_database)]
fn a_long_page_by_cursor_links_to_what_is_known_at_its_beginning() {
    let service = Service::start_on(&with_settings(300, 1000), settings);
    let list = format!("{SETTINGS}?limit=100&cursor=");
    let first = service.get(&format!("{list}start"));
    assert_chunked(&first);
    let link = format!("<{list}start>; rel=\"first\"");
    assert_eq!(first.header("link"), Some(&*link));
    let next = first.ok()["next"].as_str().expect("a cursor").to_owned();
    let second = service.get(&format!("{list}{next}"));
    assert_chunked(&second);
    assert!(ids(&second.ok()).into_iter().eq(101..=200));
    let links = second.header("link").expect("links");
    let prev = links
        .strip_prefix(&format!("{link}, <"))
        .and_then(|it| it.strip_suffix(">; rel=\"prev\""));
    let before = service.get(prev.expect("a link to the page before"));
    assert_with_length(&before);
    assert_eq!(
        before.ok(),
        json!({"items": first.ok()["items"], "totalItems": 300, "next": before.ok()["next"]})
    );
    assert_eq!(
        before.header("link"),
        Some(&*format!(
            "{link}, <{list}{}>; rel=\"next\"",
            before.ok()["next"].as_str().expect("a cursor")
        ))
    );
}

#[apply(every_database)]
fn a_list_of_few_long_items_is_chunked() {
    let service = Service::start_on(&with_settings(3, 100_000), settings);
    let answer = service.get(SETTINGS);
    assert_chunked(&answer);
    assert_eq!(ids(&answer.json()), [1, 2, 3]);
    assert_chunked(&service.get(&format!("{SETTINGS}?limit=1")));
}

#[apply(every_database)]
fn a_list_of_less_than_64_kib_has_a_content_length() {
    let service = Service::start_on(&with_settings(300, 1000), settings);
    for page in [
        "limit=60",
        "limit=10",
        "limit=0",
        "offset=300",
        "offset=290",
    ] {
        println!("{page}");
        assert_with_length(&service.get(&format!("{SETTINGS}?{page}")));
    }
    assert_chunked(&service.get(&format!("{SETTINGS}?limit=70")));
    assert_with_length(&service.get(&format!("{SETTINGS}?limit=70&fields=id,name")));
}

#[apply(every_database)]
fn a_long_list_is_compressed_while_it_is_sent() {
    let service = Service::start_on(&with_settings(300, 1000), |database| {
        let builder = Api::builder().compression();
        builder.resource::<SettingOne>().build(database)
    });
    let path = format!("{SETTINGS}?limit=200");
    let plain = service.get(&path);
    assert_chunked(&plain);
    let asked = service.request("GET", &path);
    let gzip = asked.header("accept-encoding", "gzip").send();
    assert_chunked(&gzip);
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    let mut unpacked = Vec::new();
    GzDecoder::new(&*gzip.body)
        .read_to_end(&mut unpacked)
        .unwrap();
    assert!(unpacked == plain.body);
    responses_differ(
        "the compressor flushes while it waits for more rows, so sizes of chunks vary",
    );
}

#[apply(every_database)]
fn head_of_a_long_list_has_no_length_and_holds_no_database_connection() {
    let service = Service::start_with(&with_settings(300, 1000), single_connection(), settings);
    for _ in 0..3 {
        let answer = service.request("HEAD", &format!("{SETTINGS}?limit=200"));
        let answer = answer.send();
        assert_eq!((answer.status, answer.text()), (200, ""));
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("content-length"), None);
        assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
    }
}
