//! Room for writes beside a SQLite file, where its WAL grows.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// How much there has to be: what a few writes take.
const ROOM: u64 = 65_536;

/// The place of a file that is there only while the room is tried.
#[derive(Debug, Clone)]
pub(super) struct Room {
    probe: PathBuf,
}

impl Room {
    /// Beside the file at `path`, or beside the one that a link there leads to, as SQLite keeps its WAL.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let mut probe = path.canonicalize()?.into_os_string();
        // Other processes may try theirs.
        probe.push(format!("-room-{}", std::process::id()));
        Ok(Self {
            probe: probe.into(),
        })
    }

    /// Writes a file that nobody finds: the folder has to take it, and the disk what is in it.
    pub(super) fn try_out(&self) -> io::Result<()> {
        let mut file = self.create()?;
        let removed = fs::remove_file(&self.probe);
        let written = io::copy(&mut io::repeat(0).take(ROOM), &mut file);
        drop(file);
        // Where an open file cannot be removed.
        removed.or_else(|_| fs::remove_file(&self.probe))?;
        written.map(drop)
    }

    fn create(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&self.probe) {
            // A process of the same number was killed while it tried.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                fs::remove_file(&self.probe)?;
                options.open(&self.probe)
            }
            done => done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Room;

    #[test]
    fn room_is_tried_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("items.db");
        fs::write(&path, "").unwrap();
        let room = Room::beside(&path).unwrap();
        fs::write(&room.probe, "of a process that was killed").unwrap();
        room.try_out().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::remove_dir_all(folder.path()).unwrap();
        assert!(room.try_out().is_err());
    }
}
