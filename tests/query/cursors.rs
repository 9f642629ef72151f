//! Pages by `cursor`: together they hold each item once, forward and back, whatever the order; and only cursors of the same
//! list are taken.

use chrono::{DateTime, Utc};
use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use resource_runtime::{Api, ApiResource, QueryLimits};
use resource_tests::{Answer, Client, Service, apply, assert_error, every_database};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::requests::{ids, url};

#[derive(Debug, ApiResource)]
#[resource(name = "Maker", url = "/makers", version = "1.0")]
struct Maker {
    id: i64,
    #[resource(max_length = 20)]
    name: Option<String>,
    size: i32,
    notes: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Part", url = "/parts", version = "1.0", count(none))]
#[resource(subresource(maker = "maker_id", seller = "seller_id"))]
#[resource(index(rank, id))]
struct Part {
    id: i64,
    rank: Option<i16>,
    sound: bool,
    ratio: Option<f64>,
    single: Option<f32>,
    #[resource(max_length = 20)]
    name: Option<String>,
    price: Option<Decimal>,
    made: Option<DateTime<Utc>>,
    #[resource(max_length = 4)]
    mark: Option<Vec<u8>>,
    notes: Option<String>,
    #[resource(references = Maker)]
    maker_id: Option<i64>,
    #[resource(references = Maker)]
    seller_id: Option<i64>,
}

const PARTS: &str = "/api/1.0/parts";
const PATHS: [&str; 14] = [
    "id",
    "rank",
    "sound",
    "ratio",
    "single",
    "name",
    "price",
    "made",
    "mark",
    "maker_id",
    "maker.name",
    "maker.size",
    "seller.name",
    "seller.id",
];

fn random() -> TestRng {
    TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32])
}

/// One of a few values, so that many items have the same, or null.
fn any(random: &mut TestRng, values: &[Value]) -> Value {
    let index = random.random_range(0..=values.len());
    values.get(index).cloned().unwrap_or_default()
}

/// Parts with nulls and ties in every attribute, some without a maker.
fn parts(count: usize) -> Service {
    let service = Service::start(|database| {
        let api = Api::builder().resource::<Maker>().resource::<Part>();
        let limits = QueryLimits::new().length(64 * 1024).terms(16_384);
        api.query_limits(limits).max_offset(1000).build(database)
    });
    let random = &mut random();
    for size in 0..5 {
        let name = any(random, &[json!("\"ä,\\"), json!("b\n")]);
        service.create("/api/1.0/makers", &json!({"name": name, "size": size % 3}));
    }
    for _ in 0..count {
        let ids = [1, 2, 3, 4, 5].map(Value::from);
        let part = json!({
            "rank": any(random, &[json!(-1), json!(0), json!(32767)]),
            "sound": random.random::<bool>(),
            "ratio": any(random, &[json!(0.1), json!(-1e300), json!(5e-324)]),
            "single": any(random, &[json!(0.1), json!(3.4e38)]),
            "name": any(random, &[json!(""), json!("a\"\\%"), json!("🦀\u{ffff}"), json!("null")]),
            "price": any(random, &[json!("9.5"), json!("10"), json!("-0.001")]),
            "made": any(random, &[json!("2024-02-29T07:08:09Z"), json!("2024-02-29T07:08:09.000001Z")]),
            "mark": any(random, &[json!(""), json!("AP8="), json!("/w==")]),
            "maker_id": any(random, &ids),
            "seller_id": any(random, &ids),
        });
        service.create(PARTS, &part);
    }
    service
}

/// The links of a page, by their relation.
fn link<'answer>(answer: &'answer Answer, relation: &str) -> Option<&'answer str> {
    let links = answer.header("link").unwrap_or_default().split(", ");
    let mut links = links.filter_map(|link| link.strip_prefix('<')?.split_once(">; rel="));
    links
        .find(|(_, it)| it.trim_matches('"') == relation)
        .map(|(url, _)| url)
}

/// Asserts that the pages of this list hold `all` items in their order, forward and back.
#[track_caller]
fn assert_walks(client: &Client, first: &str, limit: usize, all: &[i64]) {
    let mut page = client.get(first);
    let mut walked = Vec::new();
    let mut pages = vec![ids(&page.ok())];
    loop {
        let body = page.ok();
        walked.extend(ids(&body));
        let next = link(&page, "next");
        let token = next.and_then(|url| Some(url.rsplit_once("cursor=")?.1));
        assert_eq!(
            body["next"].as_str(),
            token,
            "the link is that of the member"
        );
        let Some(next) = next else { break };
        page = client.get(next);
        pages.push(ids(&page.ok()));
    }
    assert_eq!(walked, all, "forward: {first}");
    let full = pages.iter().rev().skip(1).all(|page| page.len() == limit);
    assert!(full, "every page but the last one is full: {first}");
    // Back by the same pages, and then on again.
    let mut back = vec![pages.pop().unwrap_or_default()];
    while let Some(prev) = link(&page, "prev") {
        page = client.get(prev);
        let body = page.ok();
        back.push(ids(&body));
        assert!(
            !ids(&body).is_empty(),
            "no empty page comes before the first: {first}"
        );
        let on = link(&page, "next").map(|url| ids(&client.get(url).ok()));
        let later = all
            .iter()
            .skip_while(|id| Some(**id) != ids(&body).last().copied())
            .skip(1);
        let later: Vec<i64> = later.take(limit).copied().collect();
        assert_eq!(
            on,
            Some(later),
            "on from a page that was read backward: {first}"
        );
    }
    back.reverse();
    assert_eq!(back.concat(), all, "backward: {first}");
    assert!(
        back.iter()
            .skip(1)
            .rev()
            .skip(1)
            .all(|page| page.len() == limit)
    );
}

#[apply(every_database)]
fn pages_by_cursor_hold_each_item_once_in_any_order() {
    const COUNT: usize = 40;
    let service = parts(COUNT);
    let random = &mut random();
    for round in 0..60 {
        let criteria = (0..random.random_range(1..=3)).map(|_| {
            let direction = if random.random::<bool>() {
                "asc"
            } else {
                "desc"
            };
            format!(
                "{direction}({})",
                PATHS[random.random_range(0..PATHS.len())]
            )
        });
        let order = criteria.collect::<Vec<_>>().join(",");
        let filter = ["", "ne(rank,0)", "or(eq(maker.size,1),eq(sound,true))"][round % 3];
        let fields = ["id", "id,name,maker(name)", "", "id,seller(size)"][round % 4];
        let count = ["exact", "none"][round % 2];
        let limit = [1, 3, 7, 13, COUNT - 1, COUNT, COUNT + 1][round % 7];
        let list = [("order", &*order), ("filter", filter), ("fields", fields)];
        let whole = service.read(&url(PARTS, &[&list[..], &[("limit", "1000")]].concat()));
        let text = limit.to_string();
        let paging = [("count", count), ("limit", &*text), ("cursor", "start")];
        let first = url(PARTS, &[&list[..], &paging].concat());
        assert_walks(&service, &first, limit, &ids(&whole));
        let page = service.read(&first);
        let total = (count == "exact").then_some(&whole["totalItems"]);
        assert_eq!(page.get("totalItems"), total);
    }
}

/// The cursor of the second page.
fn second(client: &Client, list: &str) -> String {
    let page = client.read(&format!("{list}&limit=2&cursor=start"));
    page["next"].as_str().expect("a cursor").to_owned()
}

#[apply(every_database)]
fn a_page_tells_its_neighbours() {
    let service = parts(5);
    let first = service.get("/api/1.0/parts?limit=2&offset=1&fields=id&cursor=start");
    let next = first.ok()["next"].as_str().unwrap().to_owned();
    let list = "/api/1.0/parts?limit=2&fields=id";
    assert_eq!(
        first.text(),
        format!(r#"{{"items":[{{"id":2}},{{"id":3}}],"totalItems":5,"next":"{next}"}}"#)
    );
    let expected =
        format!("<{list}&cursor=start>; rel=\"first\", <{list}&cursor={next}>; rel=\"next\"");
    assert_eq!(first.header("link"), Some(&*expected));
    // Size, fields and total may change on the way.
    let rest = service.get(&format!(
        "/api/1.0/parts?limit=9&fields=id&count=none&cursor={next}"
    ));
    assert_eq!(rest.text(), r#"{"items":[{"id":4},{"id":5}],"next":null}"#);
    let before = service.read(link(&rest, "prev").unwrap());
    assert_eq!(ids(&before), [1, 2, 3]);
    // An item that is gone marks its place still.
    assert_eq!(service.delete("/api/1.0/parts/3").status, 204);
    assert_eq!(ids(&service.read(&format!("{list}&cursor={next}"))), [4, 5]);
    assert_eq!(service.delete("/api/1.0/parts/4").status, 204);
    assert_eq!(service.delete("/api/1.0/parts/5").status, 204);
    let end = service.get(&format!("{list}&cursor={next}"));
    assert_eq!(end.text(), r#"{"items":[],"totalItems":2,"next":null}"#);
    assert_eq!(ids(&service.read(link(&end, "prev").unwrap())), [1, 2]);
    assert_eq!(service.get("/api/1.0/parts?limit=2").header("link"), None);
    let uncounted = service.get("/api/1.0/parts?count=none&fields=id");
    assert_eq!(uncounted.text(), r#"{"items":[{"id":1},{"id":2}]}"#);
}

#[apply(every_database)]
fn only_a_cursor_of_the_same_list_is_taken() {
    let service = parts(5);
    let list = "/api/1.0/parts?filter=gt(id,0)&order=desc(rank)";
    let token = second(&service, list);
    // White space is no part of a filter.
    service.read(&format!(
        "/api/1.0/parts?filter=gt(+id,0)&order=desc(rank),asc(id)&cursor={token}"
    ));
    for other in [
        "/api/1.0/parts?filter=gt(id,1)&order=desc(rank)",
        "/api/1.0/parts?order=desc(rank)",
        "/api/1.0/parts?filter=gt(id,0)&order=asc(rank)",
        "/api/1.0/parts?filter=gt(id,0)",
        "/api/1.0/makers?filter=gt(id,0)",
    ] {
        let answer = service.get(&format!("{other}&cursor={token}"));
        assert_error(&answer, 400, 10065).naming(&["another list", "`cursor=start`"]);
    }
    for cursor in [
        "",
        "Start",
        "AAAA",
        &token[..12],
        &format!("{token}A"),
        "%00",
        "é",
    ] {
        let answer = service.get(&format!("{list}&cursor={cursor}"));
        assert_error(&answer, 400, 10065).naming(&["`cursor=start`"]);
    }
    for (parameters, part) in [
        ("limit=0&cursor=start", "`limit`"),
        ("limit=0&count=none", "`count=none`"),
        (
            &*format!("filter=gt(id,0)&order=desc(rank)&offset=1&cursor={token}"),
            "`offset`",
        ),
        ("offset=1001", "`cursor=start`"),
    ] {
        let answer = service.get(&format!("/api/1.0/parts?{parameters}"));
        assert_error(&answer, 400, 10063).naming(&[part]);
    }
    for order in ["asc(notes)", "desc(maker.notes)", "asc(name),asc(notes)"] {
        let answer = service.get(&format!("/api/1.0/parts?order={order}&cursor=start"));
        assert_error(&answer, 400, 10061).naming(&["`notes`", "`max_length`"]);
    }
    assert_error(&service.get("/api/1.0/makers?count=none"), 400, 10064).naming(&["`count`"]);
    assert_error(&service.get("/api/1.0/parts?count=some"), 400, 10064).naming(&["`none`"]);
}

/// SQLite binds 32,766 values at most, and this page is read in five ranges.
#[apply(every_database)]
fn a_filter_of_thousands_of_values_has_pages_by_cursor() {
    let service = parts(9);
    let values: Vec<String> = (1..=8000).map(|id| id.to_string()).collect();
    let list = format!(
        "filter=in(id,[{}])&order=desc(rank),desc(single)",
        values.join(",")
    );
    let whole = service.read(&format!("{PARTS}?{list}"));
    let (mut walked, mut cursor) = (Vec::new(), Some("start".to_owned()));
    while let Some(place) = cursor {
        let page = service.read(&format!("{PARTS}?{list}&limit=2&cursor={place}"));
        walked.extend(ids(&page));
        cursor = page["next"].as_str().map(str::to_owned);
    }
    assert_eq!(walked, ids(&whole));
}

/// Mutations of cursors, of which none may be a failure of the service: 2,000, or as many as `CURSOR_MUTATIONS` names.
#[apply(every_database)]
fn a_mutated_cursor_is_refused_or_another_place() {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;

    let service = parts(9);
    let orders = [
        "desc(rank),asc(name),desc(price)",
        "asc(made),desc(mark),asc(single)",
        "asc(maker.name),asc(ratio)",
    ];
    let tokens = orders.map(|order| {
        let list = format!("/api/1.0/parts?filter=gt(id,2)&fields=id&count=none&order={order}");
        let token = second(&service, &list);
        (list, BASE64.decode(token).unwrap())
    });
    let mutations = std::env::var("CURSOR_MUTATIONS").ok();
    let mutations = mutations.map_or(2_000, |count| count.parse().expect("a number"));
    let random = &mut random();
    let pieces: [&[u8]; 9] = [
        b"null",
        b",",
        b"\"",
        b"1e999",
        b"-0",
        b"\\u0000",
        b"99999999999999999999",
        b"[",
        b"\xff",
    ];
    for index in 0..mutations {
        let (list, bytes) = &tokens[index % tokens.len()];
        let mut bytes = bytes.clone();
        for _ in 0..random.random_range(1..3) {
            // Mostly the values: a change of the digest is refused for that alone.
            let at = random.random_range(if index % 10 == 0 {
                0..9
            } else {
                9..bytes.len()
            });
            let at = at.min(bytes.len());
            match random.random_range(0..4) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, random.random()),
                2 if at < bytes.len() => bytes[at] = random.random(),
                _ => drop(bytes.splice(
                    at..at,
                    pieces[random.random_range(0..pieces.len())].iter().copied(),
                )),
            }
            bytes.resize(bytes.len().max(10), b'1');
        }
        let answer = service.get(&format!("{list}&cursor={}", BASE64.encode(&bytes)));
        match answer.status {
            200 => assert!(ids(&answer.json()).iter().all(|id| *id > 2)),
            _ => drop(assert_error(&answer, 400, 10065)),
        }
    }
}
