//! Compile errors of mistakes.

use std::env;
use std::path::Path;
use std::process::Command;

/// The compiler whose words the `.stderr` files hold.
const COMPILER: &str = "rustc 1.95.";

/// A file for each mistake, named for the mistake, in a folder named for its kind. Beside one that must compile, trybuild would
/// build each by itself.
#[test]
fn every_mistake_is_told_at_its_token() {
    let compiler = compiler();
    if !compiler.starts_with(COMPILER) {
        println!(
            "the texts of compile errors are those of {COMPILER}x; not compared with {compiler}"
        );
        return;
    }
    let tests = trybuild::TestCases::new();
    tests.compile_fail("ui/five_mistakes.rs");
    for kind in kinds() {
        tests.compile_fail(format!("ui/{kind}/*.rs"));
    }
}

fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(rustc).arg("--version").output();
    String::from_utf8(answer.expect("a compiler").stdout).expect("a readable version")
}

fn kinds() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let entries = folder
        .read_dir()
        .expect("the folder of the compile errors")
        .map(|entry| entry.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().into_string().expect("a readable name"));
    let mut kinds: Vec<String> = names.collect();
    kinds.sort_unstable();
    assert!(!kinds.is_empty());
    kinds
}
