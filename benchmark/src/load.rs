use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;

/// Connections that send requests at the same time.
pub(crate) struct Crowd(Vec<Client>);

impl Crowd {
    pub(crate) fn connect(address: &str, connections: usize) -> io::Result<Self> {
        let clients = (0..connections).map(|_| Client::connect(address));
        Ok(Self(clients.collect::<io::Result<_>>()?))
    }

    /// Sends a request so many times, each connection its share, one after another; answers how
    /// many that were.
    pub(crate) fn repeat(&mut self, request: &str, times: usize) -> io::Result<usize> {
        let share = times / self.0.len().max(1);
        thread::scope(|scope| {
            let clients = self.0.iter_mut();
            let sending = clients.map(|client| scope.spawn(move || client.repeat(request, share)));
            let sending: Vec<_> = sending.collect();
            let mut done = sending
                .into_iter()
                .map(|it| it.join().unwrap_or_else(|_| lost()));
            done.try_fold(0, |sum, sent| sent.map(|()| sum + share))
        })
    }
}

fn lost() -> io::Result<()> {
    Err(io::Error::other("a client gave up"))
}

/// A connection that is kept open.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            body: Vec::new(),
        })
    }

    fn repeat(&mut self, request: &str, times: usize) -> io::Result<()> {
        for _ in 0..times {
            self.send(request)?;
        }
        Ok(())
    }

    /// Sends a request, which must succeed, and answers what came back.
    pub(crate) fn send(&mut self, request: &str) -> io::Result<&[u8]> {
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let succeeded = line.starts_with("HTTP/1.1 2");
        let status = line.trim_end().to_owned();
        let length = self.content_length(line)?;
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body)?;
        if succeeded {
            return Ok(&self.body);
        }
        let body = String::from_utf8_lossy(&self.body);
        Err(io::Error::other(format!("{status}: {body}")))
    }

    /// Reads the headers.
    fn content_length(&mut self, mut line: String) -> io::Result<usize> {
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.split_once(':') else {
                return Ok(length);
            };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
    }
}
