//! Sampled edits of structs, compiled: the compiler tells of each what the comparison of their definitions tells, and so do
//! `build` and `api.lock`.
//!
//! `EVOLUTION_STRUCTS=1000 cargo test -p resource-tests --test evolution` compiles more of them.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use proptest::prelude::RngExt as _;
use resource_model::schema::ResourceDefinition;
use resource_model::schema::evolution::{Comparison, Text};
use serde_json::Value;

use crate::edits::{
    BREAKING, BREAKING_REST, COMPATIBLE, COMPATIBLE_REST, DEFAULTS, TYPES, Thing, WIDENING, edited,
    numbers,
};
use crate::random::assert_told_by_lock;
use crate::told::{found_by_compiler, told_by_build, told_by_compiler, words};

#[test]
fn compiler_build_and_lock_agree_on_sampled_edits() {
    let count: usize =
        env::var("EVOLUTION_STRUCTS").map_or(100, |it| it.parse().expect("a number"));
    let mut random = numbers(4);
    let breaking = [&BREAKING[..], &WIDENING, &DEFAULTS, &BREAKING_REST].concat();
    let compatible = [&COMPATIBLE[..], &COMPATIBLE_REST].concat();
    let mut source =
        format!("#![allow(dead_code)] use resource_runtime::{{ApiResource, FieldValue}};{TYPES}");
    let mut pairs = BTreeMap::new();
    while pairs.len() < count {
        let old = Thing::random(&mut random);
        let mut new = old.clone();
        new.table = if random.random_bool(0.5) {
            "things"
        } else {
            "others"
        };
        let is_breaking = random.random_bool(0.7);
        let edits = if is_breaking { &breaking } else { &compatible };
        if let Some((word, place, _)) = edited(&mut new, edits, &mut random) {
            let broken = is_breaking.then_some((word, place));
            assert_told_by_lock(&old, &new, broken.as_slice());
            let number = pairs.len();
            write!(
                source,
                "mod m{number} {{ use super::*;\n{}",
                old.source("Old", 1, None)
            )
            .unwrap();
            // The error stands in the lines of this struct.
            pairs.insert(source.lines().count() + 1, (old.clone(), new.clone()));
            writeln!(source, "{}}}", new.source("New", 2, Some("Old"))).unwrap();
        }
    }
    let mut errors = errors(&source);
    let mut told = 0;
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    for (line, (old, new)) in pairs {
        let [old, new] = old.pair(&new);
        lines[line - 1] = approving(&lines[line - 1], old, new);
        let expected = told_by_compiler(old, new);
        told += usize::from(expected.is_some());
        let text = errors.remove(&line);
        let text = text
            .as_deref()
            .map(|it| it.strip_prefix("evaluation panicked: ").unwrap_or(it));
        assert_eq!(
            text,
            expected.as_deref(),
            "{}",
            source.lines().nth(line - 1).unwrap()
        );
        // Of what `build` tells, the compiler lacks values of defaults alone.
        let mut by_build = words(&told_by_build(&[old, new]));
        if expected.is_none() {
            by_build.retain(|word| word != "default");
        }
        let found = found_by_compiler(old, new);
        let mut found: Vec<&str> = found.iter().map(|(_, rule, _)| rule.entry().word).collect();
        found.sort_unstable();
        assert_eq!(by_build, found);
    }
    assert!(errors.is_empty(), "{errors:?}\n{source}");
    assert!(told > count / 3, "{told} of {count}");
    // The approvals that messages ask for, word by word.
    let approving = lines.join("\n");
    assert_eq!(self::errors(&approving), BTreeMap::new(), "{approving}");
}

/// The source of a struct with each approval that the messages about it ask for.
fn approving(
    source: &str,
    old: &'static ResourceDefinition,
    new: &'static ResourceDefinition,
) -> String {
    let findings = Comparison::of(old.facts(), new.facts()).findings();
    findings
        .into_iter()
        .fold(source.to_owned(), |source, (place, finding)| {
            let mut text = Text::new();
            text.add_problem(&finding, old.version(), place.is_none());
            let (_, approval) = text.as_str().rsplit_once("write `").unwrap();
            let approval = format!("#[resource({})] ", approval.strip_suffix('`').unwrap());
            let item = place.map_or(String::from("pub struct"), |place| {
                format!("pub {}:", new.all_attributes()[place].name())
            });
            source.replace(&item, &(approval + &item))
        })
}

/// A hundred versions, each like the one before it, with an attribute more and one less, or with a limit that is approved.
fn versions(fields: usize, change: &str, follows: bool) -> String {
    let own = [
        "max_length = 80",
        "min_length = 1",
        "default = \"a\"",
        "write_only",
    ];
    let fields = (2..fields).map(|it| format!("#[resource({})] field_{it}: String,", own[it % 4]));
    let fields = fields.collect::<String>();
    let versions = (1..=VERSIONS).map(|version| {
        let followed = format!(", follows = V{}", version - 1);
        let follows = if follows && version > 1 { &*followed } else { "" };
        let last = if change == "another" { version } else { 0 };
        let (length, approval) = match (change, follows) {
            ("approved", "") => (1000 - version, ""),
            ("approved", _) => (1000 - version, ", breaks(tighter = \"nobody sends more\", old_items = \"few\")"),
            _ => (1000, ""),
        };
        let fields = fields.replacen("= 80", &format!("= {length}{approval}"), 1);
        format!(
            "#[derive(resource_runtime::ApiResource)] \
             #[resource(name = \"A\", url = \"/a\", version = \"{version}.0\"{follows})] pub struct V{version} {{ \
             id: i64, {fields} #[resource(deprecated(since = \"2027-01-01\"))] last_{last}: Option<i64> }}"
        )
    });
    // A service registers its versions, so that the compiler makes their definitions, whoever follows them.
    let definitions = (1..=VERSIONS)
        .map(|version| format!("<V{version} as resource_runtime::ApiResource>::DEFINITION,"));
    format!(
        "{} pub static ALL: &[&resource_runtime::schema::ResourceDefinition] = &[{}];",
        versions.collect::<String>(),
        definitions.collect::<String>()
    )
}

const VERSIONS: u32 = 100;

/// The CPU time in milliseconds, by user and system, that the compiler needs for a source.
fn cost(folder: &Path, runtime: &Path, source: &str) -> f64 {
    let spent = || {
        let used = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
        let times = [used.user_time(), used.system_time()];
        times.map(|it| it.num_microseconds()).iter().sum::<i64>()
    };
    let before = spent();
    assert!(compiled(folder, runtime, source).0);
    Duration::from_micros((spent() - before).unsigned_abs()).as_secs_f64() * 1e3
}

#[test]
#[ignore = "it measures, for `docs/performance.md`"]
fn cost_of_a_version_that_follows_another() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = library(folder.path());
    for change in ["none", "another", "approved"] {
        for fields in [8, 12] {
            let cost = |follows| cost(folder.path(), &runtime, &versions(fields, change, follows));
            // Both in turn, so that both are disturbed alike.
            let costs: Vec<[f64; 2]> = (0..9).map(|_| [cost(false), cost(true)]).collect();
            let [without, with] = [0, 1].map(|which| {
                let costs = costs.iter().map(|it| it[which]);
                costs.fold(f64::INFINITY, f64::min)
            });
            let each = |milliseconds: f64| milliseconds / f64::from(VERSIONS - 1);
            println!(
                "{fields} fields, change: {change}: {:.2} ms beside {:.1} ms",
                each(with - without),
                each(without)
            );
        }
    }
}

/// The texts of the errors that the compiler tells, by their lines.
fn errors(source: &str) -> BTreeMap<usize, String> {
    let folder = tempfile::tempdir().unwrap();
    let runtime = library(folder.path());
    let (_, output) = compiled(folder.path(), &runtime, source);
    let mut errors = BTreeMap::new();
    for line in output.lines().filter(|it| it.starts_with('{')) {
        let told: Value = serde_json::from_str(line).unwrap();
        if told["level"] != "error" || told["spans"] == serde_json::json!([]) {
            continue;
        }
        let line = told["spans"][0]["line_start"].as_u64().unwrap();
        let text = told["message"].as_str().unwrap().to_owned();
        assert_eq!(told["code"]["code"], "E0080", "{told}\n{source}");
        assert_eq!(
            errors.insert(usize::try_from(line).unwrap(), text),
            None,
            "{told}"
        );
    }
    errors
}

/// The library as this test was linked with it: the newest with which a struct compiles.
fn library(folder: &Path) -> PathBuf {
    let files = dependencies()
        .read_dir()
        .unwrap()
        .map(|file| file.unwrap().path());
    let is_one = |it: &PathBuf| {
        let name = it.file_name().unwrap().to_string_lossy();
        name.starts_with("libresource_runtime-") && name.ends_with(".rlib")
    };
    let mut files: Vec<PathBuf> = files.filter(is_one).collect();
    files.sort_by_key(|it| it.metadata().and_then(|it| it.modified()).unwrap());
    let sound = "#[derive(resource_runtime::ApiResource)] \
        #[resource(name = \"A\", url = \"/a\", version = \"1.0\")] pub struct A { id: i64 }";
    let mut newest_first = files.into_iter().rev();
    newest_first
        .find(|it| compiled(folder, it, sound).0)
        .expect("the library of this test")
}

fn dependencies() -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// True where the source compiles, and what the compiler writes.
fn compiled(folder: &Path, runtime: &Path, source: &str) -> (bool, String) {
    let file = folder.join("lib.rs");
    fs::write(&file, source).unwrap();
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "--error-format=json",
        ])
        .arg("-L")
        .arg(format!("dependency={}", dependencies().display()))
        .arg("--extern")
        .arg(format!("resource_runtime={}", runtime.display()))
        .arg("--out-dir")
        .arg(folder)
        .arg(file)
        .output()
        .expect("a compiler");
    (
        output.status.success(),
        String::from_utf8(output.stderr).unwrap(),
    )
}
