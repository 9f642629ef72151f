//! The words of the comments: each file says what it is, and no item is described by a question.

use std::fs;
use std::path::Path;

use super::imports::sources;

/// The folders whose comments are read.
const FOLDERS: [&str; 12] = [
    "resource-macros/src",
    "resource-runtime/model/src",
    "resource-runtime/sql/src",
    "resource-runtime/src",
    "extensions/resource-authorization-server/src",
    "extensions/resource-lock/src",
    "extensions/resource-oauth2/src",
    "extensions/resource-server/src",
    "extensions/resource-testing/src",
    "benchmark/src",
    "examples",
    "tests/src",
];

/// The words that begin a clause in the place of a noun or a verb.
const CLAUSES: [&str; 9] = [
    "What", "Who", "Whose", "Whether", "How", "Where", "When", "Why", "Which",
];

#[test]
fn files_begin_with_a_sentence() {
    let mut silent = files();
    silent.retain(|(_, text)| !begins_with_sentence(text));
    let silent: Vec<&String> = silent.iter().map(|(path, _)| path).collect();
    assert!(
        silent.is_empty(),
        "these files do not say what they are: {silent:#?}"
    );
}

#[test]
fn no_item_doc_begins_with_a_clause() {
    let mut found = Vec::new();
    for (path, text) in files() {
        found.extend(
            clauses(&text)
                .into_iter()
                .map(|line| format!("{path}:{line}")),
        );
    }
    assert!(
        found.is_empty(),
        "begin these with a noun or a verb: {found:#?}"
    );
}

#[test]
fn clauses_and_files_without_a_sentence_are_found() {
    for told in [
        "/// What a client asks.\nfn f() {}",
        "//! Who calls.\n",
        "/// A query.\n///\n/// Whether it is one.\nfn f() {}",
    ] {
        assert_eq!(clauses(told).len(), 1, "{told}");
    }
    for fine in [
        "/// A query,\n/// What follows is not the beginning.\nfn f() {}",
        "/// Whatever a client asks.\nfn f() {}",
        "let url = \"/// What\";",
    ] {
        assert!(clauses(fine).is_empty(), "{fine}");
    }
    assert!(begins_with_sentence("//! A file.\n"));
    assert!(begins_with_sentence(
        "#![doc = include_str!(\"README.md\")]\n"
    ));
    assert!(!begins_with_sentence("use std::fmt;\n\n//! Late.\n"));
}

fn begins_with_sentence(text: &str) -> bool {
    let mut lines = text
        .lines()
        .take_while(|line| line.starts_with("#![") || line.starts_with("//!"));
    lines.any(|line| line.starts_with("//! ") || line.starts_with("#![doc = "))
}

/// The lines, counted from 1, where a paragraph of documentation begins with a clause.
fn clauses(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut within = false;
    for (line, number) in text.lines().map(str::trim_start).zip(1..) {
        let doc = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        let told = doc.unwrap_or_default().trim();
        let first = told.split(|it: char| !it.is_alphabetic()).next();
        if !within && first.is_some_and(|word| CLAUSES.contains(&word)) {
            found.push(number);
        }
        within = !told.is_empty();
    }
    found
}

/// The paths and the texts of all files.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let all = FOLDERS
        .iter()
        .flat_map(|folder| sources(&root.join(folder)));
    all.map(|path| {
        let text = fs::read_to_string(&path).expect("a source");
        (path.display().to_string(), text)
    })
    .collect()
}
