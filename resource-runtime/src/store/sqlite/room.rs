//! Room for writes beside a SQLite file, where its WAL grows.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// How much there has to be: what a few writes take.
const ROOM: u64 = 65_536;

/// The place of a file that is there only while the room is tried.
#[derive(Debug)]
pub(super) struct Room {
    beside: PathBuf,
    /// Held while it is tried: a disk that hangs keeps one thread, and not one for each question.
    trying: Mutex<()>,
}

impl Room {
    /// Beside the file at `path`, or beside the one that a link there leads to, as SQLite keeps its WAL.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        Ok(Self {
            beside: path.canonicalize()?,
            trying: Mutex::new(()),
        })
    }

    /// Writes a file that nobody finds: the folder has to take it, and the disk what is in it.
    pub(super) fn try_out(&self) -> io::Result<()> {
        let Ok(_trying) = self.trying.try_lock() else {
            return Err(io::Error::other("the disk is still at the last one"));
        };
        let probe = self.probe();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&probe)?;
        let removed = fs::remove_file(&probe);
        let written = io::copy(&mut io::repeat(0).take(ROOM), &mut file);
        drop(file);
        // Where an open file cannot be removed.
        removed.or_else(|_| fs::remove_file(&probe))?;
        written.map(drop)
    }

    /// A name that nobody has: other processes, also of the same number in other containers, try theirs.
    fn probe(&self) -> PathBuf {
        let name = RandomState::new().hash_one(0);
        let mut probe = self.beside.clone().into_os_string();
        probe.push(format!("-room-{name:016x}"));
        probe.into()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Room;

    #[test]
    fn room_is_tried_without_a_trace_and_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("items.db");
        fs::write(&path, "").unwrap();
        let room = Room::beside(&path).unwrap();
        room.try_out().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let trying = room.trying.lock().unwrap();
        assert!(room.try_out().is_err());
        drop(trying);
        room.try_out().unwrap();
        fs::remove_dir_all(folder.path()).unwrap();
        assert!(room.try_out().is_err());
    }
}
