use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use crate::raw;

/// An answer that comes in pieces.
#[derive(Debug)]
pub struct Coming {
    /// Its first line and its headers.
    pub head: String,
    stream: BufReader<TcpStream>,
}

impl Coming {
    /// Asks for a list, and reads no more of the answer than its head.
    #[track_caller]
    #[must_use]
    pub fn ask(address: SocketAddr, path: &str) -> Self {
        let mut stream = raw::connect(address);
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut stream = BufReader::with_capacity(1024, stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let count = stream.read_line(&mut head).expect("a line of the head");
            assert!(count > 0, "closed after {head}");
        }
        Self { head, stream }
    }

    /// What comes until the connection ends, and whether the body has then come to its own end.
    #[must_use]
    pub fn rest(mut self) -> (Vec<u8>, bool) {
        let mut body = Vec::new();
        while let Some(length) = self.length() {
            let read = self.stream.by_ref().take(length).read_to_end(&mut body);
            if read.is_err() || self.line().is_none() {
                break;
            }
            if length == 0 {
                return (body, true);
            }
        }
        (body, false)
    }

    /// How long the next piece is.
    fn length(&mut self) -> Option<u64> {
        u64::from_str_radix(&self.line()?, 16).ok()
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.stream.read_line(&mut line).ok()?;
        (count > 0).then(|| line.trim_end().to_owned())
    }
}
