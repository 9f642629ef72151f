//! Load on a service: connections that send requests, and the latencies of their answers.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::random::{Random, unused_number};

/// Connections that send requests at the same time.
pub(crate) struct Crowd(Vec<Client>);

impl Crowd {
    pub(crate) fn connect(address: &str, connections: usize) -> io::Result<Self> {
        let clients = (0..connections).map(|_| Client::connect(address));
        Ok(Self(clients.collect::<io::Result<_>>()?))
    }

    /// Sends requests, each connection one after another; `draw` makes them.
    pub(crate) fn send(
        &mut self,
        length: Length,
        draw: impl Fn(&mut Random) -> String + Sync,
    ) -> io::Result<Sent> {
        let share = length.of_each(self.0.len());
        let draw = &draw;
        let start = Instant::now();
        let latencies = thread::scope(|scope| {
            let clients = self.0.iter_mut();
            let sending = clients.map(|client| {
                let random = Random::new(unused_number());
                scope.spawn(move || client.send_all(share, random, draw))
            });
            let sending: Vec<_> = sending.collect();
            let done = sending
                .into_iter()
                .map(|it| it.join().unwrap_or_else(|_| lost()));
            done.collect::<io::Result<Vec<_>>>()
        })?;
        Ok(Sent {
            latencies: latencies.concat(),
            elapsed: start.elapsed(),
        })
    }
}

/// The end of a load: after a number of requests, or after a time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Length {
    /// A number of requests, over all connections together.
    Requests(usize),
    Time(Duration),
}

impl Length {
    /// The share of each of these connections, which is one request at least.
    fn of_each(self, connections: usize) -> Self {
        match self {
            Self::Requests(requests) => Self::Requests((requests / connections.max(1)).max(1)),
            Self::Time(_) => self,
        }
    }

    fn is_over(self, sent: usize, start: Instant) -> bool {
        match self {
            Self::Requests(requests) => sent >= requests,
            Self::Time(time) => sent > 0 && start.elapsed() >= time,
        }
    }
}

/// The measurements of requests that were sent and answered.
pub(crate) struct Sent {
    /// The time of each answer.
    pub(crate) latencies: Vec<Duration>,
    /// The time of all of them together.
    pub(crate) elapsed: Duration,
}

fn lost() -> io::Result<Vec<Duration>> {
    Err(io::Error::other("a client gave up"))
}

/// A connection that is kept open.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    /// The status, the entity tag and the body of the last answer.
    status: String,
    tag: Option<String>,
    body: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        // Nagle's algorithm would hold requests back, which would count as latency.
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            status: String::new(),
            tag: None,
            body: Vec::new(),
        })
    }

    /// A client whose reads time out.
    pub(crate) fn patient(address: &str, patience: Duration) -> io::Result<Self> {
        let client = Self::connect(address)?;
        client.stream.get_ref().set_read_timeout(Some(patience))?;
        Ok(client)
    }

    fn send_all(
        &mut self,
        length: Length,
        mut random: Random,
        draw: &impl Fn(&mut Random) -> String,
    ) -> io::Result<Vec<Duration>> {
        let start = Instant::now();
        let mut latencies = Vec::new();
        while !length.is_over(latencies.len(), start) {
            let request = draw(&mut random);
            let sent = Instant::now();
            self.send(&request)?;
            latencies.push(sent.elapsed());
        }
        Ok(latencies)
    }

    /// Sends a request, which must succeed, and returns the body of its answer.
    pub(crate) fn send(&mut self, request: &str) -> io::Result<&[u8]> {
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.strip_prefix("HTTP/1.1 ").unwrap_or(&line).trim_end();
        status.clone_into(&mut self.status);
        self.body.clear();
        match self.framing(&mut line)? {
            Framing::Length(length) => self.read(length)?,
            Framing::Chunks => self.read_chunks(&mut line)?,
        }
        if self.status.starts_with('2') || self.status.starts_with("304") {
            return Ok(&self.body);
        }
        let body = String::from_utf8_lossy(&self.body);
        Err(io::Error::other(format!(
            "HTTP/1.1 {}: {body}",
            self.status
        )))
    }

    pub(crate) fn status(&self) -> &str {
        self.status.get(..3).unwrap_or_default()
    }

    pub(crate) fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// Reads the headers, and returns the framing of the body behind them.
    fn framing(&mut self, line: &mut String) -> io::Result<Framing> {
        let mut framing = Framing::Length(0);
        self.tag = None;
        loop {
            line.clear();
            self.stream.read_line(line)?;
            let Some((name, value)) = line.split_once(':') else {
                return Ok(framing);
            };
            if name.eq_ignore_ascii_case("content-length") {
                framing = Framing::Length(value.trim().parse().map_err(io::Error::other)?);
            }
            if name.eq_ignore_ascii_case("etag") {
                self.tag = Some(value.trim().to_owned());
            }
            if name.eq_ignore_ascii_case("transfer-encoding") {
                framing = Framing::Chunks;
            }
        }
    }

    /// Reads chunks up to the empty one, and the line that follows each.
    fn read_chunks(&mut self, line: &mut String) -> io::Result<()> {
        loop {
            line.clear();
            self.stream.read_line(line)?;
            let length = u64::from_str_radix(line.trim_end(), 16).map_err(io::Error::other)?;
            self.read(length)?;
            line.clear();
            self.stream.read_line(line)?;
            if length == 0 {
                return Ok(());
            }
        }
    }

    /// Reads so many bytes more of the body.
    fn read(&mut self, length: u64) -> io::Result<()> {
        let mut bytes = self.stream.by_ref().take(length);
        let read = bytes.read_to_end(&mut self.body)?;
        if u64::try_from(read).is_ok_and(|it| it == length) {
            return Ok(());
        }
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// The framing of a body: by its length, or in chunks.
enum Framing {
    Length(u64),
    Chunks,
}
