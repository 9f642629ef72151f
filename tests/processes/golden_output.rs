//! Output of `--help` and `openapi`, word for word: the files in `golden/`, which `UPDATE_GOLDEN=1 cargo
//! test -p resource-tests --test processes golden_output` writes anew.

use std::path::Path;
use std::process::Command;

use resource_tests::watch;

use crate::{address_book, protected_notes};

const COMMANDS: [&str; 6] = [
    "serve",
    "openapi",
    "schema",
    "check",
    "routes",
    "completions",
];

/// Output of `--help` of a program and of these commands.
fn help(program: impl Fn() -> Command, commands: &[&[&str]]) -> String {
    let mut whole = String::new();
    for command in [&[][..]].iter().chain(commands) {
        let told = watch::output(program().args(*command).arg("--help").env("COLUMNS", "100"));
        assert!(told.status.success(), "{}", told.stderr);
        let told = String::from_utf8(told.stdout).unwrap();
        assert!(told.lines().all(|line| line.len() <= 100), "{told}");
        let asked = [*command, &["--help"]].concat().join(" ");
        whole.extend(["$ ", &asked, "\n", &told, "\n"]);
    }
    whole
}

#[track_caller]
pub(crate) fn assert_golden(name: &str, found: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("processes/golden");
    let file = folder.join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, found).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        golden == found,
        "it differs from golden/{name}; run with UPDATE_GOLDEN=1 and review:\n{found}"
    );
}

#[track_caller]
fn assert_openapi_documents(program: impl Fn() -> Command, name: &str) {
    for form in ["3.1", "3.0"] {
        let asked = ["openapi", "--version", "1.0", "--form", form];
        let told = watch::output(program().args(asked));
        assert!(told.status.success(), "{}", told.stderr);
        let told = String::from_utf8(told.stdout).unwrap();
        assert_golden(&format!("{name}-openapi-{form}.json"), &told);
    }
}

#[test]
fn the_openapi_documents_of_the_address_book_match_golden_files() {
    assert_openapi_documents(address_book::cleared, "address-book");
}

#[test]
fn the_openapi_documents_of_the_protected_notes_match_golden_files() {
    assert_openapi_documents(protected_notes::cleared, "protected-notes");
}

#[test]
fn the_help_of_the_address_book_matches_the_golden_file() {
    let commands = COMMANDS.map(|command| [command]);
    let commands = commands.each_ref().map(|command| &command[..]);
    assert_golden("address-book.txt", &help(address_book::cleared, &commands));
}

#[test]
fn the_help_of_the_protected_notes_matches_the_golden_file() {
    let own = [
        &["client"][..],
        &["client", "add"],
        &["client", "list"],
        &["client", "disable"],
        &["key"],
        &["key", "rotate"],
    ];
    let commands = COMMANDS.map(|command| [command]);
    let commands = commands.each_ref().map(|command| &command[..]);
    let commands: Vec<&[&str]> = commands.into_iter().chain(own).collect();
    let told = help(protected_notes::cleared, &commands);
    assert_golden("protected-notes.txt", &told);
}
