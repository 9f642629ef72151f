//! The last lines of the log, which are searched for secrets that become known after they were written.

use std::collections::VecDeque;

use memchr::memmem::Finder;

/// Bytes of lines that are kept: many times what is logged while a response with a new secret is on its way.
const BYTES: usize = 1 << 20;

/// The last lines of the log.
#[derive(Debug, Default)]
pub(super) struct Recent {
    lines: VecDeque<String>,
    bytes: usize,
}

impl Recent {
    pub(super) fn push(&mut self, line: String) {
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.bytes > BYTES
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }

    pub(super) fn line_with(&self, secret: &[u8]) -> Option<&str> {
        let finder = Finder::new(secret);
        let mut lines = self.lines.iter();
        let told = lines.find(|line| finder.find(line.as_bytes()).is_some());
        told.map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Recent};

    #[test]
    fn last_lines_are_searched_and_the_oldest_are_dropped() {
        let mut recent = Recent::default();
        recent.push(String::from("the first"));
        recent.push(String::from("the second"));
        assert_eq!(recent.line_with(b"second"), Some("the second"));
        recent.push("x".repeat(BYTES - 15));
        assert_eq!(recent.line_with(b"first"), None);
        assert_eq!(recent.line_with(b"second"), Some("the second"));
        assert!(recent.bytes <= BYTES);
    }
}
