//! The folders of the runtime and of its model in the order in which they may know one another.

use std::collections::BTreeMap;

use syn::{Item, UseTree};

/// The rooms, from the ground up: a room imports from those before it. A module within another is a room of
/// its own where it is named.
pub(crate) const ROOMS: &[&str] = &[
    "boxed",
    "unnamed_file",
    "error",
    "value",
    "schema",
    "registry",
    "checks",
    "failure",
    "authorization",
    "query",
    "store",
    "hooks",
    "operation",
    "catalogue",
    "metrics",
    "http::extract",
    "http::respond",
    "http::middleware",
    "http",
    "openapi",
    "docs",
    "serve",
    "api",
    "seam",
    "cli",
    "__private",
    "samples",
    "guides",
    "fuzzing",
];

/// The place of a room in the order, and its name.
pub(crate) type Room = (usize, &'static str);

/// The room of what a path names, by its innermost folder that is one.
pub(crate) fn of(path: &[String]) -> Option<Room> {
    let is_within = |room: &str| {
        let mut names = path.iter();
        room.split("::")
            .all(|name| names.next().is_some_and(|it| it == name))
    };
    let within = ROOMS.iter().enumerate().filter(|(_, room)| is_within(room));
    within
        .max_by_key(|(_, room)| room.len())
        .map(|(place, room)| (place, *room))
}

/// Names that the root of the crate re-exports, with the modules that they lead to: `Error` to `error`.
pub(crate) fn handed_on(root: &syn::File) -> BTreeMap<String, Vec<String>> {
    let mut names = BTreeMap::new();
    for item in &root.items {
        if let Item::Use(item) = item {
            hand_on(&item.tree, &mut Vec::new(), &mut names);
        }
    }
    names
}

fn hand_on(tree: &UseTree, path: &mut Vec<String>, names: &mut BTreeMap<String, Vec<String>>) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            hand_on(&inner.tree, path, names);
            path.pop();
        }
        UseTree::Name(name) => {
            let whole = path.iter().cloned().chain([name.ident.to_string()]);
            keep(name.ident.to_string(), whole.collect(), names);
        }
        UseTree::Rename(renamed) => {
            let whole = path.iter().cloned().chain([renamed.ident.to_string()]);
            keep(renamed.rename.to_string(), whole.collect(), names);
        }
        UseTree::Group(group) => {
            for inner in &group.items {
                hand_on(inner, path, names);
            }
        }
        UseTree::Glob(_) => {}
    }
}

/// Keeps a name that leads to a room: other crates are re-exported, too, and a derive has the name of its
/// trait.
fn keep(name: String, path: Vec<String>, names: &mut BTreeMap<String, Vec<String>>) {
    if of(&path).is_some() {
        names.insert(name, path);
    }
}
