//! The line that a request of HTTP/1 begins with, as far as its bytes have come.

use std::io::BufRead as _;

/// What the version of every request of HTTP/1 begins with.
const VERSION: &[u8] = b"HTTP/1.";

/// What comes next of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestLine {
    Method,
    Target,
    /// The version, of which so many bytes have come.
    Version(usize),
    /// Another protocol, or another major version.
    Foreign,
    /// What follows is not looked at.
    Over,
}

impl RequestLine {
    /// Reads on; a later minor version of HTTP/1 becomes HTTP/1.1, as which it is to be processed
    /// (RFC 9110, section 2.5), and of which hyper knows that it is.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) {
        if *self == Self::Method && is_usual(bytes) {
            *self = Self::Over;
            return;
        }
        let mut at = 0;
        while let Some(rest) = bytes.get_mut(at..).filter(|rest| !rest.is_empty()) {
            match self {
                Self::Method | Self::Target => {
                    let length = rest.len();
                    let skipped = { &*rest }.skip_until(b' ').unwrap_or(length);
                    if skipped == length && rest.last() != Some(&b' ') {
                        return;
                    }
                    at += skipped;
                    *self = match self {
                        Self::Method => Self::Target,
                        _ => Self::Version(0),
                    };
                }
                Self::Version(count) => {
                    let Some(byte) = rest.first_mut() else { return };
                    *self = match VERSION.get(*count) {
                        Some(expected) if expected == byte => Self::Version(*count + 1),
                        Some(_) => Self::Foreign,
                        None => {
                            if matches!(byte, b'2'..=b'9') {
                                *byte = b'1';
                            }
                            Self::Over
                        }
                    };
                    at += 1;
                }
                Self::Foreign | Self::Over => return,
            }
        }
    }
}

/// Whether the whole line is there and names HTTP/1.1, as nearly every one does.
fn is_usual(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let length = rest.skip_until(b'\n').unwrap_or_default();
    let line = bytes.get(..length).unwrap_or_default();
    line.ends_with(b" HTTP/1.1\r\n")
}

#[cfg(test)]
mod tests {
    use super::RequestLine;

    fn read(pieces: &[&str]) -> (String, RequestLine) {
        let mut line = RequestLine::Method;
        let mut text = String::new();
        for piece in pieces {
            let mut bytes = piece.as_bytes().to_vec();
            line.read(&mut bytes);
            text.push_str(&String::from_utf8(bytes).unwrap());
        }
        (text, line)
    }

    #[test]
    fn a_later_minor_version_is_1_1_wherever_its_bytes_are_parted() {
        let sent = "GET /a HTTP/1.2\r\nx: y HTTP/1.2\r\n\r\n";
        let seen = "GET /a HTTP/1.1\r\nx: y HTTP/1.2\r\n\r\n";
        for end in 0..sent.len() {
            let (text, line) = read(&[&sent[..end], &sent[end..]]);
            assert_eq!((text.as_str(), line), (seen, RequestLine::Over), "{end}");
        }
        let bytes: Vec<&str> = sent.split("").collect();
        assert_eq!(read(&bytes).0, seen);
    }

    #[test]
    fn nothing_else_is_changed() {
        for (sent, line) in [
            ("", RequestLine::Method),
            ("GET", RequestLine::Method),
            ("GET /HTTP/1.2", RequestLine::Target),
            ("GET / HTTP/1.1\r\n", RequestLine::Over),
            ("GET / HTTP/1.0\r\n", RequestLine::Over),
            ("GET / HTTP/2.0\r\n", RequestLine::Foreign),
            ("GET  HTTP/1.2\r\n", RequestLine::Over),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", RequestLine::Foreign),
        ] {
            let (text, found) = read(&[sent]);
            if sent != "GET  HTTP/1.2\r\n" {
                assert_eq!(text, sent);
            }
            assert_eq!(found, line, "{sent}");
        }
    }
}
