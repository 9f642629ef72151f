//! Layers: the folders of the runtime and of its model, in the order in which they may import one another.

use std::collections::BTreeMap;

use syn::{Item, UseTree};

/// The layers, from the ground up: a layer imports from those before it. A module within another is a layer
/// of its own where it is listed.
pub(crate) const LAYERS: &[&str] = &[
    "boxed",
    "locked",
    "clock",
    "conventions",
    "error",
    "value",
    "schema",
    "registry",
    "checks",
    "failure",
    "json",
    "authorization",
    "query",
    "column",
    "store",
    "items",
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
    "shared",
    "handlers",
    "cli",
    "__private",
    "samples",
    "guides",
    "fuzzing",
];

/// The position of a layer in the order, and its name.
pub(crate) type Layer = (usize, &'static str);

/// The layer of a path: its innermost folder that is one.
pub(crate) fn of(path: &[String]) -> Option<Layer> {
    let is_within = |layer: &str| {
        let mut names = path.iter();
        layer
            .split("::")
            .all(|name| names.next().is_some_and(|it| it == name))
    };
    let within = LAYERS
        .iter()
        .enumerate()
        .filter(|(_, layer)| is_within(layer));
    within
        .max_by_key(|(_, layer)| layer.len())
        .map(|(position, layer)| (position, *layer))
}

/// Names that the root of the crate re-exports, with the modules that they lead to: `Error` to `error`.
pub(crate) fn reexports(root: &syn::File) -> BTreeMap<String, Vec<String>> {
    let mut names = BTreeMap::new();
    for item in &root.items {
        if let Item::Use(item) = item {
            collect_reexports(&item.tree, &mut Vec::new(), &mut names);
        }
    }
    names
}

fn collect_reexports(
    tree: &UseTree,
    path: &mut Vec<String>,
    names: &mut BTreeMap<String, Vec<String>>,
) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            collect_reexports(&inner.tree, path, names);
            path.pop();
        }
        UseTree::Name(name) => {
            let whole = path.iter().cloned().chain([name.ident.to_string()]);
            add_reexport(name.ident.to_string(), whole.collect(), names);
        }
        UseTree::Rename(renamed) => {
            let whole = path.iter().cloned().chain([renamed.ident.to_string()]);
            add_reexport(renamed.rename.to_string(), whole.collect(), names);
        }
        UseTree::Group(group) => {
            for inner in &group.items {
                collect_reexports(inner, path, names);
            }
        }
        UseTree::Glob(_) => {}
    }
}

/// Adds a name that leads to a layer: other crates are re-exported, too, and a derive has the name of its
/// trait.
fn add_reexport(name: String, path: Vec<String>, names: &mut BTreeMap<String, Vec<String>>) {
    if of(&path).is_some() {
        names.insert(name, path);
    }
}
