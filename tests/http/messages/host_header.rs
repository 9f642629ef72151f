//! `Host` (RFC 9112, section 3.2): sent once, and valid.

use axum::body::Body;
use axum::http::Request;
use resource_runtime::Api;
use resource_testing::TestApi;
use resource_tests::models::SettingOne;
use resource_tests::{Service, address_book, apply, assert_error, block_on, every_database, raw};

use super::{assert_refused, responses_until_closed, status};

fn with_hosts(hosts: &[&str]) -> Vec<u8> {
    let mut lines = vec![String::from("GET /api/1.0/settings HTTP/1.1")];
    lines.extend(hosts.iter().map(|host| format!("Host:{host}")));
    format!("{}\r\n\r\n", lines.join("\r\n")).into_bytes()
}

#[apply(every_database)]
fn a_request_without_a_host_is_400_10077() {
    let service = address_book();
    assert_refused(&service, &with_hosts(&[]), 400, 10077).naming(&["`Host`", "missing"]);
    let absolute = b"GET http://a/api/1.0/settings HTTP/1.1\r\n\r\n";
    assert_refused(&service, absolute, 400, 10077).naming(&["`Host`"]);
}

#[apply(every_database)]
fn a_request_with_two_hosts_is_400_10077() {
    let service = address_book();
    for hosts in [[" a", " b"], [" a", " a"], [" a", ""]] {
        assert_refused(&service, &with_hosts(&hosts), 400, 10077).naming(&["`Host`", "once"]);
    }
}

const INVALID: [&str; 17] = [
    "",
    " a b",
    " a/b",
    " a\tb",
    " user@a",
    " http://a",
    " a:b",
    " a:80:80",
    " a:70000",
    " :80",
    " [::1",
    " [::g]",
    " ::1",
    " a?b",
    " \"a\"",
    " <script>",
    " %zz",
];

#[apply(every_database)]
fn a_request_with_an_invalid_host_is_400_10077_that_does_not_repeat_it() {
    let service = address_book();
    let port = service.address().port();
    for host in INVALID {
        println!("{host}");
        let answer = raw::parse(&responses_until_closed(&service, &with_hosts(&[host])));
        assert_error(&answer, 400, 10077).naming(&["`Host`"]);
        let details = &answer.json()["error_details"];
        assert_eq!(*details, format!("http://localhost:{port}/errors/10077"));
    }
}

#[apply(every_database)]
fn a_valid_host_is_used_in_error_details() {
    let service = address_book();
    for host in [
        "a",
        "a:8080",
        "a:",
        "api.example.org",
        "127.0.0.1:1",
        "[::1]",
        "[2001:db8::7]:443",
        "a_b-c.d",
        "A%20b",
        "xn--bcher-kva.example",
        "a.example.",
    ] {
        println!("{host}");
        let head = ["GET /api/1.0/settings/7 HTTP/1.1", &format!("Host: {host}")];
        let answer = raw::send(service.address(), &head, b"");
        assert_error(&answer, 404, 10001);
        let details = &answer.json()["error_details"];
        assert_eq!(*details, format!("http://{host}/errors/10001"));
    }
}

#[apply(every_database)]
fn http_1_0_does_not_require_a_host() {
    let service = address_book();
    assert_eq!(status(&service, &["GET /api/1.0/settings HTTP/1.0"]), 200);
    let head = "GET /api/1.0/settings HTTP/1.0\r\nHost: a b\r\n\r\n";
    assert_refused(&service, head.as_bytes(), 400, 10077);
}

#[apply(every_database)]
fn the_authority_of_the_target_takes_precedence_over_the_host() {
    let service = address_book();
    let head = ["GET http://b:81/api/1.0/settings/7 HTTP/1.1", "Host: a"];
    let answer = raw::send(service.address(), &head, b"");
    assert_error(&answer, 404, 10001);
    let details = answer.json()["error_details"].clone();
    assert_eq!(details, "http://b:81/errors/10001");
    for target in [
        "http://u:p@a/api/1.0/settings",
        "http://a:b/api/1.0/settings",
    ] {
        println!("{target}");
        let head = format!("GET {target} HTTP/1.1\r\nHost: a\r\n\r\n");
        assert_refused(&service, head.as_bytes(), 400, 10077);
    }
}

#[apply(every_database)]
fn error_details_never_repeat_a_scheme_other_than_http() {
    let service = address_book();
    let head = ["GET javascript://a/api/1.0/settings/7 HTTP/1.1", "Host: a"];
    let answer = raw::send(service.address(), &head, b"");
    let details = answer.json()["error_details"].clone();
    assert_eq!(details, "http://a/errors/10001");
}

#[apply(every_database)]
fn the_base_url_takes_precedence_over_the_host_in_error_details() {
    let service = Service::start(|database| {
        Api::builder()
            .base_url("https://api.example.org")
            .resource::<SettingOne>()
            .build(database)
    });
    for host in ["a", "b:81"] {
        let head = ["GET /api/1.0/settings/7 HTTP/1.1", &format!("Host: {host}")];
        let details = raw::send(service.address(), &head, b"").json()["error_details"].clone();
        assert_eq!(details, "https://api.example.org/errors/10001");
    }
}

/// A router may be served by another server, which then has to refuse such a host.
#[test]
fn a_router_without_the_server_repeats_no_invalid_host() {
    let api = TestApi::new(Api::builder().resource::<SettingOne>());
    let client = block_on(api).anonymous();
    let asked = |hosts: &[&str]| {
        let request = hosts
            .iter()
            .fold(Request::get("/nothing"), |request, host| {
                request.header("host", *host)
            });
        let request = request.body(Body::empty()).unwrap();
        let response = block_on(client.request(request));
        response.assert_error(404, 10000).json()["error_details"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(asked(&["a:1"]), "http://a:1/errors/10000");
    for hosts in [&[][..], &["a", "b"], &["a b"], &["<a>"], &[""]] {
        assert_eq!(asked(hosts), "http://localhost/errors/10000", "{hosts:?}");
    }
}
