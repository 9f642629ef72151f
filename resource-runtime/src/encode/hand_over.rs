//! How a page that has grown long gets from who reads it to who sends it.
//!
//! Who reads never waits for who sends: a client that takes its time would keep a reader or a
//! connection from all others. What lies ready is no more than the page that it is a part of.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::Bytes;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::error::DatabaseFailure;

/// A part of the body.
#[derive(Debug)]
pub(super) enum Piece {
    Items(Bytes),
    /// The last one.
    End(Bytes),
}

/// Where an attempt to read a page leaves what it has read. An attempt that is given up drops it.
#[derive(Debug)]
pub(super) struct Giving(UnboundedSender<Piece>);

/// What an attempt to read a page has left, and will leave.
#[derive(Debug)]
pub(crate) struct Pieces(UnboundedReceiver<Piece>);

/// Where the attempts to read a page offer what is ready of it, until one of them is taken.
#[derive(Debug, Default)]
pub(crate) struct HandOver {
    stage: Mutex<Stage>,
    offered: Notify,
}

#[derive(Debug, Default)]
enum Stage {
    #[default]
    Nothing,
    Offered(Pieces),
    Taken,
}

impl HandOver {
    /// Offers the pieces of an attempt, in place of those of an earlier one. Once those were
    /// taken, nobody can have others.
    pub(super) fn offer(&self, first: Bytes) -> Result<Giving, DatabaseFailure> {
        let (sender, receiver) = unbounded_channel();
        let giving = Giving(sender);
        giving.give(Piece::Items(first))?;
        let mut stage = self.stage();
        if matches!(*stage, Stage::Taken) {
            let cause = "what an earlier attempt has read is sent already";
            return Err(DatabaseFailure::unexpected(cause));
        }
        *stage = Stage::Offered(Pieces(receiver));
        drop(stage);
        self.offered.notify_one();
        Ok(giving)
    }

    /// Waits until there are pieces of an attempt that goes on.
    pub(crate) async fn pieces(&self) -> Pieces {
        loop {
            self.offered.notified().await;
            if let Some(pieces) = self.take() {
                return pieces;
            }
        }
    }

    /// The pieces of an attempt that was not given up, if there are any.
    pub(super) fn take(&self) -> Option<Pieces> {
        let mut stage = self.stage();
        match std::mem::take(&mut *stage) {
            Stage::Offered(pieces) if !pieces.0.is_closed() => {
                *stage = Stage::Taken;
                Some(pieces)
            }
            Stage::Taken => {
                *stage = Stage::Taken;
                None
            }
            Stage::Nothing | Stage::Offered(_) => None,
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        // Nothing in the lock can panic half-way.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Giving {
    /// Fails where nobody takes pieces any more, so that nothing more is read for them.
    pub(super) fn give(&self, piece: Piece) -> Result<(), DatabaseFailure> {
        let given = self.0.send(piece);
        given.map_err(|_| DatabaseFailure::unexpected("the client has gone"))
    }
}

impl Pieces {
    /// The next one; `None` where the attempt was given up.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        self.0.poll_recv(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use axum::body::Bytes;

    use super::{HandOver, Piece, Pieces};

    const OLD: Bytes = Bytes::from_static(b"old");
    const NEW: Bytes = Bytes::from_static(b"new");

    async fn next(pieces: &mut Pieces) -> Option<Bytes> {
        match poll_fn(|context| pieces.poll(context)).await? {
            Piece::Items(bytes) | Piece::End(bytes) => Some(bytes),
        }
    }

    #[tokio::test]
    async fn nobody_is_waited_for() {
        let hand_over = HandOver::default();
        let giving = hand_over.offer(OLD).unwrap();
        for _ in 0..1000 {
            giving.give(Piece::Items(NEW)).unwrap();
        }
        giving.give(Piece::End(OLD)).unwrap();
        let mut pieces = hand_over.pieces().await;
        drop(giving);
        let mut received = Vec::new();
        while let Some(bytes) = next(&mut pieces).await {
            received.push(bytes);
        }
        assert_eq!(received.len(), 1002);
        assert_eq!((&received[0], &received[1001]), (&OLD, &OLD));
    }

    #[tokio::test]
    async fn what_was_not_taken_makes_room_for_the_next_attempt() {
        let hand_over = HandOver::default();
        drop(hand_over.offer(OLD).unwrap());
        assert!(hand_over.take().is_none());
        let earlier = hand_over.offer(OLD).unwrap();
        let _giving = hand_over.offer(NEW).unwrap();
        assert!(earlier.give(Piece::Items(OLD)).is_err());
        assert_eq!(next(&mut hand_over.pieces().await).await, Some(NEW));
    }

    #[tokio::test]
    async fn what_was_taken_leaves_no_room_for_another_attempt() {
        let hand_over = HandOver::default();
        let giving = hand_over.offer(OLD).unwrap();
        let mut pieces = hand_over.pieces().await;
        drop(giving);
        assert!(hand_over.offer(NEW).is_err());
        assert!(hand_over.take().is_none());
        assert_eq!(next(&mut pieces).await, Some(OLD));
        assert_eq!(next(&mut pieces).await, None);
    }

    #[tokio::test]
    async fn nothing_is_read_for_who_has_gone() {
        let hand_over = HandOver::default();
        let giving = hand_over.offer(OLD).unwrap();
        drop(hand_over.pieces().await);
        assert!(giving.give(Piece::Items(NEW)).is_err());
    }
}
