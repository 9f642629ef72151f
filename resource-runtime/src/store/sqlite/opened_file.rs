//! The file of a database: its creation, and the check that its path still leads to the opened file.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use resource_model::error::{DatabaseFailure, DatabaseResult};

/// Suffixes of the files that SQLite keeps beside an open database: the WAL and its index.
const SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// A device number and an inode number.
type Identity = (u64, u64);

/// The files that connections have open. Writes to a deleted or replaced file succeed, and are lost when the
/// process ends.
#[derive(Debug, Default)]
pub(super) struct OpenedFile {
    files: Vec<(PathBuf, Option<Identity>)>,
    is_lost: AtomicBool,
}

impl OpenedFile {
    /// Records the files at `path`, which is absolute and which a connection has open in WAL mode.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        // SQLite follows links, and keeps the other files beside their target.
        let database = path.canonicalize()?;
        let beside = SUFFIXES.map(|end| {
            let mut path = database.clone().into_os_string();
            path.push(end);
            PathBuf::from(path)
        });
        // The name is not resolved: a link that leads to another file by now is a difference, too.
        let paths = [path.to_owned()].into_iter().chain(beside);
        Ok(Self {
            files: paths.map(|it| (it.clone(), identity(&it))).collect(),
            is_lost: AtomicBool::new(false),
        })
    }

    /// Compares the files at the paths with those that were opened.
    pub(super) fn verify(&self) -> DatabaseResult<()> {
        let mut files = self.files.iter();
        // A missing file has no identity: a difference, unless it was missing from the beginning.
        let lost = files.find(|(path, opened)| identity(path) != *opened);
        // Each loss is logged once. If the file comes back, the service goes on.
        let was_lost = self.is_lost.swap(lost.is_some(), Ordering::Relaxed);
        let Some((path, _)) = lost else {
            return Ok(());
        };
        let path = path.display();
        if !was_lost {
            tracing::error!(
                "the SQLite file `{path}` was deleted, moved or replaced under the service, which answers \
                 503 from now on; if it was moved, move it back; else save what only the service still has \
                 open, before you restart it, as the guide on databases shows under `Backups`"
            );
        }
        Err(DatabaseFailure::unavailable(format!(
            "the SQLite file `{path}` is not the one that was opened"
        )))
    }

    /// Verifies again only after a difference was found. The system calls would slow down reads, so writes and
    /// the readiness probe find the first difference.
    pub(super) fn verify_if_lost(&self) -> DatabaseResult<()> {
        if self.is_lost.load(Ordering::Relaxed) {
            return self.verify();
        }
        Ok(())
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;

    // Links are followed, as SQLite follows them.
    let metadata = path.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// On other systems an open file can be neither deleted nor replaced.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}

/// Bound on the links that are followed.
const MAX_LINKS: u8 = 100;

/// Creates the file at `path`, or the target of a link there, if it is missing. An existing file is not even
/// opened: closing it would release SQLite's POSIX locks on it.
pub(super) fn create_missing(path: &Path) -> io::Result<()> {
    create(path, MAX_LINKS)
}

fn create(path: &Path, links: u8) -> io::Result<()> {
    let mut options = OpenOptions::new();
    // `O_EXCL` decides about existence and creation in one step, and opens no existing file.
    options.write(true).create_new(true);
    // Only the user of the service may read the file. SQLite gives the files beside it the same mode.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let Err(error) = options.open(path) else {
        return Ok(());
    };
    if error.kind() != ErrorKind::AlreadyExists {
        return Err(error);
    }
    match path.read_link() {
        // `O_EXCL` does not follow a link. A relative target starts at the folder of the link.
        Ok(target) if links > 0 && !path.exists() => {
            create(&path.with_file_name(target), links - 1)
        }
        // The file is there, perhaps created by another process. SQLite itself reports too many links.
        _ => Ok(()),
    }
}
