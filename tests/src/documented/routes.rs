//! Comparison of the routes of an API with the operations that its document describes.

use std::collections::BTreeSet;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode};
use resource_runtime::Api;
use serde_json::Value;
use tower::ServiceExt as _;

/// Limit for the index of a version, in bytes: more than any has.
const MOST_BYTES: usize = 1 << 20;

/// Asserts that every path has exactly the methods that this document describes for it.
pub(super) async fn check(api: &Api, document: &Value) {
    let router = api.router();
    let described = document["paths"].as_object().expect("an object");
    let index = described.keys().min_by_key(|path| path.len());
    let index = index.expect("the index is described");
    let known = described.keys().cloned();
    let paths: BTreeSet<String> = known.chain(served(&router, index).await).collect();
    for path in paths {
        let item = described.get(&path).unwrap_or(&Value::Null);
        // Any id serves: `OPTIONS` asks for the methods of a route, not for an item.
        let methods = of_route(&router, &path.replace("{id}", "1")).await;
        assert_eq!(methods, of_item(item), "{path}");
    }
}

/// Paths of the collections that the index names, and of their items.
async fn served(router: &Router, index: &str) -> Vec<String> {
    let answer = ask(router, "GET", index).await;
    let body = to_bytes(answer.into_body(), MOST_BYTES).await;
    let body: Value = serde_json::from_slice(&body.expect("a body")).expect("JSON");
    let resources = body["resources"].as_array().expect("a list");
    let collections = resources.iter().map(|resource| {
        let collection = resource["collection"].as_str().expect("a name");
        format!("{index}/{collection}")
    });
    let collections = collections.flat_map(|path| [format!("{path}/{{id}}"), path]);
    collections.collect()
}

/// Methods of the router for a path, without those that every path has.
async fn of_route(router: &Router, path: &str) -> BTreeSet<String> {
    let answer = ask(router, "OPTIONS", path).await;
    if answer.status() == StatusCode::NOT_FOUND {
        return BTreeSet::new();
    }
    let allowed = answer.headers()["allow"].to_str().expect("readable");
    let allowed = allowed.split(',').map(|method| method.trim().to_owned());
    allowed
        .filter(|method| !["HEAD", "OPTIONS"].contains(&method.as_str()))
        .collect()
}

fn of_item(item: &Value) -> BTreeSet<String> {
    let methods = ["get", "post", "put", "delete"].into_iter();
    let described = methods.filter(|method| item.get(method).is_some());
    described.map(str::to_uppercase).collect()
}

async fn ask(router: &Router, method: &str, path: &str) -> Response<Body> {
    let request = Request::builder().method(method).uri(path);
    let request = request.body(Body::empty()).expect("a request");
    let answer = router.clone().oneshot(request).await;
    answer.unwrap_or_else(|never| match never {})
}
