//! The buffer of long responses that are read and not sent yet: in memory, and beyond its limit in a file.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use tokio::sync::Notify;

use super::spill::{BLOCK, Spill, Spilled};

/// Bytes in memory for one response. A response with fewer than [`CHUNKS_IN_MEMORY`] chunks in memory may exceed it;
/// without a file it does not apply.
const MEMORY_PER_RESPONSE: usize = 256 * 1024;

/// Chunks of one response that may exceed [`MEMORY_PER_RESPONSE`] while memory has room, so that a fast client needs
/// no file.
const CHUNKS_IN_MEMORY: usize = 2;

/// Divisor of the memory limit for chunks with which a response exceeds [`MEMORY_PER_RESPONSE`]: such a chunk is kept
/// only while all responses together, with it, use no more than this part, so that a few responses with long items
/// leave room for all others.
const LONG_CHUNK_DIVISOR: usize = 4;

/// Bytes of the file that are read at once, where memory has room for them.
const READ_SIZE: usize = 64 * 1024;

/// The room in memory and on disk that all responses of an API share.
#[derive(Debug)]
pub(crate) struct Unsent {
    in_memory: AtomicUsize,
    memory: usize,
    spill: Spill,
}

/// The share of one response in the memory: its bytes and its chunks there.
#[derive(Debug)]
pub(super) struct Share {
    unsent: Arc<Unsent>,
    length: AtomicUsize,
    chunks: AtomicUsize,
    /// Tells the sender that the connection has taken a chunk.
    pub(super) taken: Notify,
}

/// A part of a response that waits for its client.
#[derive(Debug)]
pub(super) enum Waiting {
    InMemory(Bytes),
    InFile(Spilled),
}

/// Room in memory for a chunk, which is free again once this is dropped.
struct Room {
    length: usize,
    share: Arc<Share>,
}

/// Bytes that keep their room until nothing holds them, not even the connection.
struct Counted {
    bytes: Vec<u8>,
    _room: Room,
}

impl Unsent {
    /// Room for at most so many bytes in memory, and in the file.
    pub(crate) fn new(memory: usize, file: u64) -> Self {
        Self {
            in_memory: AtomicUsize::new(0),
            memory,
            spill: Spill::new(file),
        }
    }

    /// Number of bytes in memory, and in the file.
    #[cfg(test)]
    pub(super) fn used(&self) -> (usize, usize) {
        let in_memory = self.in_memory.load(Ordering::Relaxed);
        (in_memory, self.spill.used())
    }

    /// Fails where three quarters of the room are in use: responses that have begun need the rest.
    pub(super) fn verify_room(&self) -> DatabaseResult<()> {
        // With a file, memory never runs out: what has no room there goes into the file.
        let (used, limit, setting) = if self.has_file() {
            (self.spill.used(), self.spill.max_bytes(), "unsent_on_disk")
        } else {
            let used = self.in_memory.load(Ordering::Relaxed);
            (used, self.memory, "unsent_in_memory")
        };
        if used >= limit / 4 * 3 {
            return Err(DatabaseFailure::overloaded(format!(
                "clients that read slowly have {used} bytes waiting for them, of the {limit} that \
                 `ApiBuilder::{setting}` allows"
            )));
        }
        // A full disk or a missing folder is noticed before a response begins.
        if self.has_file() {
            self.spill.verify()?;
        }
        Ok(())
    }

    fn has_file(&self) -> bool {
        self.spill.max_bytes() > 0
    }
}

impl Share {
    pub(super) fn of(unsent: &Arc<Unsent>) -> Arc<Self> {
        Arc::new(Self {
            unsent: Arc::clone(unsent),
            length: AtomicUsize::new(0),
            chunks: AtomicUsize::new(0),
            taken: Notify::new(),
        })
    }

    /// Keeps bytes that wait for the client: in memory, or else in the file.
    pub(super) fn keep(self: &Arc<Self>, mut bytes: Vec<u8>) -> DatabaseResult<Waiting> {
        // The end of a page is short, but has the buffer of a whole chunk.
        if bytes.len() < bytes.capacity() / 4 {
            bytes.shrink_to_fit();
        }
        // The capacity is counted, because that is the memory that the bytes hold.
        match self.reserve(bytes.capacity()) {
            Some(room) => Ok(Waiting::InMemory(room.holding(bytes))),
            None => self.unsent.spill.keep(&bytes).map(Waiting::InFile),
        }
    }

    /// The next bytes of a part that lies in the file. Without room in memory it is one block, so that every
    /// client makes progress.
    pub(super) fn read(self: &Arc<Self>, part: &mut Spilled) -> io::Result<Bytes> {
        // Bytes read back from the file count like those that never left memory.
        let room = self.reserve(part.left().min(READ_SIZE));
        let most = if room.is_some() { READ_SIZE } else { BLOCK };
        let bytes = self.unsent.spill.read(part, most)?;
        Ok(match room {
            Some(room) => room.holding(bytes),
            None => Bytes::from(bytes),
        })
    }

    /// Reserves room in memory for another chunk; `None` where the limits leave none.
    fn reserve(self: &Arc<Self>, length: usize) -> Option<Room> {
        // The share is read without a lock: its limit need not be exact, unlike that of all responses below.
        let held = self.length.load(Ordering::Relaxed);
        let is_much = held.saturating_add(length) > MEMORY_PER_RESPONSE && self.unsent.has_file();
        if is_much && self.chunks.load(Ordering::Relaxed) >= CHUNKS_IN_MEMORY {
            return None;
        }
        let part = if is_much { LONG_CHUNK_DIVISOR } else { 1 };
        let most = self.unsent.memory / part;
        let all = &self.unsent.in_memory;
        // Tested and added in one step, so that concurrent responses never exceed the memory together.
        let taken = all.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(length).filter(|sum| *sum <= most)
        });
        // No room: the caller puts the bytes into the file, or reads a single block.
        taken.ok()?;
        self.length.fetch_add(length, Ordering::Relaxed);
        self.chunks.fetch_add(1, Ordering::Relaxed);
        Some(Room {
            length,
            share: Arc::clone(self),
        })
    }
}

impl Room {
    fn holding(self, bytes: Vec<u8>) -> Bytes {
        Bytes::from_owner(Counted { bytes, _room: self })
    }
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let all = &self.share.unsent.in_memory;
        all.fetch_sub(self.length, Ordering::Relaxed);
        self.share.length.fetch_sub(self.length, Ordering::Relaxed);
        self.share.chunks.fetch_sub(1, Ordering::Relaxed);
    }
}
