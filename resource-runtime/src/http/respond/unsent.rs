//! What is read of long answers and not sent yet: in memory as far as there is room, beyond it in a
//! temporary file, so that nobody who reads waits for a client.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use resource_model::error::DatabaseFailure;

use super::spill::{BLOCK, Spill, Spilled};

/// How much of one answer lies in memory at most, where it is more than [`PIECES`] pieces, and where
/// there is a file for the rest.
const OF_ONE: usize = 256 * 1024;

/// As many pieces lie in memory however long they are: a client that is quick needs no file.
const PIECES: usize = 2;

/// One of so many parts of the memory is for pieces with which an answer has more than [`OF_ONE`].
const LONG_ITEMS: usize = 4;

/// How much of the file is read at once, where memory has room for it.
const READ: usize = 64 * 1024;

/// The room that all answers of an API share.
#[derive(Debug)]
pub(crate) struct Unsent {
    in_memory: AtomicUsize,
    memory: usize,
    spill: Spill,
}

/// What of one answer lies in memory.
#[derive(Debug)]
pub(super) struct Share {
    unsent: Arc<Unsent>,
    length: AtomicUsize,
    pieces: AtomicUsize,
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

/// Bytes that keep their room until nobody holds them: also the connection does not.
struct Counted {
    bytes: Vec<u8>,
    _room: Room,
}

impl Unsent {
    /// Bytes in memory, and in the file, at most.
    pub(crate) fn new(memory: usize, file: u64) -> Self {
        Self {
            in_memory: AtomicUsize::new(0),
            memory,
            spill: Spill::new(file),
        }
    }

    /// How many bytes lie in memory, and in the file.
    #[cfg(test)]
    pub(super) fn used(&self) -> (usize, usize) {
        let in_memory = self.in_memory.load(Ordering::Relaxed);
        (in_memory, self.spill.used())
    }

    /// Fails where there is so little room left that those answers need it which have begun.
    pub(super) fn verify_room(&self) -> Result<(), DatabaseFailure> {
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
            pieces: AtomicUsize::new(0),
        })
    }

    /// Keeps what waits for the client: in memory, or else in the file.
    pub(super) fn keep(self: &Arc<Self>, mut bytes: Vec<u8>) -> Result<Waiting, DatabaseFailure> {
        // The end of a page is short, and has the buffer of a whole piece.
        if bytes.len() < bytes.capacity() / 4 {
            bytes.shrink_to_fit();
        }
        match self.reserve(bytes.capacity()) {
            Some(room) => Ok(Waiting::InMemory(room.holding(bytes))),
            None => self.unsent.spill.keep(&bytes).map(Waiting::InFile),
        }
    }

    /// What comes next of a part that lies in the file. With no room in memory it is one block: a
    /// client must get on, whatever others hold.
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
        if is_much && self.pieces.load(Ordering::Relaxed) >= PIECES {
            return None;
        }
        // A few answers with long items are not to take the room of all others.
        let part = if is_much { LONG_ITEMS } else { 1 };
        let most = self.unsent.memory / part;
        let all = &self.unsent.in_memory;
        let taken = all.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(length).filter(|sum| *sum <= most)
        });
        taken.ok()?;
        self.length.fetch_add(length, Ordering::Relaxed);
        self.pieces.fetch_add(1, Ordering::Relaxed);
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
        self.share.pieces.fetch_sub(1, Ordering::Relaxed);
    }
}
