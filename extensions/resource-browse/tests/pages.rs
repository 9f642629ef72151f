//! The routes of the pages: what they load is there, small, and bound by a policy.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use flate2::Compression;
use flate2::write::GzEncoder;
use resource_browse::Browse;
use resource_runtime::{Api, ApiResource, Database};
use serde_json::Value;
use tower::ServiceExt as _;

/// A note.
#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
}

/// The budget of all that a browser loads, in bytes as they are sent.
const BUDGET: usize = 90 * 1024;

async fn service(browse: Browse) -> Router {
    let database = Database::temporary().await.unwrap();
    let builder = Api::builder().resource::<Note>().routes(browse.routes());
    builder.build(database).unwrap().router()
}

async fn get(service: &Router, path: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = service.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap();
    (
        parts.status,
        parts.headers,
        String::from_utf8(bytes.to_vec()).unwrap(),
    )
}

/// The values of attributes with this name, in the order of the page.
fn attributes<'page>(page: &'page str, name: &str) -> impl Iterator<Item = &'page str> {
    let begin = format!(" {name}=\"");
    page.match_indices(&begin)
        .map(|(at, found)| page[at + found.len()..].split('"').next().unwrap())
        .collect::<Vec<_>>()
        .into_iter()
}

/// The files that the page loads, as paths of the service, with their texts and headers.
async fn loaded(service: &Router, page: &str) -> Vec<(String, HeaderMap, String)> {
    let addresses = attributes(page, "href").chain(attributes(page, "src"));
    let addresses: BTreeSet<_> = addresses.filter(|it| !it.starts_with("data:")).collect();
    let mut files = Vec::new();
    for address in addresses {
        let (status, headers, text) = get(service, &format!("/{address}")).await;
        assert_eq!(status, StatusCode::OK, "{address}");
        files.push((address.to_owned(), headers, text));
    }
    files
}

fn settings(page: &str) -> Value {
    let mut contents = attributes(page, "content");
    let text = contents.find(|it| it.starts_with('{')).unwrap();
    serde_json::from_str(&text.replace("&quot;", "\"").replace("&amp;", "&")).unwrap()
}

fn header<'map>(headers: &'map HeaderMap, name: &str) -> &'map str {
    headers[name].to_str().unwrap()
}

#[tokio::test]
async fn what_the_page_loads_is_each_file_of_the_folder() {
    let service = service(Browse::new()).await;
    let (status, headers, page) = get(&service, "/browse").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(header(&headers, "cache-control"), "no-cache");
    let files = loaded(&service, &page).await;
    let served: BTreeSet<_> = files
        .iter()
        .map(|(address, ..)| address.splitn(3, '/').nth(2).unwrap().to_owned())
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let names = |folder: &Path, prefix: &str| -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let files = entries.filter(|it| it.is_file());
        files
            .map(|it| format!("{prefix}{}", it.file_name().unwrap().display()))
            .collect()
    };
    let mut stored: BTreeSet<_> = names(&folder, "").into_iter().collect();
    stored.extend(names(&folder.join("app"), "app/"));
    stored.remove("index.html");
    assert_eq!(served, stored);
    for (address, headers, _) in &files {
        let media = if address.strip_suffix(".css").is_some() {
            "text/css"
        } else {
            "text/javascript"
        };
        assert!(
            header(headers, "content-type").starts_with(media),
            "{address}"
        );
        assert!(
            header(headers, "cache-control").contains("immutable"),
            "{address}"
        );
    }
}

#[tokio::test]
async fn all_that_the_page_loads_is_small() {
    let service = service(Browse::new()).await;
    let (.., page) = get(&service, "/browse").await;
    let files = loaded(&service, &page).await;
    let sizes = files.iter().map(|(.., text)| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap().len()
    });
    let size: usize = sizes.sum();
    assert!(size <= BUDGET, "{size} bytes");
}

#[tokio::test]
async fn no_script_or_style_stands_in_the_page() {
    let service = service(Browse::new()).await;
    let (_, headers, page) = get(&service, "/browse").await;
    let policy = header(&headers, "content-security-policy");
    assert!(
        policy.contains("default-src 'none'") && policy.contains("connect-src 'self';"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(!page.contains("<style") && !page.contains(" style="));
    assert!(page.matches("<script").count() == 1 && page.contains("></script>"));
}

#[tokio::test]
async fn settings_are_text_whatever_they_hold() {
    let browse = Browse::new()
        .at("/of/data")
        .client_id("a\"&<b>")
        .read_only();
    let service = service(browse).await;
    assert_eq!(get(&service, "/browse").await.0, StatusCode::NOT_FOUND);
    let (_, _, page) = get(&service, "/of/data").await;
    let settings = settings(&page);
    assert_eq!(settings["client_id"], "a\"&<b>");
    assert_eq!(settings["path"], "/of/data");
    assert_eq!(settings["root"], "/api");
    assert_eq!(settings["versions"], serde_json::json!(["1.0", "latest"]));
    assert_eq!(settings["read_only"], true);
}

#[tokio::test]
async fn addresses_are_relative_as_the_router_may_be_nested() {
    let nested = Router::new().nest("/below", service(Browse::new().at("/of/data")).await);
    let (.., page) = get(&nested, "/below/of/data").await;
    for address in attributes(&page, "src") {
        assert_eq!(
            get(&nested, &format!("/below/of/{address}")).await.0,
            StatusCode::OK
        );
    }
}

#[tokio::test]
async fn the_path_is_found_with_or_without_its_slashes() {
    for (path, page) in [("data", "/data"), ("/of/data/", "/of/data"), ("/", "/")] {
        let service = service(Browse::new().at(path)).await;
        let (status, _, text) = get(&service, page).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        let folder = page.rsplit_once('/').unwrap().0;
        for address in attributes(&text, "src") {
            let (status, ..) = get(&service, &format!("{folder}/{address}")).await;
            assert_eq!(status, StatusCode::OK, "{address}");
        }
    }
    let service = service(Browse::new()).await;
    let (status, headers, _) = get(&service, "/browse/").await;
    assert_eq!(status, StatusCode::PERMANENT_REDIRECT);
    assert_eq!(header(&headers, "location"), "../browse");
}

#[tokio::test]
async fn an_issuer_is_the_only_other_host_of_the_policy() {
    for (issuer, origin) in [
        (
            "https://login.example.com/realms/main",
            "https://login.example.com",
        ),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://a.example; script-src *", "https://a.example"),
    ] {
        let service = service(Browse::new().client_id("browse").issuer(issuer)).await;
        let (_, headers, _) = get(&service, "/browse").await;
        let policy = header(&headers, "content-security-policy");
        assert!(
            policy.contains(&format!("connect-src 'self' {origin};")),
            "{policy}"
        );
        assert!(policy.contains("script-src 'self';"), "{policy}");
    }
}
