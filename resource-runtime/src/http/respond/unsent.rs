//! The buffer of long answers that are read and not sent yet, in memory and beyond it in a temporary file.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use resource_model::error::{DatabaseFailure, DatabaseResult};

use super::spill::{BLOCK, Spill, Spilled};

/// Bytes of one answer that lie in memory at most, once [`PIECES`] of its pieces do, and where there is a
/// file for the rest.
const OF_ONE: usize = 256 * 1024;

/// Pieces of one answer that lie in memory however long they are: a client that is quick needs no file.
const PIECES: usize = 2;

/// Divisor of the memory: a piece with which its answer exceeds [`OF_ONE`] may fill it only up to this part.
const LONG_ITEMS: usize = 4;

/// Bytes of the file that are read at once, where memory has room for them.
const READ: usize = 64 * 1024;

/// The room in memory and on disk that all answers of an API share.
#[derive(Debug)]
pub(crate) struct Unsent {
    in_memory: AtomicUsize,
    memory: usize,
    spill: Spill,
}

/// The share of one answer in the memory: its bytes and its pieces there.
#[derive(Debug)]
pub(super) struct Share {
    unsent: Arc<Unsent>,
    length: AtomicUsize,
    chunks: AtomicUsize,
}

/// A part of an answer that waits for its client.
#[derive(Debug)]
pub(super) enum Waiting {
    InMemory(Bytes),
    InFile(Spilled),
}

/// Room in memory for a piece, which is free again once this is dropped.
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

    /// Fails where three quarters of the room are in use: answers that have begun need the rest.
    pub(super) fn verify_room(&self) -> DatabaseResult<()> {
        let (used, most, setting) = if self.has_file() {
            (self.spill.used(), self.spill.most(), "unsent_on_disk")
        } else {
            let used = self.in_memory.load(Ordering::Relaxed);
            (used, self.memory, "unsent_in_memory")
        };
        if used >= most / 4 * 3 {
            return Err(DatabaseFailure::overloaded(format!(
                "clients that read slowly have {used} bytes waiting for them, of the {most} that \
                 `ApiBuilder::{setting}` allows"
            )));
        }
        if self.has_file() {
            self.spill.verify()?;
        }
        Ok(())
    }

    fn has_file(&self) -> bool {
        self.spill.most() > 0
    }
}

impl Share {
    pub(super) fn of(unsent: &Arc<Unsent>) -> Arc<Self> {
        Arc::new(Self {
            unsent: Arc::clone(unsent),
            length: AtomicUsize::new(0),
            chunks: AtomicUsize::new(0),
        })
    }

    /// Keeps bytes that wait for the client: in memory, or else in the file.
    pub(super) fn keep(self: &Arc<Self>, mut bytes: Vec<u8>) -> DatabaseResult<Waiting> {
        // The end of a page is short, but has the buffer of a whole piece.
        if bytes.len() < bytes.capacity() / 4 {
            bytes.shrink_to_fit();
        }
        // The capacity is counted, because that is the memory that the bytes hold.
        match self.reserve(bytes.capacity()) {
            Some(room) => Ok(Waiting::InMemory(room.holding(bytes))),
            None => self.unsent.spill.keep(&bytes).map(Waiting::InFile),
        }
    }

    /// The next bytes of a part that lies in the file. Without room in memory they are one block: a client
    /// must get on, whatever others hold.
    pub(super) fn read(self: &Arc<Self>, part: &mut Spilled) -> io::Result<Bytes> {
        let room = self.reserve(part.left().min(READ));
        let most = if room.is_some() { READ } else { BLOCK };
        let bytes = self.unsent.spill.read(part, most)?;
        Ok(match room {
            Some(room) => room.holding(bytes),
            None => Bytes::from(bytes),
        })
    }

    /// Takes room for another piece.
    fn reserve(self: &Arc<Self>, length: usize) -> Option<Room> {
        let held = self.length.load(Ordering::Relaxed);
        let is_much = held.saturating_add(length) > OF_ONE && self.unsent.has_file();
        if is_much && self.chunks.load(Ordering::Relaxed) >= PIECES {
            return None;
        }
        // A few answers with long items must not take the room of all others.
        let part = if is_much { LONG_ITEMS } else { 1 };
        let most = self.unsent.memory / part;
        let all = &self.unsent.in_memory;
        let taken = all.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(length).filter(|sum| *sum <= most)
        });
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
