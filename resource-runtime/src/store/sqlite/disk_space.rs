//! Room for writes beside a SQLite file, where its WAL grows.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::unnamed_file;

/// How much there has to be: what a few writes take.
const NEEDED: u64 = 65_536;

/// The place of an unnamed file, written to try the room.
#[derive(Debug)]
pub(super) struct DiskSpace {
    probe: PathBuf,
    /// Held while it is tried: a disk that hangs keeps one thread, and not one for each question.
    trying: Mutex<()>,
}

impl DiskSpace {
    /// Beside the file at `path`, or beside the one that a link there leads to, as SQLite keeps its WAL.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let mut probe = path.canonicalize()?.into_os_string();
        probe.push("-room");
        Ok(Self {
            probe: probe.into(),
            trying: Mutex::new(()),
        })
    }

    /// Writes a file that nobody finds: the folder has to take it, and the disk what is in it.
    pub(super) fn probe(&self) -> io::Result<()> {
        let Ok(_trying) = self.trying.try_lock() else {
            return Err(io::Error::other("the disk is still at the last one"));
        };
        let mut file = unnamed_file::create(&self.probe)?;
        io::copy(&mut io::repeat(0).take(NEEDED), &mut file).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::DiskSpace;

    #[test]
    fn room_is_tried_without_a_trace_and_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("items.db");
        fs::write(&path, "").unwrap();
        let disk_space = DiskSpace::beside(&path).unwrap();
        disk_space.probe().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let trying = disk_space.trying.lock().unwrap();
        assert!(disk_space.probe().is_err());
        drop(trying);
        disk_space.probe().unwrap();
        fs::remove_dir_all(folder.path()).unwrap();
        assert!(disk_space.probe().is_err());
    }
}
