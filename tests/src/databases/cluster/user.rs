//! The account of a PostgreSQL server: PostgreSQL refuses to run as root, and runs as `nobody` there.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// The user and the group id of `nobody`.
const NOBODY: u32 = 65_534;

/// A command that runs as the account of the server.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Makes the account of the server the owner of a file.
pub(super) fn give_away(path: &Path) {
    if is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).expect("a file to give away");
    }
}

fn is_root() -> bool {
    // The standard library does not tell the user of this process; the owner of its entry is that user.
    let own = std::fs::metadata("/proc/self");
    own.is_ok_and(|own| own.uid() == 0)
}
