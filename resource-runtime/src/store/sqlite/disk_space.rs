//! A probe for disk space in the folder of a SQLite file, where its WAL grows.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, TryLockError};

/// Bytes to write, about the space of a few writes.
const PROBE_BYTES: u64 = 65_536;

/// The probe, in a folder.
#[derive(Debug)]
pub(super) struct DiskSpace {
    folder: PathBuf,
    /// Held during a probe, so that a disk that hangs blocks one thread only.
    probing: Mutex<()>,
}

impl DiskSpace {
    /// A probe beside the file at `path`, or beside the target of a link there, where SQLite keeps the WAL.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let mut folder = path.canonicalize()?;
        folder.pop();
        Ok(Self {
            folder,
            probing: Mutex::new(()),
        })
    }

    /// Writes an unnamed file, to test that the folder and the disk take writes.
    pub(super) fn probe(&self) -> io::Result<()> {
        // Readiness probes keep coming while a disk hangs: the later ones fail at once.
        let _probing = match self.probing.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other("the last probe is still running"));
            }
            // A probe that panicked runs no more.
            Err(TryLockError::Poisoned(ended)) => ended.into_inner(),
            Ok(probing) => probing,
        };
        // A file without a name frees its space when it is closed, even by a crash.
        let mut file = tempfile::tempfile_in(&self.folder)?;
        io::copy(&mut io::repeat(0).take(PROBE_BYTES), &mut file).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, thread};

    use super::DiskSpace;

    #[test]
    fn probe_leaves_no_file_and_runs_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("items.db");
        fs::write(&path, "").unwrap();
        let disk_space = DiskSpace::beside(&path).unwrap();
        disk_space.probe().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let probing = disk_space.probing.lock().unwrap();
        assert!(disk_space.probe().is_err());
        drop(probing);
        disk_space.probe().unwrap();
        fs::remove_dir_all(folder.path()).unwrap();
        assert!(disk_space.probe().is_err());
    }

    #[test]
    fn probe_that_panicked_is_not_running() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("items.db");
        fs::write(&path, "").unwrap();
        let disk_space = DiskSpace::beside(&path).unwrap();
        thread::scope(|scope| {
            let panicking = scope.spawn(|| {
                let _probing = disk_space.probing.lock();
                panic!("a probe panics");
            });
            assert!(panicking.join().is_err());
        });
        disk_space.probe().unwrap();
    }
}
