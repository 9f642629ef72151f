//! Creation of a SQLite file that its owner alone may read: it holds what nobody else is to see,
//! and SQLite gives the files beside it the same mode.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::Path;

/// As many links as SQLite follows.
const MOST_LINKS: u8 = 100;

/// Creates the file at `path`, or the one that a link there leads to, where that is missing. One
/// that is there is not even opened: closing it would end the locks that SQLite has on it.
pub(super) fn create_missing(path: &Path) -> io::Result<()> {
    create(path, MOST_LINKS)
}

fn create(path: &Path, links: u8) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let Err(error) = options.open(path) else {
        return Ok(());
    };
    if error.kind() != ErrorKind::AlreadyExists {
        return Err(error);
    }
    match path.read_link() {
        Ok(target) if links > 0 && !path.exists() => {
            create(&path.with_file_name(target), links - 1)
        }
        _ => Ok(()),
    }
}
