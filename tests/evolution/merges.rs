//! Merges of `api.lock` by git: branches that publish different versions lose no line, and the same version twice is found.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use resource_runtime::{Api, ApiBuilder, ApiResource};

use crate::published::LockFile;

macro_rules! versions {
    ($($module:ident $version:literal $limit:literal)*) => {$(
        mod $module {
            use super::ApiResource;

            #[derive(ApiResource)]
            #[resource(name = "Setting", url = "/settings", version = $version)]
            pub(super) struct Setting {
                id: i64,
                #[resource(max_length = $limit)]
                name: String,
            }

            #[derive(ApiResource)]
            #[resource(name = "Address", url = "/addresses", version = $version)]
            pub(super) struct Address {
                id: i64,
                #[resource(max_length = $limit)]
                city: Option<String>,
                street: Option<String>,
            }
        }
    )*};
}

versions! {
    v1 "1.0" 50
    v1_1 "1.1" 50
    v1_10 "1.10" 50
    v2 "2.0" 50
    v2_other "2.0" 40
    v3 "3.0" 50
}

/// An API with both resources in these versions.
macro_rules! all {
    ($($module:ident)*) => {
        Api::builder()$(.resource::<$module::Setting>().resource::<$module::Address>())*
    };
}

/// An API with all versions.
fn api() -> ApiBuilder {
    all!(v1 v1_1 v1_10 v2 v3)
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let output = Command::new("git")
        .current_dir(folder)
        .args(identity)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {text}{error}");
    text
}

/// A repository with a file of published versions, and the rule by which it is merged.
fn repository(file: &LockFile) -> std::path::PathBuf {
    let path = file.path();
    let folder = path.parent().unwrap().to_owned();
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    fs::write(folder.join(".gitattributes"), "api.lock merge=union\n").unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message=base"]);
    folder
}

fn commit(folder: &Path, branch: &str, text: &str) {
    git(folder, &["checkout", "--quiet", "-B", branch, "main"]);
    fs::write(folder.join("api.lock"), text).unwrap();
    git(folder, &["commit", "--quiet", "--all", "--message=publish"]);
}

#[test]
fn branches_that_publish_different_versions_merge_without_a_conflict_or_a_lost_line() {
    let file = LockFile::of(api());
    let folder = repository(&file);
    let base = file.text();
    let versions = ["1.1", "1.10", "2.0", "3.0"];
    let published = versions.map(|version| {
        fs::write(file.path(), &base).unwrap();
        file.run(api(), &["lock", "--publish", version]).unwrap();
        file.text()
    });
    let mut runner = TestRunner::deterministic();
    let pairs = (0..versions.len(), 1..versions.len(), 0..8_u8);
    for _ in 0..100 {
        let (one, further, amended) = pairs.new_tree(&mut runner).unwrap().current();
        let other = (one + further) % versions.len();
        // Each side may have amended the version that both know, on a day of its own.
        let amend = |text: &str, day: u8, is_amended: bool| {
            let line = "Setting.\"1.0\".attribute.id";
            let amendment =
                format!("Setting.\"1.0\".amended.\"2026-12-0{day}\".name.tighter = \"why\"\n");
            let amended = text.replace(line, &format!("{amendment}{line}"));
            if is_amended { amended } else { text.to_owned() }
        };
        let ours = amend(&published[one], 1, amended & 1 > 0);
        let theirs = amend(&published[other], 2, amended & 2 > 0);
        commit(&folder, "theirs", &theirs);
        commit(&folder, "ours", &ours);
        git(&folder, &["merge", "--quiet", "--no-edit", "theirs"]);
        let merged = file.text();
        for line in ours.lines().chain(theirs.lines()) {
            assert!(merged.lines().any(|it| it == line), "{line}\n{merged}");
        }
        // The lines have to be sorted at most.
        file.run(api(), &["lock"]).unwrap();
        let (mut lines, sorted) = (merged.lines().collect::<Vec<_>>(), file.text());
        let mut sorted: Vec<&str> = sorted.lines().collect();
        lines.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(lines, sorted);
        assert_eq!(file.run(api(), &["lock", "--check"]).unwrap(), 0);
        git(&folder, &["checkout", "--quiet", "--force", "main"]);
    }
}

/// The file after a merge of two branches that publish 2.0, each of its own API.
fn merged(ours: ApiBuilder, theirs: ApiBuilder) -> LockFile {
    let file = LockFile::of(all!(v1));
    let folder = repository(&file);
    let base = file.text();
    let [ours, theirs] = [ours, theirs].map(|api| {
        fs::write(file.path(), &base).unwrap();
        file.run(api, &["lock", "--publish", "2.0"]).unwrap();
        file.text()
    });
    commit(&folder, "theirs", &theirs);
    commit(&folder, "ours", &ours);
    git(&folder, &["merge", "--quiet", "--no-edit", "theirs"]);
    file
}

#[test]
fn the_same_version_from_two_branches_is_refused() {
    let file = merged(all!(v1 v2), all!(v1 v2_other));
    let problems = file.problems(api());
    let [problem] = &problems[..] else {
        panic!("{problems:?}")
    };
    assert!(
        problem.contains(", line ")
            && problem.contains(
                "; two branches have changed it, so keep one of both lines, and run `lock`"
            ),
        "{problem}"
    );
}

/// Versions that differ in attributes alone, as two branches publish them on one day, and as their merge has them.
macro_rules! sizes {
    ($($module:ident { $($field:ident)* })*) => {$(
        mod $module {
            use super::ApiResource;

            #[derive(ApiResource)]
            #[resource(name = "Setting", url = "/settings", version = "2.0", table = "sizes")]
            pub(super) struct Setting {
                id: i64,
                $($field: Option<i32>,)*
            }
        }
    )*};
}

sizes! {
    wide { length material quality shape width }
    high { height length material quality shape }
    sized { height length material quality shape width }
    width_alone { width }
    height_alone { height }
}

#[test]
fn the_same_version_with_other_attributes_is_refused_or_missed_in_the_code() {
    let with_first = || {
        let first = Api::builder().resource::<v1::Setting>();
        first.resource::<v1::Address>()
    };
    let [wide, high, sized, one, other] = [
        with_first().resource::<wide::Setting>(),
        with_first().resource::<high::Setting>(),
        with_first().resource::<sized::Setting>(),
        with_first().resource::<width_alone::Setting>(),
        with_first().resource::<height_alone::Setting>(),
    ];
    // Git writes lines that both branches have twice, where few of them stand between others.
    let problems = merged(one.clone(), other).problems(one);
    let refusal = "; two branches have changed it, so keep one of both lines";
    assert!(
        problems.len() == 1 && problems[0].contains(refusal),
        "{problems:?}"
    );
    // Many lines alike are kept once, and both versions are one, which promises what the merged code has.
    let file = merged(wide.clone(), high.clone());
    let outcome = file.run(sized, &["lock", "--check"]);
    assert!(matches!(outcome, Ok(0 | 3)), "{outcome:?}");
    for (api, missing) in [(wide, "height"), (high, "width")] {
        let problems = file.problems(api);
        let expected =
            format!("`Setting` 2.0: `{missing}` is in 2.0 as published, not here [removed]; ");
        assert!(
            problems.len() == 1 && problems[0].starts_with(&expected),
            "{problems:?}"
        );
    }
}
