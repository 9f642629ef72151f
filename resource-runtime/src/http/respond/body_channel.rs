//! The channel that carries the body of a long page from the task that reads it to the connection that sends it.
//!
//! Reading never waits for sending, so that a slow client holds no reader or connection of the database. Chunks
//! that memory has no room for wait in a file. A list of all items, which would fill it, is read in batches instead, and
//! waits between them.

use std::io;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::body::Bytes;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::spill::Spilled;
use super::unsent::{Share, Unsent, Waiting};
use crate::locked::locked;

/// The failure of an attempt whose chunks are of no use any more.
const NO_RECEIVER: &str = "nobody receives the chunks: the client has disconnected, or another attempt has replaced this one";

/// A part of the body.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) waiting: Waiting,
    pub(super) is_last: bool,
}

/// The sender of the chunks of one attempt to read a page. An abandoned attempt drops it.
#[derive(Debug)]
pub(crate) struct ChunkSender {
    chunks: UnboundedSender<Chunk>,
    share: Arc<Share>,
}

/// The receiver of the chunks of one attempt to read a page.
#[derive(Debug)]
pub(crate) struct ChunkReceiver {
    chunks: UnboundedReceiver<Chunk>,
    share: Arc<Share>,
}

/// The channel on which attempts to read a page offer their chunks, until the response takes those of one
/// attempt: from then on no retry can replace them.
#[derive(Debug)]
pub(crate) struct BodyChannel {
    pub(super) unsent: Arc<Unsent>,
    pub(super) client_notices_cut_off: bool,
    stage: Mutex<Stage>,
    offered: Notify,
}

#[derive(Debug, Default)]
struct Stage {
    /// The chunks that an attempt has offered; none once they are taken.
    chunks: Option<ChunkReceiver>,
    is_taken: bool,
}

impl BodyChannel {
    /// A channel that sends a page while it is read only where its client notices that a body ends early.
    pub(crate) fn new(unsent: Arc<Unsent>, client_notices_cut_off: bool) -> Self {
        Self {
            unsent,
            client_notices_cut_off,
            stage: Mutex::default(),
            offered: Notify::new(),
        }
    }

    /// Offers the chunks of an attempt, replacing those of an earlier one. Fails once those were taken,
    /// since the response has begun with them.
    pub(super) fn offer(&self, first: Vec<u8>) -> DatabaseResult<ChunkSender> {
        // The chunk is stored before the lock is taken, since that may write to the file.
        let (sender, chunks) = begin_chunks(&self.unsent, first, false)?;
        let mut stage = locked(&self.stage);
        // Tested under the lock that `take` holds, so that the chunks of only one attempt are ever sent.
        if stage.is_taken {
            let cause = "what an earlier attempt has read is sent already";
            return Err(DatabaseFailure::internal(cause));
        }
        stage.chunks = Some(chunks);
        drop(stage);
        // The permit is kept where nobody waits yet, so no offer is missed.
        self.offered.notify_one();
        Ok(sender)
    }

    /// Waits for the chunks of an attempt that is not abandoned.
    pub(crate) async fn chunks(&self) -> ChunkReceiver {
        loop {
            self.offered.notified().await;
            // The attempt that notified may have been abandoned since; the next one notifies again.
            if let Some(chunks) = self.take() {
                return chunks;
            }
        }
    }

    /// Tests whether the chunks of an attempt are being sent, so that no other attempt can replace it.
    pub(super) fn is_taken(&self) -> bool {
        locked(&self.stage).is_taken
    }

    /// The chunks of an attempt that is not abandoned, if there is one.
    pub(super) fn take(&self) -> Option<ChunkReceiver> {
        let mut stage = locked(&self.stage);
        // A closed channel belongs to an abandoned attempt, which dropped its sender.
        let chunks = stage.chunks.take().filter(|it| !it.chunks.is_closed());
        stage.is_taken |= chunks.is_some();
        chunks
    }
}

/// Begins a long response with its first chunk; fails where the responses that have begun need the remaining room.
pub(crate) fn begin_chunks(
    unsent: &Arc<Unsent>,
    first: Vec<u8>,
    is_last: bool,
) -> DatabaseResult<(ChunkSender, ChunkReceiver)> {
    // Only the first chunk is tested for room to spare; later ones may use all of it.
    unsent.verify_room()?;
    let share = Share::of(unsent);
    // Unbounded, so that reading never waits; `Share` limits what is in memory.
    let (sender, receiver) = unbounded_channel();
    let sender = ChunkSender {
        chunks: sender,
        share: Arc::clone(&share),
    };
    let chunks = ChunkReceiver {
        chunks: receiver,
        share,
    };
    sender.send(first, is_last)?;
    Ok((sender, chunks))
}

impl ChunkSender {
    /// Sends a chunk. Fails once the client has disconnected, so that nothing more is read for it.
    pub(crate) fn send(&self, bytes: Vec<u8>, is_last: bool) -> DatabaseResult<()> {
        let waiting = self.share.keep(bytes)?;
        let sent = self.chunks.send(Chunk { waiting, is_last });
        sent.map_err(|_| DatabaseFailure::internal(NO_RECEIVER))
    }

    /// Waits until the client gets the chunk that was sent last; called after each.
    pub(crate) async fn taken(&self) {
        self.share.taken.notified().await;
    }
}

impl ChunkReceiver {
    /// The next chunk; `None` once the sender is dropped: after the last chunk, or earlier if the reading failed or
    /// was aborted.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Chunk>> {
        let polled = self.chunks.poll_recv(context);
        if matches!(polled, Poll::Ready(Some(_))) {
            self.share.taken.notify_one();
        }
        polled
    }

    /// The next bytes of a chunk that lies in the file.
    pub(super) fn read(&self, part: &mut Spilled) -> io::Result<Bytes> {
        self.share.read(part)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::Arc;

    use resource_model::error::DatabaseFailure;

    use super::{BodyChannel, ChunkReceiver};
    use crate::http::respond::Unsent;
    use crate::http::respond::unsent::Waiting;

    const MIB: usize = 1024 * 1024;

    fn channel() -> BodyChannel {
        BodyChannel::new(Arc::new(Unsent::new(MIB, 1024 * 1024)), true)
    }

    fn old() -> Vec<u8> {
        b"old".to_vec()
    }

    fn new() -> Vec<u8> {
        b"new".to_vec()
    }

    async fn next(chunks: &mut ChunkReceiver) -> Option<Vec<u8>> {
        let chunk = poll_fn(|context| chunks.poll(context)).await?;
        match chunk.waiting {
            Waiting::InMemory(bytes) => Some(bytes.to_vec()),
            Waiting::InFile(mut part) => {
                let mut bytes = Vec::new();
                while part.left() > 0 {
                    bytes.extend_from_slice(&chunks.read(&mut part).unwrap());
                }
                Some(bytes)
            }
        }
    }

    #[tokio::test]
    async fn sender_never_waits_for_the_receiver() {
        let channel = channel();
        let sender = channel.offer(old()).unwrap();
        for _ in 0..1000 {
            sender.send(new(), false).unwrap();
        }
        sender.send(old(), true).unwrap();
        let mut chunks = channel.chunks().await;
        drop(sender);
        let mut received = Vec::new();
        while let Some(bytes) = next(&mut chunks).await {
            received.push(bytes);
        }
        assert_eq!(received.len(), 1002);
        assert_eq!((&received[0], &received[1001]), (&old(), &old()));
    }

    #[tokio::test]
    async fn chunks_beyond_the_memory_limit_come_from_the_file() {
        let unsent = Arc::new(Unsent::new(MIB, 1024 * 1024));
        let chunk = |index: u8| vec![index; 100_000];
        let channel = BodyChannel::new(Arc::clone(&unsent), true);
        let sender = channel.offer(chunk(0)).unwrap();
        for index in 1..8 {
            sender.send(chunk(index), index == 7).unwrap();
        }
        assert_eq!(unsent.used(), (200_000, 6 * 7 * 16 * 1024));
        let mut chunks = channel.chunks().await;
        drop(sender);
        for index in 0..8 {
            assert_eq!(next(&mut chunks).await, Some(chunk(index)));
        }
        assert_eq!(next(&mut chunks).await, None);
        assert_eq!(unsent.used(), (0, 0));
    }

    #[test]
    fn new_pages_are_refused_before_started_ones_fail() {
        let unsent = Arc::new(Unsent::new(MIB, 1024 * 1024));
        let channel = || BodyChannel::new(Arc::clone(&unsent), true);
        let page = channel();
        let chunk = || vec![0; MIB / 4];
        // The first chunk lies in memory, the others in the file.
        let sender = page.offer(chunk()).unwrap();
        for _ in 0..3 {
            sender.send(chunk(), false).unwrap();
        }
        let refused = channel().offer(old());
        assert!(matches!(refused, Err(DatabaseFailure::Overloaded(_))));
        sender.send(chunk(), false).unwrap();
        let refused = sender.send(chunk(), false);
        assert!(matches!(refused, Err(DatabaseFailure::Overloaded(_))));
        drop((sender, page));
        assert_eq!(unsent.used(), (0, 0));
        channel().offer(old()).unwrap();
    }

    #[tokio::test]
    async fn untaken_chunks_are_replaced_by_the_next_attempt() {
        let channel = channel();
        drop(channel.offer(old()).unwrap());
        assert!(channel.take().is_none());
        let earlier = channel.offer(old()).unwrap();
        let _sender = channel.offer(new()).unwrap();
        assert!(earlier.send(old(), false).is_err());
        assert_eq!(next(&mut channel.chunks().await).await, Some(new()));
    }

    #[tokio::test]
    async fn taken_chunks_exclude_another_attempt() {
        let channel = channel();
        let sender = channel.offer(old()).unwrap();
        assert!(!channel.is_taken());
        let mut chunks = channel.chunks().await;
        drop(sender);
        assert!(channel.is_taken());
        assert!(channel.offer(new()).is_err());
        assert!(channel.take().is_none());
        assert_eq!(next(&mut chunks).await, Some(old()));
        assert_eq!(next(&mut chunks).await, None);
    }

    #[tokio::test]
    async fn sending_fails_after_the_client_disconnects() {
        let channel = channel();
        let sender = channel.offer(old()).unwrap();
        drop(channel.chunks().await);
        assert!(sender.send(new(), false).is_err());
    }
}
