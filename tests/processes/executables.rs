//! Executables of the examples, built into the target folder of this test.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Builds a package and returns the path of its executable.
pub(crate) fn built(package: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test
        .ancestors()
        .nth(2)
        .expect("target/<profile>/deps/<test>");
    let target = profile.parent().expect("the target folder");
    let mut cargo = Command::new(std::env::var_os("CARGO").expect("cargo runs this test"));
    cargo
        .args([
            "build",
            "--package",
            package,
            "--message-format",
            "json",
            "--target-dir",
        ])
        .arg(target);
    // Build scripts such as that of `ring` run anew where these differ, and all that depends on them is built again.
    for (name, _) in std::env::vars_os() {
        let told = ["CARGO_MANIFEST_", "CARGO_PKG_"];
        if told.iter().any(|it| name.to_string_lossy().starts_with(it)) {
            cargo.env_remove(name);
        }
    }
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let built = cargo.stderr(Stdio::inherit()).output().expect("cargo runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stdout)
    );
    let messages = String::from_utf8(built.stdout).expect("readable messages");
    let mut executables = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    executables
        .next_back()
        .expect("the package has an executable")
}
