//! The routes of an API as a table.

use resource_model::schema::{Access, Operation, Requirement};

use crate::Api;
use crate::http::Mount;

const HEADINGS: [&str; 5] = ["METHOD", "PATH", "OPERATION", "VERSIONS", "ACCESS"];

/// A line for each operation of each version of a resource.
pub(super) fn table(api: &Api) -> String {
    let mut rows = vec![HEADINGS.map(String::from)];
    // Resources stand in the order of their registration, as in the index.
    for mount in api.mounts() {
        let operations = mount.definition().offered_operations().iter();
        rows.extend(operations.map(|operation| row(api, mount, *operation)));
    }
    aligned(&rows)
}

fn row(api: &Api, mount: &Mount, operation: Operation) -> [String; 5] {
    let definition = mount.definition();
    // The path of an item has its key behind that of the collection.
    let item = if operation.is_of_item() { "/{id}" } else { "" };
    let version = definition.version();
    let (root, collection) = (api.root(), definition.collection());
    // The same operation is served below `latest`, which has no line of its own.
    let latest = if mount.is_latest { ", latest" } else { "" };
    // Without authentication, everybody may do everything, whatever is declared.
    let access = definition
        .declared_guard()
        .filter(|_| api.is_guarded())
        .map_or(Access::Public, |guard| guard.access(operation));
    [
        operation.methods().join(","),
        format!("{root}/{version}/{collection}{item}"),
        format!("{} {}", operation.name(), definition.name()),
        format!("{version}{latest}"),
        access_text(access),
    ]
}

fn access_text(access: Access) -> String {
    match access {
        Access::Nobody => String::from("nobody"),
        Access::Public => String::from("public"),
        Access::Scopes(Requirement::All(scopes)) => scopes.join(" and "),
        Access::Scopes(Requirement::Any(scopes)) => scopes.join(" or "),
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
