//! `/errors/<code>`: a page for every code, for the person who follows the link of an error.

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{Answer, Service, address_book, apply, assert_error, every_database};
use serde_json::{Value, json};

/// Every error code of the contract.
const CODES: [u16; 28] = [
    10000, 10001, 10010, 10020, 10030, 10031, 10040, 10041, 10050, 10060, 10061, 10062, 10063,
    10064, 10070, 10071, 10072, 10073, 10074, 10075, 10076, 10077, 10078, 10090, 10091, 12100,
    12110, 12120,
];

#[apply(every_database)]
fn every_code_has_a_page_that_explains_it() {
    let service = address_book();
    for code in CODES {
        let page = service.get(&format!("/errors/{code}"));
        assert_eq!(page.status, 200, "{code}");
        assert!(
            page.header("content-type")
                .unwrap()
                .starts_with("text/html"),
            "{code}"
        );
        assert!(page.text().contains(&code.to_string()), "{code}");
    }
}

#[apply(every_database)]
fn every_code_has_a_different_page() {
    let service = address_book();
    let mut pages: Vec<Vec<u8>> = CODES
        .iter()
        .map(|code| {
            service
                .get(&format!("/errors/{code}"))
                .text()
                .replace(&code.to_string(), "")
                .into_bytes()
        })
        .collect();
    pages.sort_unstable();
    pages.dedup();
    assert_eq!(pages.len(), CODES.len());
}

#[apply(every_database)]
fn an_error_page_is_served_for_accept_text_html() {
    let service = address_book();
    let request = service
        .request("GET", "/errors/10010")
        .header("accept", "text/html,application/xhtml+xml");
    assert_eq!(request.send().status, 200);
}

#[apply(every_database)]
fn a_browser_outside_the_root_gets_a_page() {
    let service = address_book();
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (method, path, status, code) in [
        ("GET", "/docs/9.9", 404, 10000),
        ("GET", "/errors/1", 404, 10000),
        ("GET", "/apix", 404, 10000),
        ("POST", "/docs", 405, 10070),
        ("PUT", "/livez", 405, 10070),
    ] {
        println!("{method} {path}");
        let page = service
            .request(method, path)
            .header("accept", browser)
            .send();
        assert_eq!(page.status, status);
        assert_eq!(
            page.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert_eq!(page.header("allow").is_some(), status == 405);
        let link = format!("http://{}/errors/{code}", service.address());
        let text = page.text();
        let documentation = format!("<a href=\"http://{}/docs\">", service.address());
        for part in [&*link, &*documentation, ".</p>"] {
            assert!(text.contains(part), "{text}");
        }
        // Programs get JSON at the same place.
        assert_error(&service.request(method, path).send(), status, code);
    }
    for path in ["/api", "/api/3.0/settings", "/api/1.0/settings/1"] {
        println!("{path}");
        let answer = service
            .request("GET", path)
            .header("accept", browser)
            .send();
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
}

#[apply(every_database)]
fn an_unknown_code_is_404_10000() {
    let service = address_book();
    for code in [
        "1",
        "10002",
        "abc",
        "010001",
        "99999999999999999999",
        "10001/x",
        "%FF",
    ] {
        println!("{code}");
        assert_error(&service.get(&format!("/errors/{code}")), 404, 10000);
    }
}

#[apply(every_database)]
fn an_error_page_allows_only_get_and_head() {
    let service = address_book();
    let answer = service.request("POST", "/errors/10001").json("{}").send();
    assert_error(&answer, 405, 10070);
    assert_eq!(answer.methods(), ["GET", "HEAD"]);
    let head = service.request("HEAD", "/errors/10001").send();
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[apply(every_database)]
fn error_pages_do_not_move_with_the_root() {
    let service = Service::start(|database| {
        Api::builder()
            .root("/rest")
            .resource::<SettingOne>()
            .build(database)
    });
    let details = service.get("/rest/1.0/settings/1").json()["error_details"].clone();
    assert_eq!(
        details,
        format!("http://{}/errors/10001", service.address())
    );
    assert_eq!(service.get("/errors/10001").status, 200);
}

#[apply(every_database)]
fn the_list_of_errors_links_to_every_page() {
    let service = address_book();
    let list = service.get("/errors");
    assert_eq!(list.status, 200);
    for code in CODES {
        let link = format!("href=\"errors/{code}\"");
        assert!(list.text().contains(&link), "{code}");
    }
    let post = service.request("POST", "/errors").json("{}").send();
    assert_error(&post, 405, 10070);
    let head = service.request("HEAD", "/errors").send();
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_error(&service.get("/errors/"), 404, 10000);
}

#[apply(every_database)]
fn every_page_has_causes_fixes_and_an_example() {
    let service = address_book();
    for code in CODES {
        let page = service.get(&format!("/errors/{code}"));
        for heading in ["Common causes", "How to fix it", "Example"] {
            let heading = format!("<h2>{heading}</h2>");
            assert!(page.text().contains(&heading), "no {heading} of {code}");
        }
        let (_, answer) = example(&page);
        let (head, body) = answer.split_once("\n\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 "), "{head}");
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["error_code"], code);
    }
}

/// Codes that this test does not cause: they need a setting, a large body, an unreachable database, access tokens, or
/// requests that no HTTP client sends, which are tested in `messages/`.
const NOT_REPRODUCED: [u16; 11] = [
    10041, 10072, 10075, 10076, 10077, 10078, 10090, 10091, 12100, 12110, 12120,
];

#[apply(every_database)]
fn the_example_of_every_page_matches_the_real_response() {
    let service = address_book();
    service.create("/api/1.0/addresses", &json!({"line1": "1 Main Street"}));
    service.create("/api/1.0/persons", &json!({"bill_address_id": 1}));
    let setting = json!({"name": "theme", "value": "light"});
    service.create("/api/1.0/settings", &setting);
    for code in CODES
        .into_iter()
        .filter(|code| !NOT_REPRODUCED.contains(code))
    {
        let (request, expected) = example(&service.get(&format!("/errors/{code}")));
        let answer = send_example(&service, &request);
        let (head, body) = expected.split_once("\n\n").unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        let described = assert_error(&answer, answer.status, code);
        described.naming(&[body["error_description"].as_str().unwrap()]);
        let mut lines = head.lines();
        let status = lines.next().unwrap();
        assert!(status.starts_with(&format!("HTTP/1.1 {} ", answer.status)));
        for line in lines {
            let (name, value) = line.split_once(": ").unwrap();
            assert_eq!(answer.header(name), Some(value), "{code}");
        }
    }
}

/// The request and the response of a page's example.
fn example(page: &Answer) -> (String, String) {
    let parts = page.text().split("<pre").skip(1);
    let mut texts = parts.map(|part| {
        let code = part.split_once("<code>").unwrap().1;
        let code = code.split_once("</code>").unwrap().0;
        let code = code.replace("&quot;", "\"").replace("&#39;", "'");
        let code = code.replace("&lt;", "<").replace("&gt;", ">");
        code.replace("&amp;", "&")
    });
    (texts.next().unwrap(), texts.next().unwrap())
}

/// Sends the request of an example.
fn send_example(service: &Service, request: &str) -> Answer {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let mut lines = head.lines();
    let (method, path) = lines.next().unwrap().split_once(' ').unwrap();
    let request = service.request(method, path).body(body);
    let headers = lines.map(|line| line.split_once(": ").unwrap());
    let request = headers.fold(request, |request, (name, value)| {
        request.header(name, value)
    });
    request.send()
}
