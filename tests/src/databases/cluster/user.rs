//! PostgreSQL refuses to run as root: there it runs as somebody else.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// `nobody`.
const NOBODY: u32 = 65_534;

/// A command that may run the server.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Gives a file to whom the server runs as.
pub(super) fn give_away(path: &Path) {
    if is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).expect("a file to give away");
    }
}

fn is_root() -> bool {
    let own = std::fs::metadata("/proc/self");
    own.is_ok_and(|own| own.uid() == 0)
}
