//! The secrets that were remembered, and the search of a line for any of them.

use std::collections::HashMap;

/// Length of the beginning by which a secret is looked up, which fits into a register.
const BEGINNING: usize = size_of::<u64>();

/// Bytes of a secret that are compared at most: a line with the first half of a token tells too much.
const LONGEST: usize = 64;

/// Limit to the number of secrets: far more than a test binary has. A forgotten secret would not be found.
const CAPACITY: usize = 1 << 17;

/// The secrets that no line may tell, to be found in the time that one look at the line takes,
/// however many they are.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    by_beginning: HashMap<u64, Vec<Secret>>,
    hints: Hints,
    count: usize,
}

#[derive(Debug)]
struct Secret {
    what: &'static str,
    text: Box<[u8]>,
}

impl Secrets {
    /// Adds a secret, and returns the part of it that is compared; `None` where it is too short, or known.
    pub(super) fn add(&mut self, what: &'static str, secret: &[u8]) -> Option<Box<[u8]>> {
        let text = &secret[..secret.len().min(LONGEST)];
        let beginning = text.first_chunk::<BEGINNING>()?;
        let beginning = u64::from_be_bytes(*beginning);
        let alike = self.by_beginning.entry(beginning).or_default();
        if alike.iter().any(|known| *known.text == *text) {
            return None;
        }
        alike.push(Secret {
            what,
            text: text.into(),
        });
        self.hints.add(beginning);
        self.count += 1;
        assert!(self.count < CAPACITY, "more secrets than are remembered");
        Some(text.into())
    }

    /// The kind of the first secret that the line tells.
    pub(super) fn find(&self, line: &[u8]) -> Option<&'static str> {
        let mut window = 0;
        for (end, byte) in line.iter().enumerate() {
            // The last eight bytes as a number, which is what the map is keyed by.
            window = window << 8 | u64::from(*byte);
            if end + 1 >= BEGINNING && self.hints.has(window) {
                let rest = &line[end + 1 - BEGINNING..];
                let alike = self.by_beginning.get(&window).into_iter().flatten();
                let mut told = alike.filter(|secret| rest.starts_with(&secret.text));
                if let Some(secret) = told.next() {
                    return Some(secret.what);
                }
            }
        }
        None
    }
}

/// A table of the beginnings, which spares most places of a line the lookup in the map.
#[derive(Debug)]
struct Hints(Box<[bool]>);

impl Default for Hints {
    fn default() -> Self {
        Self(vec![false; 1 << Self::BITS].into())
    }
}

impl Hints {
    const BITS: u32 = 20;

    const fn place(beginning: u64) -> usize {
        // Multiplication by 2^64 over the golden ratio spreads similar beginnings (Fibonacci hashing).
        let spread = beginning.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (spread >> (u64::BITS - Self::BITS)) as usize
    }

    fn add(&mut self, beginning: u64) {
        self.0[Self::place(beginning)] = true;
    }

    fn has(&self, beginning: u64) -> bool {
        self.0[Self::place(beginning)]
    }
}

#[cfg(test)]
mod tests {
    use super::Secrets;

    #[test]
    fn secret_is_found_anywhere_in_a_line() {
        let mut secrets = Secrets::default();
        for secret in ["dBjftJeZ4CVP", "dBjftJeZ4CVQ", "a password, äöü"] {
            assert!(secrets.add("a secret", secret.as_bytes()).is_some());
        }
        for line in [
            "dBjftJeZ4CVP",
            "code=dBjftJeZ4CVQ",
            "xdBjftJeZ4CVPx",
            "[\"a password, äöü\"]",
            "dBjftJeZdBjftJeZ4CVQ",
        ] {
            assert_eq!(secrets.find(line.as_bytes()), Some("a secret"), "{line}");
        }
        for line in [
            "",
            "dBjftJe",
            "dBjftJeZ",
            "dBjftJeZ4CV",
            "dbjftjez4cvp",
            "a password",
        ] {
            assert_eq!(secrets.find(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn short_and_known_secrets_are_not_added() {
        let mut secrets = Secrets::default();
        assert_eq!(secrets.add("a word", b"seven b"), None);
        assert!(secrets.add("a secret", b"eight by").is_some());
        assert_eq!(secrets.add("a secret", b"eight by"), None);
        assert_eq!(secrets.find(b"of eight bytes"), Some("a secret"));
    }

    #[test]
    fn first_bytes_of_a_long_secret_are_enough() {
        let mut secrets = Secrets::default();
        let secret = "0123456789".repeat(1000);
        secrets.add("a token", secret.as_bytes());
        assert_eq!(secrets.find(&secret.as_bytes()[..100]), Some("a token"));
        assert_eq!(secrets.find(&secret.as_bytes()[..60]), None);
    }
}
