//! The routes of an API, as a table and as JSON.

use resource_model::schema::{Access, Operation, Requirement};
use serde::Serialize;

use crate::Api;
use crate::http::Mount;

const HEADINGS: [&str; 5] = ["METHOD", "PATH", "OPERATION", "VERSIONS", "ACCESS"];

/// An operation of a version of a resource, with the names of its JSON.
#[derive(Debug, Serialize)]
pub(super) struct Route {
    methods: &'static [&'static str],
    path: String,
    operation: &'static str,
    resource: &'static str,
    version: String,
    /// True where the same operation is served below `latest`, which has no entry of its own.
    latest: bool,
    access: RouteAccess,
}

/// The callers who may use an operation; scopes stand in an object that says how many of them are needed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum RouteAccess {
    Nobody,
    Public,
    All(&'static [&'static str]),
    Any(&'static [&'static str]),
}

/// A line for each operation of each version of a resource.
pub(super) fn table(api: &Api) -> String {
    let mut rows = vec![HEADINGS.map(String::from)];
    rows.extend(routes(api).map(Route::into_row));
    aligned(&rows)
}

/// The operations of all versions, which are a JSON array.
pub(super) fn routes(api: &Api) -> impl Iterator<Item = Route> {
    // Resources stand in the order of their registration, as in the index.
    api.mounts().iter().flat_map(move |mount| {
        let operations = mount.definition().offered_operations().iter();
        operations.map(move |operation| route(api, mount, *operation))
    })
}

fn route(api: &Api, mount: &Mount, operation: Operation) -> Route {
    let definition = mount.definition();
    // The path of an item has its key behind that of the collection.
    let item = if operation.is_of_item() { "/{id}" } else { "" };
    let version = definition.version();
    let (root, collection) = (api.root(), definition.collection());
    // Without authentication, everybody may do everything, whatever is declared.
    let guard = definition.declared_guard().filter(|_| api.is_guarded());
    let access = guard.map_or(Access::Public, |guard| guard.access(operation));
    Route {
        methods: operation.methods(),
        path: format!("{root}/{version}/{collection}{item}"),
        operation: operation.name(),
        resource: definition.name(),
        version: version.to_string(),
        latest: mount.is_latest,
        access: match access {
            Access::Nobody => RouteAccess::Nobody,
            Access::Public => RouteAccess::Public,
            Access::Scopes(Requirement::All(scopes)) => RouteAccess::All(scopes),
            Access::Scopes(Requirement::Any(scopes)) => RouteAccess::Any(scopes),
        },
    }
}

impl Route {
    fn into_row(self) -> [String; 5] {
        let latest = if self.latest { ", latest" } else { "" };
        [
            self.methods.join(","),
            self.path,
            format!("{} {}", self.operation, self.resource),
            self.version + latest,
            match self.access {
                RouteAccess::Nobody => String::from("nobody"),
                RouteAccess::Public => String::from("public"),
                RouteAccess::All(scopes) => scopes.join(" and "),
                RouteAccess::Any(scopes) => scopes.join(" or "),
            },
        ]
    }
}

/// Lines with columns as wide as their widest cell, without spaces at the end.
fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    // The first pass finds the width of each column, headings included; the second one writes.
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            // The padding of `format!` counts characters, too.
            *width = cell.chars().count().max(*width);
        }
    }
    rows.iter().fold(String::new(), |text, row| {
        let cells = row.iter().zip(widths);
        let line = cells.fold(String::new(), |line, (cell, width)| {
            line + &format!("{cell:width$}  ")
        });
        text + line.trim_end() + "\n"
    })
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["a", "long", "x"], ["größer", "b", ""]];
        let rows = rows.map(|row| row.map(String::from));
        assert_eq!(aligned(&rows), "a       long  x\ngrößer  b\n");
    }
}
