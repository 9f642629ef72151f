use resource_model::schema::{Access, Operation, Requirement};

use super::table::aligned;
use crate::Api;
use crate::http::Mount;

const HEADINGS: [&str; 5] = ["METHOD", "PATH", "OPERATION", "VERSIONS", "ACCESS"];

/// A line for each operation of each version of a resource.
pub(super) fn table(api: &Api) -> String {
    let headings = [HEADINGS.map(String::from)].into_iter();
    let mounts = api.mounts().iter();
    let rows = headings.chain(mounts.flat_map(|mount| rows(api, mount)));
    let rows: Vec<_> = rows.collect();
    aligned(&rows)
}

fn rows(api: &Api, mount: &Mount) -> impl Iterator<Item = [String; 5]> {
    let operations = mount.definition().offered_operations().iter();
    operations.map(|operation| row(api, mount, *operation))
}

fn row(api: &Api, mount: &Mount, operation: Operation) -> [String; 5] {
    let definition = mount.definition();
    let item = if operation.is_of_item() { "/{id}" } else { "" };
    let version = definition.version();
    let (root, collection) = (api.root(), definition.collection());
    let latest = if mount.is_latest { ", latest" } else { "" };
    let access = definition
        .declared_guard()
        .filter(|_| api.is_guarded())
        .map_or(Access::Public, |guard| guard.access(operation));
    [
        operation.method().to_owned(),
        format!("{root}/{version}/{collection}{item}"),
        format!("{} {}", operation.name(), definition.name()),
        format!("{version}{latest}"),
        told(access),
    ]
}

fn told(access: Access) -> String {
    match access {
        Access::Nobody => String::from("nobody"),
        Access::Public => String::from("public"),
        Access::Scopes(Requirement::All(scopes)) => scopes.join(" and "),
        Access::Scopes(Requirement::Any(scopes)) => scopes.join(" or "),
    }
}
