//! Files without a name: they go with the process however it ends, and no other process can open them.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// Attribute of Windows that removes a file with its last handle.
#[cfg(windows)]
const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;

/// Creates a file for its owner alone, at `beside` with a random suffix, which is free again when this
/// returns or, on Windows, when the file is closed.
pub(crate) fn create(beside: &Path) -> io::Result<File> {
    let mut path = OsString::from(beside);
    // Other processes may use the same folder. `RandomState` is seeded by the system, so names differ.
    path.push(format!("-{:016x}", RandomState::new().hash_one(0)));
    let path = PathBuf::from(path);
    let mut options = OpenOptions::new();
    // `create_new` opens neither an existing file nor a link that somebody else put into a shared folder.
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, FILE_FLAG_DELETE_ON_CLOSE);
    // On Unix an open file outlives its name; Windows removes no open file, but closes it by the flag above.
    let file = options.open(&path)?;
    #[cfg(not(windows))]
    std::fs::remove_file(&path)?;
    Ok(file)
}
