//! The listener: new connections are accepted while there is room.

use std::future::pending;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

/// Connections that the kernel holds until they are accepted, as far as its own bound allows.
/// Listeners of the standard library begin with 128; beyond the bound, a client's first packet is
/// dropped, and it tries again after a second.
const BACKLOG: i32 = 4096;

/// How long nothing is accepted after the operating system refused to: long enough not to spin,
/// short enough for clients that wait in its queue.
const PAUSE: Duration = Duration::from_millis(100);

/// How long nothing is said of hindrances after one was: clients cause them, and shall not fill
/// the log.
const QUIET: Duration = Duration::from_mins(1);

/// Where connections come in, as many as there is room for.
pub(crate) struct Acceptor {
    listener: TcpListener,
    limit: usize,
    said: Option<Instant>,
}

impl Acceptor {
    pub(crate) fn new(listener: TcpListener, limit: usize) -> Self {
        if let Err(error) = SockRef::from(&listener).listen(BACKLOG) {
            tracing::debug!(%error, "bursts of connections wait for a second");
        }
        Self {
            listener,
            limit,
            said: None,
        }
    }

    /// The next connection. While as many are `open` as there may be, there is none: it is to be
    /// asked again after one has ended. Nothing is lost when it is dropped.
    pub(crate) async fn next(&mut self, open: usize) -> (TcpStream, SocketAddr) {
        if open >= self.limit {
            self.note_full();
            return pending().await;
        }
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    send_at_once(&stream);
                    return (stream, peer);
                }
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    self.note_refused(&error);
                    sleep(PAUSE).await;
                }
            }
        }
    }

    fn note_full(&mut self) {
        if self.may_say() {
            let limit = self.limit;
            tracing::warn!("new connections wait: {limit} are open, which is the limit");
        }
    }

    /// Mostly that the process has too many open files: connections that end make room.
    fn note_refused(&mut self, error: &io::Error) {
        if self.may_say() {
            tracing::error!(%error, "new connections wait: none can be accepted");
        }
    }

    fn may_say(&mut self) -> bool {
        let may = self.said.is_none_or(|said| said.elapsed() >= QUIET);
        if may {
            self.said = Some(Instant::now());
        }
        may
    }
}

/// An answer is sent at once, however small, instead of waiting for more to send.
fn send_at_once(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection sends with delay");
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset
    )
}
