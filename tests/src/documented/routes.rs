//! Comparison of the routes of an API with the operations that its document describes.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use resource_runtime::Api;
use resource_testing::Client;
use serde_json::Value;

/// Asserts that every path has exactly the methods that this document describes for it.
pub(super) async fn check(api: &Api, document: &Value) {
    let client = Client::of(&api.router());
    let described = document["paths"].as_object().expect("an object");
    let index = described.keys().min_by_key(|path| path.len());
    let index = index.expect("the index is described");
    let known = described.keys().cloned();
    let paths: BTreeSet<String> = known.chain(served(&client, index).await).collect();
    for path in paths {
        let item = described.get(&path).unwrap_or(&Value::Null);
        // Any id serves: `OPTIONS` asks for the methods of a route, not for an item.
        let methods = of_route(&client, &path.replace("{id}", "1")).await;
        assert_eq!(methods, of_item(item), "{path}");
    }
}

/// Paths of the collections that the index names, and of their items.
async fn served(client: &Client, index: &str) -> Vec<String> {
    let body = client.get(index).await.json();
    let resources = body["resources"].as_array().expect("a list");
    let collections = resources.iter().map(|resource| {
        let collection = resource["collection"].as_str().expect("a name");
        format!("{index}/{collection}")
    });
    let collections = collections.flat_map(|path| [format!("{path}/{{id}}"), path]);
    collections.collect()
}

/// Methods of the router for a path, without those that every path has.
async fn of_route(client: &Client, path: &str) -> BTreeSet<String> {
    let request = Request::options(path).body(Body::empty());
    let response = client.request(request.expect("a request")).await;
    if response.status() == StatusCode::NOT_FOUND {
        return BTreeSet::new();
    }
    let allowed = response
        .header("allow")
        .split(',')
        .map(|method| method.trim().to_owned());
    allowed
        .filter(|method| !["HEAD", "OPTIONS"].contains(&method.as_str()))
        .collect()
}

fn of_item(item: &Value) -> BTreeSet<String> {
    let methods = ["get", "post", "put", "patch", "delete"].into_iter();
    let described = methods.filter(|method| item.get(method).is_some());
    described.map(str::to_uppercase).collect()
}
