//! The commands about published versions, run with both examples, whose files they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use resource_tests::watch::{self, Output};

use crate::{address_book, protected_notes};

fn committed(example: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.join("../examples").join(example).join("api.lock")
}

/// Exit code, output and errors of a command about a file.
fn run(mut program: Command, arguments: &[&str], file: &Path) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
        ..
    } = watch::output(program.args(arguments).arg("--file").arg(file));
    (status.code(), String::from_utf8(stdout).unwrap(), stderr)
}

#[test]
fn the_examples_keep_what_they_published() {
    for (program, example) in [
        (address_book::cleared(), "address-book"),
        (protected_notes::cleared(), "protected-notes"),
    ] {
        let (code, output, errors) = run(program, &["lock", "--check"], &committed(example));
        assert_eq!((code, &*output, &*errors), (Some(0), "", ""), "{example}");
    }
}

#[test]
fn each_state_of_the_file_has_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let (file, base) = (
        folder.path().join("api.lock"),
        folder.path().join("base.lock"),
    );
    let text = fs::read_to_string(committed("address-book")).unwrap();
    let check = |text: &str, arguments: &[&str]| {
        fs::write(&file, text).unwrap();
        let arguments = [
            &[
                "lock",
                "--check",
                "--drain=0",
                "--database-url=sqlite://none.db",
            ],
            arguments,
        ]
        .concat();
        run(address_book::cleared(), &arguments, &file)
    };
    fs::write(&base, &text).unwrap();
    let before = ["--before", base.to_str().unwrap()];
    assert_eq!(check(&text, &before).0, Some(0));
    // As if the code took more than what was published.
    let behind = text.replace(
        "\"text\", null = true, max_length = 10 }",
        "\"text\", null = true, max_length = 5, answers = { max_length = 10 } }",
    );
    let (code, output, _) = check(&behind, &[]);
    assert_eq!(code, Some(3), "{output}");
    assert!(
        output.contains("+ Address.\"1.0\".attribute.zip_code = "),
        "{output}"
    );
    // As if the code took less.
    let broken = text.replace(
        "null = true, max_length = 10 }",
        "null = true, max_length = 20 }",
    );
    let (code, output, errors) = check(&broken, &[]);
    assert_eq!((code, &*output), (Some(1), ""));
    let expected = "address-book: `Address` 1.0: `zip_code` takes ";
    assert!(
        errors.starts_with(expected) && errors.contains("[tighter]; "),
        "{errors}"
    );
    // A file of which somebody has taken a line away agrees with neither.
    let line = text.lines().find(|it| it.contains("zip_code")).unwrap();
    let shortened = text.replace(&format!("{line}\n"), "");
    assert_eq!(check(&shortened, &[]).0, Some(3));
    let (code, _, errors) = check(&shortened, &before);
    assert_eq!(code, Some(1));
    assert!(
        errors.contains("`zip_code` is in 1.0 as published, not here"),
        "{errors}"
    );
}

#[test]
fn the_changelog_names_the_versions_that_are_asked_for() {
    let file = committed("address-book");
    let (code, all, _) = run(address_book::cleared(), &["changelog"], &file);
    assert_eq!(code, Some(0));
    assert!(all.starts_with("# Changes\n\n## 2.0, published "), "{all}");
    assert!(
        all.contains("\n## 1.0, published ") && all.contains(": clients of 1.0 take any length\n")
    );
    let (_, newest, _) = run(
        address_book::cleared(),
        &["changelog", "--from", "1.0", "--to", "2.0"],
        &file,
    );
    assert!(
        all.starts_with(&newest) && !newest.contains("## 1.0"),
        "{newest}"
    );
    let (code, _, errors) = run(
        address_book::cleared(),
        &["changelog", "--from", "1"],
        &file,
    );
    assert_eq!(code, Some(2));
    assert!(
        errors.contains("`1` is no version; write one like `1.0`"),
        "{errors}"
    );
}
