//! A streamed response, read chunk by chunk from a plain connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use crate::raw;

/// A streamed response, read as its chunks arrive.
#[derive(Debug)]
pub struct StreamedResponse {
    /// The status line and the headers.
    pub head: String,
    stream: BufReader<TcpStream>,
}

impl StreamedResponse {
    /// Requests a list, and reads no more of the response than its head.
    #[track_caller]
    #[must_use]
    pub fn ask(address: SocketAddr, path: &str) -> Self {
        let mut stream = raw::connect(address);
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        // A small buffer leaves the rest of the response in the socket, where it holds up the server.
        let mut stream = BufReader::with_capacity(1024, stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let count = stream.read_line(&mut head).expect("a line of the head");
            assert!(count > 0, "closed after {head}");
        }
        Self { head, stream }
    }

    /// The rest of the body, and true where it ended with its last chunk, false where the connection broke
    /// off before.
    #[must_use]
    pub fn rest(mut self) -> (Vec<u8>, bool) {
        let mut body = Vec::new();
        while let Some(length) = self.length() {
            let read = self.stream.by_ref().take(length).read_to_end(&mut body);
            // A line end follows each chunk, the empty last one included.
            if read.is_err() || self.line().is_none() {
                break;
            }
            if length == 0 {
                return (body, true);
            }
        }
        (body, false)
    }

    /// The length of the next chunk.
    fn length(&mut self) -> Option<u64> {
        u64::from_str_radix(&self.line()?, 16).ok()
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.stream.read_line(&mut line).ok()?;
        (count > 0).then(|| line.trim_end().to_owned())
    }
}
