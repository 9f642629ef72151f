//! The socket of a connection: reports its bytes to the timeouts, detects clients that have closed a half-closed
//! connection, and replaces hyper's empty refusals.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use crate::connection::ConnectionContext;
use crate::connection_state::ConnectionState;
use crate::message::RequestLine;
use crate::refusal;

/// Largest number of bytes drained from a client whose request was refused, against endless uploads.
pub(crate) const MAX_DRAINED: usize = 4 * 1024 * 1024;

/// First byte of every HTTP/1 status line.
const FIRST_BYTE: &[u8] = b"H";

/// Time for the reset of a disconnected client to arrive; the interval of checks, which doubles each time.
const PROBE_INTERVAL: Duration = Duration::from_millis(50);

/// A TCP stream that updates the timeouts of its connection, and gives hyper's refusals of invalid requests a
/// body.
pub(crate) struct Socket {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    context: Arc<ConnectionContext>,
    drained: usize,
    /// Set once the client has closed its sending side: the timer of the next check, and its interval.
    half_closed: Option<(Pin<Box<Sleep>>, Duration)>,
    /// `true` once the first byte of the response was sent ahead of it.
    first_byte_sent: bool,
    line: RequestLine,
    /// Unsent bytes of the response to an invalid request.
    refusal: Bytes,
}

impl Socket {
    pub(crate) fn new(
        stream: TcpStream,
        state: Arc<ConnectionState>,
        context: Arc<ConnectionContext>,
    ) -> Self {
        Self {
            stream,
            state,
            context,
            drained: 0,
            half_closed: None,
            first_byte_sent: false,
            // Nothing is parsed before bytes arrive that certainly begin a request line.
            line: RequestLine::Done,
            refusal: Bytes::new(),
        }
    }

    /// Replaces these bytes if they are hyper's own refusal. Hyper writes it in one piece, after all earlier
    /// responses, and nothing after it.
    fn intercept_refusal(&mut self, bytes: &[u8]) -> bool {
        // The form is tested first, because `refuse` changes the state.
        let is_refusal = refusal::is_bare_head(bytes) && self.state.refuse();
        if is_refusal {
            // The replacement is sent by the next flush or shutdown; hyper learns that its own bytes were
            // written.
            self.refusal = self.context.renderer.replace_head(bytes, self.line);
        }
        is_refusal
    }

    fn poll_refusal(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.refusal.is_empty() {
            let stream = Pin::new(&mut self.stream);
            let count = ready!(stream.poll_write(context, &self.refusal))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            drop(self.refusal.split_to(count));
        }
        Poll::Ready(Ok(()))
    }

    /// Fails once the client that waits for a response is known to have disconnected.
    ///
    /// The FIN of a client that disconnects looks like that of one that only half-closes. Only sent
    /// data shows the difference: to the first response byte, sent ahead, a disconnected client replies with a reset.
    fn probe_client(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        // Peeking leaves the bytes of a pipelined request for hyper. A peek of 0 bytes is the FIN of the
        // client.
        if self.half_closed.is_none() {
            let mut byte = [0];
            let peeked = self
                .stream
                .poll_peek(context, &mut ReadBuf::new(&mut byte))?;
            if peeked != Poll::Ready(0) {
                return Ok(());
            }
        }
        let first_check = || (Box::pin(sleep(PROBE_INTERVAL)), PROBE_INTERVAL);
        let (timer, interval) = self.half_closed.get_or_insert_with(first_check);
        loop {
            // A reset that arrived after the last check is pending on the socket as an error.
            if let Some(error) = self.stream.take_error()? {
                return Err(error);
            }
            // Within a response no byte can be sent ahead, so a stalled response ends by a timeout.
            if self.state.is_stalled() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            // A full send buffer just postpones the byte to the next check.
            if !self.first_byte_sent && !self.state.timeouts().has_responded() {
                self.first_byte_sent = self.stream.try_write(FIRST_BYTE).is_ok();
            }
            if timer.as_mut().poll(context).is_pending() {
                return Ok(());
            }
            // A reset after the FIN wakes no task, so it is polled for, with exponential backoff up to a second.
            *interval = (*interval * 2).min(PROBE_INTERVAL * 20);
            timer.as_mut().reset(Instant::now() + *interval);
        }
    }

    /// Writes a response whose first byte was sent ahead.
    fn poll_write_rest(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // The byte that was sent ahead is the first of these, and counts as written without being sent
        // again.
        let (first, rest) = bytes.split_at(FIRST_BYTE.len().min(bytes.len()));
        let written = if rest.is_empty() {
            0
        } else {
            ready!(Pin::new(&mut self.stream).poll_write(context, rest))?
        };
        // An empty write leaves the byte to be skipped in the next one.
        self.first_byte_sent = first.is_empty();
        Poll::Ready(Ok(first.len() + written))
    }

    /// Discards received bytes during a lingering close, until the client closes or the timeout.
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut scratch = [0; 4096];
        while self.drained < MAX_DRAINED {
            let mut buffer = ReadBuf::new(&mut scratch);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.drained += buffer.filled().len();
        }
        // The idle timer of the connection ends the lingering close.
        Poll::Pending
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // The buffer may hold bytes of earlier reads, which were seen already.
        let old_length = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if let Some(fresh @ [_, ..]) = buffer.filled_mut().get_mut(old_length..) {
            if self.state.timeouts().received(Instant::now()) {
                self.line = RequestLine::Method;
            }
            self.line.read(fresh);
        }
        read
    }
}

impl AsyncWrite for Socket {
    /// Used by upgraded connections only: hyper writes vectored, because the socket can.
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.first_byte_sent {
            // One slice is enough here: hyper writes the rest of a partial write again.
            let first = slices.iter().find(|slice| !slice.is_empty());
            return self.poll_write_rest(context, first.map_or(&[], |slice| slice));
        }
        // Hyper's refusals have a head only, so they come as a single slice.
        if let [bytes] = slices
            && self.intercept_refusal(bytes)
        {
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        if matches!(written, Poll::Ready(Ok(count)) if count > 0) {
            self.state.timeouts().sent(Instant::now());
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Hyper flushes before it waits, when it has written all that it has: the moment to probe the client.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(context))?;
        if self.state.flushed() {
            self.probe_client(context)?;
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A refusal that no flush has sent goes out before the FIN.
        ready!(self.poll_refusal(context))?;
        ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        // The FIN is sent first, so that the client sees the end of the response and stops sending.
        if self.state.timeouts().begin_close(Instant::now()) {
            return self.poll_drain(context);
        }
        Poll::Ready(Ok(()))
    }
}
