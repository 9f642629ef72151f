//! Lists in other formats than a page of JSON: NDJSON and CSV, by `format` and by `Accept`, and all items by `limit=all`.

use resource_runtime::{Api, ApiResource, Item, RequestContext, Validator};
use resource_tests::lines::{assert_csv, assert_formats_agree, assert_ndjson};
use resource_tests::models::Address;
use resource_tests::{
    Service, StreamedResponse, address_book, apply, assert_error, every_database, raw,
    responses_differ,
};
use serde_json::json;

const PERSONS: &str = "/api/1.0/persons";
const CSV: &str = "text/csv; charset=utf-8; header=present";

/// Texts that a naive writer breaks.
const TEXTS: [&str; 12] = [
    "=HYPERLINK(1)",
    "",
    "a,b",
    "\"",
    "\"\"",
    "a\r\nb",
    "\r",
    "\n",
    "\tx",
    "+1\"",
    " a ",
    "'=1",
];

fn with_persons() -> Service {
    let service = address_book();
    service.create(
        "/api/1.0/addresses",
        &json!({"line1": "-x", "city": "a,\"b\""}),
    );
    for (index, text) in TEXTS.iter().enumerate() {
        let address = (index % 3 == 1).then_some(1);
        let reversed = TEXTS[TEXTS.len() - 1 - index];
        let last = (index % 2 == 0).then_some(reversed);
        let body = json!({"first_name": text, "last_name": last, "bill_address_id": address});
        service.create(PERSONS, &body);
    }
    service
}

#[apply(every_database)]
fn lists_have_the_same_items_in_every_format() {
    let service = with_persons();
    for query in [
        "?limit=100",
        "?limit=5&offset=3&order=desc(last_name)",
        "?fields=id,first_name,bill_address(city),ship_address",
        "?fields=bill_address,mail_address(id)&limit=100",
        "?filter=eq(bill_address.city,null)&fields=last_name,id",
        "?filter=eq(id,-1)",
        "?limit=0",
        "?offset=100",
    ] {
        println!("{query}");
        assert_formats_agree(&service, &format!("{PERSONS}{query}"));
    }
}

#[apply(every_database)]
fn a_line_of_csv_is_what_the_guide_shows() {
    let service = with_persons();
    let query = "?fields=id,first_name,bill_address(city)&limit=2&format=csv";
    let answer = service.get(&format!("{PERSONS}{query}"));
    let text =
        "id,first_name,bill_address.city\r\n1,\"'=HYPERLINK(1)\",\r\n2,\"\",\"a,\"\"b\"\"\"\r\n";
    assert_eq!(answer.text(), text);
    assert_eq!(answer.header("content-disposition"), Some("attachment"));
    assert_eq!(
        answer.header("content-length"),
        Some(&*text.len().to_string())
    );
    let head = service.request("HEAD", &format!("{PERSONS}{query}")).send();
    assert_eq!(head.header("content-type"), Some(CSV));
    assert!(head.body.is_empty());
}

#[apply(every_database)]
fn accept_chooses_the_format_and_the_parameter_wins() {
    let service = with_persons();
    let ask = |accept: &str, query: &str| {
        let path = format!("{PERSONS}{query}");
        let answer = service
            .request("GET", &path)
            .header("accept", accept)
            .send();
        assert_eq!(answer.status, 200, "{answer:?}");
        let content_type = answer.header("content-type").unwrap();
        let is_attachment = answer.header("content-disposition").is_some();
        (content_type.to_owned(), is_attachment)
    };
    for (accept, query, content_type) in [
        ("text/csv", "", CSV),
        (
            "application/x-ndjson, */*;q=0.5",
            "",
            "application/x-ndjson",
        ),
        ("*/*", "", "application/json"),
        ("text/csv, application/json", "", "application/json"),
        ("text/csv", "?format=json", "application/json"),
        ("text/html", "?format=ndjson", "application/x-ndjson"),
        ("text/csv", "?format=", CSV),
    ] {
        assert_eq!(
            ask(accept, query),
            (content_type.to_owned(), false),
            "{accept}"
        );
    }
    assert_eq!(
        ask("application/json", "?format=csv"),
        (CSV.to_owned(), true)
    );
    // An item and a creation know no other format.
    let item = format!("{PERSONS}/1");
    let item = service.request("GET", &item).header("accept", "text/csv");
    assert_error(&item.send(), 406, 10071);
}

#[apply(every_database)]
fn errors_stay_json_whatever_the_format() {
    let service = with_persons();
    let refused = |query: &str, code| {
        let path = format!("{PERSONS}{query}");
        let answer = service
            .request("GET", &path)
            .header("accept", "text/csv")
            .send();
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_error(&answer, 400, code)
    };
    refused("?format=xml", 10064).naming(&["`json`, `ndjson` or `csv`", "not `xml`"]);
    refused("?format=ndjsn", 10064).naming(&["did you mean `ndjson`?"]);
    refused("?format=CSV", 10064).naming(&["did you mean `csv`?"]);
    refused("?formt=csv", 10064).naming(&["did you mean `format`?"]);
    refused("?order=id", 10061);
    // Only a resource that declares it lists all items.
    refused("?limit=all", 10063).naming(&["from 0 to 1000, not `all`"]);
    for cursor in ["cursor=start", "cursor=x"] {
        refused(&format!("?{cursor}"), 10063).naming(&["pages of JSON"]);
        let path = format!("{PERSONS}?{cursor}&format=ndjson");
        assert_error(&service.get(&path), 400, 10063);
    }
    // Where `count` is not declared, it is no parameter of any format.
    refused("?count=none", 10064);
    let path = format!("{PERSONS}/1?format=csv");
    assert_error(&service.get(&path), 400, 10064).naming(&["no parameter `format`"]);
}

/// A reading of a sensor, of which all may be listed at once.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Reading",
    url = "/readings",
    version = "1.0",
    limit(default = 1000, max = 5000, all),
    count(none),
    redacts(secret),
    subresource(place = "place_id")
)]
struct Reading {
    #[resource(assigned, max_length = 40)]
    id: String,
    secret: Option<String>,
    #[resource(references = Address)]
    place_id: Option<i64>,
}

/// Hides some of the secrets, and fails at one reading, as it hides what it has not declared.
struct Discreet;

impl Validator<Reading> for Discreet {
    fn format(&self, reading: &mut Item<Reading>, _: &RequestContext) {
        if reading.id.ends_with(['0', '3', '6', '9']) {
            reading.clear(Reading::SECRET);
        }
        if reading.id == "failing" {
            reading.clear(Reading::PLACE_ID);
        }
    }
}

const READINGS: &str = "/api/1.0/readings";

/// A service with 2,500 readings, whose keys are in no order of their creation.
fn with_readings() -> Service {
    let service = Service::start(|database| {
        let builder = Api::builder().resource::<Address>();
        builder.resource_with::<Reading>(Discreet).build(database)
    });
    service.create("/api/1.0/addresses", &json!({"line1": "1 High Street"}));
    service.database().other_program().execute(
        "INSERT INTO readings (id, secret, place_id)
         WITH RECURSIVE numbers(number) AS
             (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)
         SELECT number * 7919 % 2503, 's' || number, CASE WHEN number % 2 = 0 THEN 1 END FROM numbers",
    );
    service
}

#[apply(every_database)]
fn all_items_are_listed_by_key_once_each_with_their_hook() {
    let service = with_readings();
    for query in [
        "?",
        "?fields=secret,place(line1)&",
        "?filter=eq(place_id,1)&",
    ] {
        println!("{query}");
        let page = service.get(&format!("{READINGS}{query}limit=5000"));
        let all =
            |format: &str| service.get(&format!("{READINGS}{query}limit=all&format={format}"));
        let answer = all("ndjson");
        assert_ndjson(answer.text(), page.text());
        assert_eq!(answer.header("content-length"), None);
        let items = page.ok()["items"].clone();
        assert!(items.as_array().unwrap().len() > 1000);
        assert_csv(all("csv").text(), items.as_array().unwrap());
    }
    // A short list has its length, as it is read at once.
    let few = service.get(&format!(
        "{READINGS}?limit=all&format=csv&filter=eq(id,\"17\")&fields=id"
    ));
    assert_eq!(few.text(), "id\r\n\"17\"\r\n");
    assert_eq!(few.header("content-length"), Some("10"));
}

#[apply(every_database)]
fn all_items_go_with_no_page_and_no_order() {
    let service = with_readings();
    let refused = |query: &str, code| {
        let path = format!("{READINGS}?limit=all{query}");
        assert_error(&service.get(&path), 400, code)
    };
    refused("", 10063).naming(&["`format=ndjson` or `format=csv`"]);
    refused("&format=json", 10063);
    refused("&format=csv&count=exact", 10063).naming(&["pages of JSON"]);
    refused("&cursor=start", 10063);
    refused("&format=csv&offset=0", 10063).naming(&["leave `offset` out"]);
    refused("&format=csv&order=desc(id)", 10061).naming(&["order of their key"]);
    refused("x&format=csv", 10063).naming(&["from 0 to 5000 or `all`, not `allx`"]);
    let empty = service.get(&format!("{READINGS}?limit=all&format=csv&order=&fields=id"));
    assert_eq!(empty.status, 200);
    let head = format!("GET {READINGS}?limit=all&format=csv HTTP/1.0");
    let answer = raw::send(service.address(), &[&head], b"");
    assert_error(&answer, 400, 10063).naming(&["HTTP/1.1"]);
}

#[apply(every_database)]
fn a_hook_that_fails_cuts_a_list_of_all_items_off() {
    responses_differ("the log of a 500 names its request");
    let service = with_readings();
    service.create(READINGS, &json!({"id": "failing"}));
    let path = format!("{READINGS}?limit=all&format=csv");
    let cut = StreamedResponse::ask(service.address(), &path);
    assert!(cut.head.starts_with("HTTP/1.1 200 "), "{}", cut.head);
    let (body, is_whole) = cut.rest();
    assert!(!is_whole && body.len() > 10_000, "{}", body.len());
    // Within the first batch it is a failure like any other.
    let few = service.get(&format!("{path}&filter=eq(id,\"failing\")"));
    assert_eq!(few.status, 500);
}
