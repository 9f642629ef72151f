use std::future::pending;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// How long nothing is accepted after the operating system refused to: long enough not to spin,
/// short enough for clients that wait in its queue.
const PAUSE: Duration = Duration::from_millis(100);

/// Where connections come in, as many as there is room for.
pub(super) struct Entrance {
    listener: TcpListener,
    limit: usize,
    hindrance: Option<Hindrance>,
}

/// Why nothing was accepted the last time: logged when it begins, not at every attempt.
#[derive(PartialEq)]
enum Hindrance {
    Full,
    Refused,
}

impl Entrance {
    pub(super) fn new(listener: TcpListener, limit: usize) -> Self {
        Self {
            listener,
            limit,
            hindrance: None,
        }
    }

    /// The next connection. While as many are `open` as there may be, there is none: it is to be
    /// asked again after one has ended. Nothing is lost when it is dropped.
    pub(super) async fn next(&mut self, open: usize) -> (TcpStream, SocketAddr) {
        if open >= self.limit {
            self.note_full();
            return pending().await;
        }
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    self.hindrance = None;
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
        if self.hindrance.replace(Hindrance::Full) != Some(Hindrance::Full) {
            let limit = self.limit;
            tracing::warn!("new connections wait: {limit} are open, which is the limit");
        }
    }

    /// Mostly that the process has too many open files: connections that end make room.
    fn note_refused(&mut self, error: &io::Error) {
        if self.hindrance.replace(Hindrance::Refused) != Some(Hindrance::Refused) {
            tracing::error!(%error, "new connections wait: none can be accepted");
        }
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
