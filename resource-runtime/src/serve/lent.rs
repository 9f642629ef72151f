//! The piece of an answer that a connection holds and its client has not taken.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

use axum::body::Bytes;

/// Whether there is such a piece, and who waits until there is none.
#[derive(Debug, Default)]
pub(super) struct Lent(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_out: bool,
    waiting: Option<Waker>,
}

/// A piece that tells when the connection lets go of it.
struct Piece {
    bytes: Bytes,
    lent: Arc<Lent>,
}

impl Lent {
    pub(super) fn lend(lent: &Arc<Self>, bytes: Bytes) -> Bytes {
        lent.state().is_out = true;
        let lent = Arc::clone(lent);
        Bytes::from_owner(Piece { bytes, lent })
    }

    /// Whether the last piece is still held; whoever asks is woken once it is not.
    pub(super) fn is_out(&self, context: &Context<'_>) -> bool {
        let mut state = self.state();
        if state.is_out {
            state.waiting = Some(context.waker().clone());
        }
        state.is_out
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in the lock can panic half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        let mut state = self.lent.state();
        state.is_out = false;
        let waiting = state.waiting.take();
        drop(state);
        if let Some(waiting) = waiting {
            waiting.wake();
        }
    }
}
