//! Test of the imports, which run one way: a layer imports from those below it, never from one above.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::{crate_paths, layers};

/// A path in a file of one layer that leads to a layer above it.
struct Upward {
    from: &'static str,
    to: &'static str,
    file: String,
    path: String,
}

#[test]
fn imports_run_one_way() {
    let upward = upward();
    let mut pairs: BTreeMap<(&str, &str), Vec<&Upward>> = BTreeMap::new();
    for it in &upward {
        pairs.entry((it.from, it.to)).or_default().push(it);
    }
    let mut text = String::new();
    for ((from, to), all) in pairs {
        let _ = writeln!(text, "{from} -> {to}: {}", all.len());
        for it in all {
            let _ = writeln!(text, "    {}: {}", it.file, it.path);
        }
    }
    assert!(upward.is_empty(), "imports that run back up:\n{text}");
}

/// Tries each way to write an import, in a file of `query`, which stands before `store` and `api`.
#[test]
fn every_form_of_an_upward_import_is_found() {
    let root = syn::parse_str("pub use api::{Api, ApiBuilder as Builder};").expect("a root");
    let reexports = layers::reexports(&root);
    for planted in [
        "use crate::store::Statement;",
        "use crate::{error::Failure, store::{self as kept, row::Row as R}};",
        "use crate::store::*;",
        "use super::super::super::store;",
        "use crate::Api;",
        "fn api() { let _ = crate::Api::builder(); }",
        "use crate::{value::Value, Builder};",
        "fn sql() -> Result<crate::store::Statement, ()> { todo!() }",
        "fn sql() { let _ = <u8 as crate::store::Write>::write; }",
        "fn sql() { println!(\"{}\", crate::store::NAME); }",
        "macro_rules! sql { () => { $crate::store::NAME } }",
        "mod inner { use super::super::super::super::store::Statement; }",
        "#[cfg(feature = \"test\")] use crate::store::Statement;",
    ] {
        let file = syn::parse_str(planted).expect("a source");
        let found = upward_of(&file, Path::new("query/filter/terms.rs"), &reexports);
        assert!(!found.is_empty(), "{planted}");
    }
    for fine in [
        "use crate::schema::Attribute;",
        "use super::order::Order;",
        "use crate::storex::Row;",
        "fn sql() { let sql = self::sql::sql(); }",
        "#[cfg(test)] mod tests { use crate::store::Statement; }",
    ] {
        let file = syn::parse_str(fine).expect("a source");
        let found = upward_of(&file, Path::new("query/filter/terms.rs"), &reexports);
        assert!(found.is_empty(), "{fine}");
    }
}

/// Upward imports within each package; between packages, Cargo permits no cycles.
fn upward() -> Vec<Upward> {
    let packages = ["../resource-runtime/src", "../resource-runtime/model/src"];
    packages.into_iter().flat_map(upward_within).collect()
}

fn upward_within(package: &str) -> Vec<Upward> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(package);
    let reexports = layers::reexports(&parsed(&root.join("lib.rs")));
    let upward = sources(&root).into_iter().flat_map(|file| {
        let relative = file.strip_prefix(&root).expect("it is within");
        upward_of(&parsed(&file), relative, &reexports)
    });
    upward.collect()
}

fn upward_of(
    file: &syn::File,
    path: &Path,
    reexports: &BTreeMap<String, Vec<String>>,
) -> Vec<Upward> {
    let module = crate_paths::module_of(path);
    // The root of a crate belongs to no layer: it declares them all.
    if module == ["lib"] {
        return Vec::new();
    }
    let (place, from) = layers::of(&module).unwrap_or_else(|| {
        panic!(
            "{} belongs to no layer; add its folder to `LAYERS`",
            path.display()
        )
    });
    let paths = crate_paths::of_file(file, &module).into_iter();
    let paths = paths.map(|written| {
        // `crate::Api` counts as `crate::api::Api`, which the root re-exports.
        let of_root = written.split_first().and_then(|(name, rest)| {
            let led = reexports.get(name)?;
            Some(led.iter().chain(rest).cloned().collect())
        });
        of_root.unwrap_or(written)
    });
    let upward = paths.filter_map(|led| {
        let (_, to) = layers::of(&led).filter(|(above, _)| *above > place)?;
        Some(Upward {
            from,
            to,
            file: path.display().to_string(),
            path: led.join("::"),
        })
    });
    upward.collect()
}

fn parsed(file: &Path) -> syn::File {
    let text = fs::read_to_string(file).expect("a source");
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // Tests may import from every layer.
        if name.ends_with("tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
