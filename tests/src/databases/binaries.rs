//! The programs of a PostgreSQL server, as they are found on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Paths of the programs of a PostgreSQL server.
#[derive(Debug, Clone)]
pub(super) struct Binaries {
    pub(super) initdb: PathBuf,
    pub(super) postgres: PathBuf,
    pub(super) basebackup: PathBuf,
}

/// Debian's folder of server programs, with a folder for each version.
const DEBIAN: &str = "/usr/lib/postgresql";

impl Binaries {
    /// Finds the programs on the `PATH`, by `pg_config`, or the newest that Debian has installed.
    pub(super) fn find() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let mut folders = folders.into_iter().chain(configured()).chain(installed());
        folders.find_map(|folder| Self::of(&folder))
    }

    /// The programs of a folder. Its `initdb` may be a link; `postgres` lies beside the target.
    fn of(folder: &Path) -> Option<Self> {
        let initdb = folder.join("initdb").canonicalize().ok()?;
        let postgres = initdb.with_file_name("postgres");
        let basebackup = initdb.with_file_name("pg_basebackup");
        postgres.is_file().then_some(Self {
            initdb,
            postgres,
            basebackup,
        })
    }
}

fn configured() -> Option<PathBuf> {
    let told = Command::new("pg_config").arg("--bindir").output().ok()?;
    let folder = String::from_utf8(told.stdout).ok()?;
    Some(PathBuf::from(folder.trim()))
}

fn installed() -> Vec<PathBuf> {
    let versions = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    let version = |folder: &PathBuf| {
        let version = folder.parent()?.file_name()?.to_str()?;
        version.parse::<u32>().ok()
    };
    folders.sort_by_key(|folder| std::cmp::Reverse(version(folder)));
    folders
}
