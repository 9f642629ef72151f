//! `/docs`: pages that describe the API, load nothing from other hosts, and escape every text.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::http::HeaderMap;
use base64::prelude::{BASE64_STANDARD as BASE64, Engine as _};
use reqwest::Url;
use resource_runtime::authorization::{Authenticator, Claims, Refusal, SecurityScheme};
use resource_runtime::{Api, ApiBuilder, ApiResource, OpenApiVersion};
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};
use resource_tests::{
    Answer, Client, Service, TestDatabase, address_book, apply, assert_error, block_on,
    every_database,
};

/// <b>Dangerous</b> `<i>` "things" & more.
///
/// Nobody reads this on the index.
#[derive(Debug, ApiResource)]
#[resource(name = "Danger", url = "/dangers", version = "1.0")]
struct Danger {
    id: i64,
}

fn documented_api() -> ApiBuilder {
    Api::builder()
        .title("Settings & co.")
        .description("What is set.\n\nOf whom is in `persons`.")
        .resource::<SettingOne>()
        .resource::<SettingTwo>()
        .resource::<Address>()
        .resource::<Person>()
}

/// Values of the HTML attribute `name` in a page.
fn attributes(page: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    let parts = page.split(&start).skip(1);
    parts
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

/// Follows every link from `start` on, within this server; returns all paths that were found.
#[track_caller]
fn walk(client: &Client, start: &str) -> BTreeSet<String> {
    let origin = Url::parse(&format!("http://{}", client.address())).unwrap();
    let mut found = BTreeSet::from([start.to_owned()]);
    let mut to_visit = vec![start.to_owned()];
    while let Some(path) = to_visit.pop() {
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        if !is_page(&answer) {
            continue;
        }
        let page = answer.text();
        let here = origin.join(&path).unwrap();
        let links = ["href", "src", "data-description"].map(|name| attributes(page, name));
        for link in links.concat() {
            if link.starts_with("data:") {
                continue;
            }
            let mut target = here.join(&link).unwrap();
            assert_eq!(target.origin(), origin.origin(), "{link} on {path}");
            target.set_fragment(None);
            let query = target.query().map(|query| format!("?{query}"));
            let target = target.path().to_owned() + &query.unwrap_or_default();
            if found.insert(target.clone()) {
                to_visit.push(target);
            }
        }
    }
    found
}

fn is_page(answer: &Answer) -> bool {
    answer.header("content-type") == Some("text/html; charset=utf-8")
}

#[apply(every_database)]
fn the_index_shows_every_version_and_its_resources() {
    let service = Service::start(|database| documented_api().build(database));
    let page = service.get("/docs");
    let text = page.text();
    for part in [
        "<title>Settings &amp; co.</title>",
        "<h1>Settings &amp; co.</h1>",
        "What is set.",
        "Of whom is in <code>persons</code>.",
        "Version 1.0",
        "Version 2.0",
        "Latest",
        "An application setting, whose name may be longer.",
        "href=\"docs/latest#/Setting\">Setting</a> <span class=\"tag\">2.0</span>",
        "<code>/api/1.0/persons</code>",
        "href=\"api/2.0/openapi.json\"",
        "href=\"api/2.0/openapi-3.0.json\"",
        "href=\"api/2.0/openapi-client.json\"",
        "href=\"errors\"",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert!(!text.contains("<script"), "{text}");
}

#[apply(every_database)]
fn every_link_leads_to_a_resource_of_this_service() {
    let service = Service::start(|database| documented_api().root("/rest/v").build(database));
    let found = walk(&service, "/docs");
    for path in [
        "/docs/1.0",
        "/docs/2.0",
        "/docs/latest",
        "/rest/v/latest/openapi.json",
        "/rest/v/1.0/addresses",
        "/errors",
        "/errors/10060",
    ] {
        assert!(found.contains(path), "no {path} in {found:?}");
    }
}

#[apply(every_database)]
fn links_work_when_the_router_is_nested_or_the_root_is_empty() {
    let nested = |app| Router::new().nest("/team", app);
    let service = Service::start_wrapped(|database| documented_api().build(database), nested);
    let found = walk(&service, "/team/docs");
    assert!(found.contains("/team/api/1.0/openapi.json"), "{found:?}");
    let service = Service::start(|database| documented_api().root("").build(database));
    let found = walk(&service, "/docs");
    assert!(found.contains("/1.0/openapi.json"), "{found:?}");
}

#[apply(every_database)]
fn texts_are_escaped_in_pages() {
    let service = Service::start(|database| {
        Api::builder()
            .title("</title><script>alert(1)</script>")
            .description("<script>alert(2)</script> \"a' `<script>`")
            .resource::<Danger>()
            .build(database)
    });
    for path in ["/docs", "/docs/1.0", "/docs/latest"] {
        let page = service.get(path);
        let text = page.text();
        assert!(!text.contains("alert(1)</script"), "{text}");
        assert!(!text.contains("alert(2)</script"), "{text}");
        assert!(text.contains("&lt;/title&gt;&lt;script&gt;"), "{text}");
    }
    let page = service.get("/docs");
    let meaning =
        "&lt;b&gt;Dangerous&lt;/b&gt; <code>&lt;i&gt;</code> &quot;things&quot; &amp; more.";
    assert!(page.text().contains(meaning), "{}", page.text());
    assert!(!page.text().contains("Nobody reads this"));
}

#[apply(every_database)]
fn pages_load_nothing_from_other_hosts_and_only_the_reference_has_scripts() {
    let service = address_book();
    for path in ["/docs", "/errors", "/errors/10060"] {
        let page = service.get(path);
        let policy = page.header("content-security-policy").unwrap();
        let style = page.text().split_once("<style>").unwrap().1;
        let style = style.split_once("</style>").unwrap().0;
        let hash = BASE64.encode(digest(&SHA256, style.as_bytes()));
        let expected = format!(
            "default-src 'none'; img-src data:; style-src 'sha256-{hash}'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'"
        );
        assert_eq!(policy, expected, "{path}");
    }
    let page = service.get("/docs/1.0");
    assert_eq!(
        page.header("content-security-policy"),
        Some(
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
             img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'"
        )
    );
    let scripts = page.text().matches("<script").count();
    assert_eq!(scripts, page.text().matches("<script defer src=").count());
}

#[derive(Debug, ApiResource)]
#[resource(name = "Topic", url = "/topics", version = "1.0", public)]
struct Topic {
    id: i64,
}

/// Admits nobody, and names a client of the authorization server for the reference.
#[derive(Debug)]
struct LogIn(Option<&'static str>);

impl Authenticator for LogIn {
    fn authenticate<'a>(
        &'a self,
        _: &'a HeaderMap,
    ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>> {
        Box::pin(async { Err(Refusal::MissingToken) })
    }

    fn schemes(&self) -> Vec<SecurityScheme> {
        vec![SecurityScheme::OAuth2 {
            authorization_endpoint: Some("https://login.example.com/authorize".to_owned()),
            token_endpoint: "https://login.example.com/token".to_owned(),
            docs_client: self.0.map(str::to_owned),
        }]
    }
}

#[apply(every_database)]
fn the_reference_logs_people_in_as_the_client_that_is_named() {
    let start = |client| {
        Service::start(|database| {
            let builder = Api::builder().resource::<Topic>();
            builder.authorization(LogIn(client)).build(database)
        })
    };
    let service = start(Some("the <reference>"));
    let page = service.get("/docs/1.0");
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("; connect-src 'self' https://login.example.com; "),
        "{policy}"
    );
    let text = page.text();
    assert!(
        text.contains(" data-client=\"the &lt;reference&gt;\">"),
        "{text}"
    );
    let end = service.get("/docs/oauth2-redirect");
    assert_eq!(
        (end.status, end.header("content-security-policy")),
        (200, Some(policy))
    );
    let script = attributes(end.text(), "src");
    assert_eq!(script.len(), 1);
    assert_eq!(service.get(&format!("/docs/{}", script[0])).status, 200);

    let without = start(None);
    let page = without.get("/docs/1.0");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("; connect-src 'self'; "), "{policy}");
    assert!(!page.text().contains("data-client"), "{}", page.text());
    assert_error(&without.get("/docs/oauth2-redirect"), 404, 10000);
}

#[apply(every_database)]
fn the_index_names_contact_and_license() {
    let service = Service::start(|database| {
        let builder = documented_api().contact("Ann & Ben", "mailto:help@example.org");
        let builder = builder.license("MIT", "https://spdx.org/licenses/MIT.html");
        builder.build(database)
    });
    let page = service.get("/docs");
    for part in [
        "<p class=\"about\">Contact: <a href=\"mailto:help@example.org\">Ann &amp; Ben</a></p>",
        "<p class=\"about\">License: <a href=\"https://spdx.org/licenses/MIT.html\">MIT</a></p>",
    ] {
        assert!(page.text().contains(part), "no {part} in {}", page.text());
    }
}

#[apply(every_database)]
fn pages_allow_only_get_and_head() {
    let service = address_book();
    let page = service.get("/docs/1.0");
    let asset = attributes(page.text(), "src").remove(0);
    for path in [
        "/docs",
        "/docs/1.0",
        "/docs/latest",
        &format!("/docs/{asset}"),
    ] {
        let get = service.get(path);
        let head = service.request("HEAD", path).send();
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        for name in ["content-type", "content-length", "etag"] {
            assert_eq!(head.headers.get(name), get.headers.get(name), "{path}");
        }
        let post = service.request("POST", path).json("{}").send();
        assert_error(&post, 405, 10070);
        assert_eq!(post.methods(), ["GET", "HEAD"]);
    }
}

#[apply(every_database)]
fn unknown_documentation_paths_are_404_10000() {
    let service = address_book();
    for path in [
        "/docs/3.0",
        "/docs/1",
        "/docs/v1.0",
        "/docs/",
        "/docs/1.0/settings",
        "/docs/assets",
        "/docs/assets/start",
        "/docs/assets/..%2Fstart.js",
    ] {
        println!("{path}");
        assert_error(&service.get(path), 404, 10000);
    }
}

#[apply(every_database)]
fn assets_are_immutable_and_revalidate_by_etag() {
    let service = address_book();
    let page = service.get("/docs/1.0");
    let links = ["src", "href"].map(|name| attributes(page.text(), name));
    let links = links.concat();
    let assets: Vec<_> = links
        .iter()
        .filter(|it| it.starts_with("assets/"))
        .collect();
    assert_eq!(assets.len(), 5, "{links:?}");
    for asset in assets {
        let path = format!("/docs/{asset}");
        let first = service.get(&path);
        assert_eq!(first.status, 200);
        assert_eq!(
            first.header("cache-control"),
            Some("public, max-age=31536000, immutable")
        );
        let compressed = first.header("content-encoding") == Some("gzip");
        assert_eq!(first.body.starts_with(&[0x1f, 0x8b]), compressed, "{asset}");
        assert_eq!(compressed, asset.contains("swagger-ui"), "{asset}");
        let tag = first.header("etag").unwrap();
        for (known, status) in [
            (tag, 304),
            (&format!("\"other\", W/{tag}"), 304),
            ("*", 304),
            ("\"other\"", 200),
        ] {
            let request = service.request("GET", &path);
            let again = request.header("if-none-match", known).send();
            assert_eq!(again.status, status, "{known}");
            assert_eq!(again.header("etag"), Some(tag));
            assert_eq!(again.body.is_empty(), status == 304);
        }
    }
}

#[apply(every_database)]
fn the_index_of_a_version_links_to_its_documentation() {
    let service = Service::start(|database| documented_api().root("/rest").build(database));
    for version in ["1.0", "2.0", "latest"] {
        let index = service.get(&format!("/rest/{version}"));
        let expected = format!(
            "</docs/{version}>; rel=\"service-doc\", \
             </rest/{version}/openapi.json>; rel=\"service-desc\""
        );
        assert_eq!(index.header("link"), Some(&*expected));
    }
}

#[apply(every_database)]
fn links_of_the_index_include_the_nesting_prefix_or_the_base_url() {
    let expected = "</team/docs/1.0>; rel=\"service-doc\", \
                    </team/api/1.0/openapi.json>; rel=\"service-desc\"";
    let nested = |app| Router::new().nest("/team", app);
    let service = Service::start_wrapped(|database| documented_api().build(database), nested);
    let index = service.get("/team/api/1.0");
    assert_eq!(index.header("link"), Some(expected));
    let service = Service::start(|database| {
        let builder = documented_api().base_url("https://example.org/team");
        builder.build(database)
    });
    assert_eq!(service.get("/api/1.0").header("link"), Some(expected));
}

#[apply(every_database)]
fn documentation_can_be_hidden() {
    let service = Service::start(|database| documented_api().hide_documentation().build(database));
    for path in [
        "/docs",
        "/docs/1.0",
        "/docs/assets/start.js",
        "/api/1.0/openapi.json",
        "/api/latest/openapi-3.0.json",
    ] {
        println!("{path}");
        assert_error(&service.get(path), 404, 10000);
    }
    assert_eq!(service.get("/api/1.0").header("link"), None);
    let found = walk(&service, "/errors");
    assert!(!found.contains("/docs"), "{found:?}");
}

#[test]
fn a_hidden_openapi_document_is_still_available_to_the_host() {
    let file = TestDatabase::default();
    let database = block_on(resource_runtime::Database::connect(&file.url())).unwrap();
    let api = documented_api()
        .hide_documentation()
        .build(database)
        .unwrap();
    assert!(api.openapi("1.0", OpenApiVersion::V31).is_some());
}
