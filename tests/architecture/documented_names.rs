//! Test of the names in ARCHITECTURE.md: each of its files, folders and functions exists.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders in which a name of the document may lie.
const BASES: [&str; 3] = ["resource-runtime/src", "resource-macros/src", ""];

/// Packages by their short names.
const PACKAGES: [(&str, &str); 2] = [
    ("model/", "resource-runtime/model/src/"),
    ("sql/", "resource-runtime/sql/src/"),
];

#[test]
fn names_in_architecture_md_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the document");
    let missing: Vec<&str> = names(&text).filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "these names do not exist: {missing:#?}");
    let functions = names(&text).filter(|name| name.contains("::")).count();
    assert!(functions > 50, "the document tells {functions} functions");
}

#[test]
fn missing_names_are_found() {
    for missing in [
        "http/lists.rs",
        "http/list.rs::lists",
        "operation/write.rs::Writes::store",
        "operation/write.rs::Write::stored",
        "encode/",
    ] {
        let text = format!("see `{missing}` of it");
        let found: Vec<&str> = names(&text).collect();
        assert_eq!(found, [missing]);
        assert!(!exists(missing), "{missing}");
    }
    for present in [
        "http/list.rs::list",
        "operation/write.rs::Write::run",
        "sql/",
    ] {
        assert!(exists(present), "{present}");
    }
}

/// Paths of the repository that stand between backticks: `sql/`, `sql/page.rs`, `sql/page.rs::page`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    // Every second part stands between two backticks.
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|name| {
        let path = name.split("::").next().unwrap_or_default();
        let is_path = path
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || "_-./".contains(it));
        let is_source = Path::new(path).extension().is_some_and(|it| it == "rs");
        is_path && (is_source || path.ends_with('/'))
    })
}

fn exists(name: &str) -> bool {
    let (path, items) = name.split_once("::").unwrap_or((name, ""));
    let in_bases = BASES.iter().map(|base| root().join(base).join(path));
    let in_packages = PACKAGES.iter().filter_map(|(short, long)| {
        let within = path.strip_prefix(short)?;
        Some(root().join(long).join(within))
    });
    in_bases
        .chain(in_packages)
        .any(|found| match fs::read_to_string(&found) {
            Ok(source) => items.split("::").all(|item| declares(&source, item)),
            Err(_) => items.is_empty() && found.is_dir(),
        })
}

/// Tests that a source declares a function, type, trait or constant or static of this name, or implements it.
fn declares(source: &str, name: &str) -> bool {
    let kinds = ["fn", "struct", "enum", "trait", "impl", "const", "static"];
    name.is_empty()
        || kinds.iter().any(|kind| {
            let declaration = format!("{kind} {name}");
            source.match_indices(&declaration).any(|(start, _)| {
                let next = source[start + declaration.len()..].chars().next();
                next.is_none_or(|it| !(it.is_alphanumeric() || it == '_'))
            })
        })
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
