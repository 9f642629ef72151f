//! The temporary file of bytes that wait for clients: blocks of one length, which are used again.

use std::collections::VecDeque;
use std::env;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult};

use crate::locked::locked;

/// Length of a block: long enough that a chunk is a few of them, short enough that the last wastes little.
pub(super) const BLOCK: usize = 16 * 1024;

/// Time for which no long response begins after the file could not be written.
const FAILURE_PAUSE: Duration = Duration::from_secs(10);

/// A file without a name, which disappears with the process however that ends, and which no other process can
/// open. It is created before the first long response begins, so that a failure is noticed in time, and
/// truncated whenever nothing waits in it.
#[derive(Debug, Clone)]
pub(super) struct Spill {
    max_blocks: u32,
    blocks: Arc<Mutex<Blocks>>,
}

#[derive(Debug, Default)]
struct Blocks {
    file: Option<Arc<File>>,
    /// The last time at which the file could not be written.
    failed_at: Option<Instant>,
    /// Number of blocks in the file.
    count: u32,
    free: Vec<u32>,
}

/// Bytes that lie in the file. Their blocks are free again as they are read, and when this is dropped.
#[derive(Debug)]
pub(super) struct Spilled {
    spill: Spill,
    file: Arc<File>,
    blocks: VecDeque<u32>,
    left: usize,
}

impl Spill {
    pub(super) fn new(bytes: u64) -> Self {
        // A limit below one block means that there is no file.
        let max_blocks = bytes / u64::try_from(BLOCK).unwrap_or(u64::MAX);
        Self {
            max_blocks: u32::try_from(max_blocks).unwrap_or(u32::MAX),
            blocks: Arc::default(),
        }
    }

    /// Maximum number of bytes in the file.
    pub(super) fn max_bytes(&self) -> usize {
        length_of(self.max_blocks)
    }

    /// Number of bytes in use.
    pub(super) fn used(&self) -> usize {
        length_of(self.blocks().used())
    }

    /// Fails where the file cannot be used, so that no response begins which would be cut off.
    pub(super) fn verify(&self) -> DatabaseResult<()> {
        let mut blocks = self.blocks();
        let failed_at = blocks.failed_at;
        if failed_at.is_some_and(|it| it.elapsed() < FAILURE_PAUSE) {
            return Err(write_failure("it could not be written a moment ago"));
        }
        blocks.file().map(drop)
    }

    pub(super) fn keep(&self, bytes: &[u8]) -> DatabaseResult<Spilled> {
        // The blocks are reserved under the lock, and written without it. If that fails, `kept`
        // frees them as it is dropped.
        let mut kept = self.take(bytes)?;
        kept.write(bytes).map_err(|error| {
            self.blocks().failed_at = Some(Instant::now());
            write_failure(error)
        })?;
        Ok(kept)
    }

    /// Reads the next bytes of a part: `most` of them, a multiple of `BLOCK`, or all that are left.
    pub(super) fn read(&self, part: &mut Spilled, most: usize) -> io::Result<Vec<u8>> {
        // Blocks are read one by one, as those of a part need not follow one another.
        let mut bytes = vec![0; part.left.min(most)];
        for chunk in bytes.chunks_mut(BLOCK) {
            let block = part.blocks.front().copied();
            let block = block.ok_or(io::ErrorKind::UnexpectedEof)?;
            read_at(&part.file, chunk, block)?;
            // Freed only after the read: another response may overwrite a free block at once.
            part.left -= chunk.len();
            part.blocks.pop_front();
            self.blocks().release([block]);
        }
        Ok(bytes)
    }

    fn take(&self, bytes: &[u8]) -> DatabaseResult<Spilled> {
        let needed = u32::try_from(bytes.len().div_ceil(BLOCK)).unwrap_or(u32::MAX);
        let mut blocks = self.blocks();
        if needed > self.max_blocks - blocks.used() {
            return Err(DatabaseFailure::overloaded(String::from(
                "clients that read slowly have as much waiting for them as \
                 `ApiBuilder::unsent_in_memory` and `unsent_on_disk` allow",
            )));
        }
        // The file is opened before blocks are taken, so that a failure here loses none.
        let file = blocks.file()?;
        let mut taken: Vec<u32> = (0..needed).map(|_| blocks.next()).collect();
        drop(blocks);
        // Sorted, so that blocks that follow one another in the file are written together.
        taken.sort_unstable();
        Ok(Spilled {
            spill: self.clone(),
            file,
            blocks: taken.into(),
            left: bytes.len(),
        })
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        // Nothing that is done under the lock can panic half-way.
        locked(&self.blocks)
    }
}

impl Blocks {
    fn file(&mut self) -> DatabaseResult<Arc<File>> {
        let file = match self.file.take() {
            Some(file) => file,
            None => Arc::new(tempfile::tempfile().map_err(write_failure)?),
        };
        Ok(Arc::clone(self.file.insert(file)))
    }

    fn used(&self) -> u32 {
        // Blocks are counted in `u32`, so the list of free ones is never longer.
        let free = u32::try_from(self.free.len()).unwrap_or(u32::MAX);
        self.count.saturating_sub(free)
    }

    fn next(&mut self) -> u32 {
        // Free blocks are used first, so that the file is never longer than its most crowded moment.
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }

    /// Frees blocks, to be used again.
    fn release(&mut self, blocks: impl IntoIterator<Item = u32>) {
        self.free.extend(blocks);
        // As long as one block is in use, its bytes must stay in the file.
        if self.used() > 0 || self.count == 0 {
            return;
        }
        // The disk space is given back; a file that cannot be truncated is used on as it is.
        if let Some(file) = &self.file {
            drop(file.set_len(0));
        }
        // Numbers start anew from the beginning of the empty file.
        self.free.clear();
        self.count = 0;
    }
}

impl Spilled {
    /// Writes the bytes into the blocks; those that follow one another are written in one go.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        // The blocks came from a vector, so they are contiguous already and nothing moves.
        let blocks = self.blocks.make_contiguous();
        for run in blocks.chunk_by(|one, next| one + 1 == *next) {
            // The last block may be filled in part.
            let (part, others) = rest.split_at(rest.len().min(run.len() * BLOCK));
            rest = others;
            if let Some(first) = run.first() {
                write_at(&self.file, part, *first)?;
            }
        }
        Ok(())
    }

    pub(super) const fn left(&self) -> usize {
        self.left
    }
}

impl Drop for Spilled {
    fn drop(&mut self) {
        // A client that disconnects leaves blocks unread; they are freed here.
        let mut blocks = self.spill.blocks();
        blocks.release(self.blocks.drain(..));
    }
}

fn length_of(blocks: u32) -> usize {
    usize::try_from(blocks).map_or(usize::MAX, |blocks| blocks.saturating_mul(BLOCK))
}

fn write_failure(error: impl Display) -> DatabaseFailure {
    let folder = env::temp_dir();
    DatabaseFailure::overloaded(format!(
        "what waits for a client cannot be written to a temporary file in `{}`: {error}; make room \
         there, or name another folder by the variable TMPDIR",
        folder.display()
    ))
}

fn offset_of(block: u32) -> u64 {
    u64::from(block) * u64::try_from(BLOCK).unwrap_or_default()
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], block: u32) -> io::Result<()> {
    // Positioned calls share no cursor, so responses read and write at once without a lock.
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset_of(block))
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], block: u32) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset_of(block))
}

/// A lock on the position of the file, which all readers and writers share on these systems.
#[cfg(not(unix))]
static POSITION: Mutex<()> = Mutex::new(());

#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], block: u32) -> io::Result<()> {
    use std::io::{Seek as _, Write as _};
    // Seeking and writing are two calls, between which another thread must not seek.
    let _guard = locked(&POSITION);
    file.seek(io::SeekFrom::Start(offset_of(block)))?;
    file.write_all(bytes)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], block: u32) -> io::Result<()> {
    use std::io::{Read as _, Seek as _};
    let _guard = locked(&POSITION);
    file.seek(io::SeekFrom::Start(offset_of(block)))?;
    file.read_exact(bytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::OpenOptions;
    use std::sync::Arc;

    use super::{BLOCK, Spill};

    #[test]
    fn nothing_begins_while_the_disk_is_full() {
        let spill = Spill::new(1024 * 1024);
        spill.verify().unwrap();
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        spill.blocks().file = Some(Arc::new(full));
        spill.keep(&[0; BLOCK]).unwrap_err();
        assert_eq!(spill.used(), 0);
        spill.verify().unwrap_err();
    }
}
