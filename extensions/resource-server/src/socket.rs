//! The bytes of a connection, and the refusal of what is no request.

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

/// How much is read from a client that was refused and still sends.
pub(crate) const DRAIN: usize = 4 * 1024 * 1024;

/// The letter that every answer of HTTP/1 begins with.
const FIRST: &[u8] = b"H";

/// How long a client that is gone has to say so to the first letter.
const SOON: Duration = Duration::from_millis(50);

/// A connection that tells its clock when bytes come and go, and that answers what is no request: hyper
/// does it without a body.
pub(crate) struct Socket {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    shared: Arc<ConnectionContext>,
    drained: usize,
    /// The client has closed its sending side; when it is looked after again, and after how long then.
    sends_no_more: Option<(Pin<Box<Sleep>>, Duration)>,
    /// The first letter of the answer was sent ahead of it.
    letter_is_ahead: bool,
    line: RequestLine,
    /// What is left of the answer to what is no request.
    refusal: Bytes,
}

impl Socket {
    pub(crate) fn new(
        stream: TcpStream,
        state: Arc<ConnectionState>,
        shared: Arc<ConnectionContext>,
    ) -> Self {
        Self {
            stream,
            state,
            shared,
            drained: 0,
            sends_no_more: None,
            letter_is_ahead: false,
            line: RequestLine::Over,
            refusal: Bytes::new(),
        }
    }

    /// Takes the answer that hyper itself gives, if these bytes are it: it gives none before all of the
    /// answers before are sent, and nothing after it.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        let replaces = refusal::is_bare(bytes) && self.state.refuse();
        if replaces {
            self.refusal = self.shared.refuser.in_place_of(bytes, self.line);
        }
        replaces
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

    fn note_sent(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(count)) if count > 0) {
            self.state.timeouts().sent(Instant::now());
        }
        written
    }

    /// Fails once the client is known to be gone that waits for the service.
    ///
    /// Who closes a connection looks at first like who only sends no more. It takes data to tell: the
    /// first letter of the answer, sent ahead, reaches the one, and is answered by the other with a reset.
    fn look_after(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.sends_no_more.is_none() {
            let mut byte = [0];
            let peeked = self.stream.poll_peek(context, &mut ReadBuf::new(&mut byte));
            match peeked? {
                Poll::Ready(0) => self.sends_no_more = Some((Box::pin(sleep(SOON)), SOON)),
                _ => return Ok(()),
            }
        }
        let Some((again, pause)) = &mut self.sends_no_more else {
            return Ok(());
        };
        loop {
            if let Some(error) = self.stream.take_error()? {
                return Err(error);
            }
            // No letter can be sent ahead within an answer, so that a silence in it is waited for a while.
            if self.state.is_stuck() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            if !self.letter_is_ahead && self.state.timeouts().is_unanswered() {
                self.letter_is_ahead = self.stream.try_write(FIRST).is_ok();
            }
            if again.as_mut().poll(context).is_pending() {
                return Ok(());
            }
            // Nothing wakes for a reset after an end, so it is asked for, less and less often.
            *pause = (*pause * 2).min(SOON * 20);
            again.as_mut().reset(Instant::now() + *pause);
        }
    }

    /// What is left to write of an answer whose first letter was sent ahead.
    fn poll_write_rest(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let (first, rest) = bytes.split_at(FIRST.len().min(bytes.len()));
        let written = if rest.is_empty() {
            0
        } else {
            ready!(Pin::new(&mut self.stream).poll_write(context, rest))?
        };
        self.letter_is_ahead = first.is_empty();
        Poll::Ready(Ok(first.len() + written))
    }

    /// Reads what the client still sends, until it closes or its time is over.
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut scratch = [0; 4096];
        while self.drained < DRAIN {
            let mut buffer = ReadBuf::new(&mut scratch);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.drained += buffer.filled().len();
        }
        // The timer of the connection goes off in its time.
        Poll::Pending
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if let Some(fresh @ [_, ..]) = buffer.filled_mut().get_mut(before..) {
            if self.state.timeouts().received(Instant::now()) {
                self.line = RequestLine::Method;
            }
            self.line.read(fresh);
        }
        read
    }
}

impl AsyncWrite for Socket {
    /// For upgraded connections: hyper writes slices, as the socket can.
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
        if self.letter_is_ahead {
            let first = slices.iter().find(|slice| !slice.is_empty());
            return self.poll_write_rest(context, first.map_or(&[], |slice| slice));
        }
        if let [bytes] = slices
            && self.replaces(bytes)
        {
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.note_sent(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// The protocol flushes whenever it waits, and has written all that it has by then.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(context))?;
        if self.state.flushed() {
            self.look_after(context)?;
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(context))?;
        ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        if self.state.timeouts().close(Instant::now()) {
            return self.poll_drain(context);
        }
        Poll::Ready(Ok(()))
    }
}
