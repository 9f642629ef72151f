//! The programs of a PostgreSQL server, as they are found on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Paths of the programs of a PostgreSQL server.
pub(super) struct Binaries {
    pub(super) initdb: PathBuf,
    pub(super) postgres: PathBuf,
}

/// Finds pgbench, which belongs to a server and is packaged apart by some.
pub(super) fn pgbench() -> Option<PathBuf> {
    let beside = Binaries::find()?.postgres.with_file_name("pgbench");
    beside.is_file().then_some(beside)
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
        postgres.is_file().then_some(Self { initdb, postgres })
    }
}

fn configured() -> Option<PathBuf> {
    let told = Command::new("pg_config").arg("--bindir").output().ok()?;
    let folder = String::from_utf8(told.stdout).ok()?;
    Some(PathBuf::from(folder.trim()))
}

fn installed() -> Option<PathBuf> {
    let versions = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.map(|version| version.path()).max_by_key(number)?;
    Some(newest.join("bin"))
}
