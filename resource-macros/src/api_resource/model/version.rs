//! Versions of a resource, read leniently so that an error can suggest the right spelling.

use std::fmt;

/// The version of a resource, `<major>.<minor>`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) major: u16,
    pub(crate) minor: u16,
}

impl Version {
    /// The version that `text` spells, or was probably meant to spell:
    /// `1`, `v1.0`, `1.0.0` and `01.0` all mean `1.0`.
    pub(crate) fn nearest(text: &str) -> Option<Self> {
        let digits = text.trim().trim_start_matches(['v', 'V']);
        // Parts behind the second are ignored: `1.0.0` is most probably meant as `1.0`.
        let mut parts = digits.split('.');
        Some(Self {
            major: number(parts.next()?)?,
            // A single number is most probably meant as a major version.
            minor: number(parts.next().unwrap_or("0"))?,
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

/// Reads digits alone, without the sign that the parser of integers accepts.
fn number(digits: &str) -> Option<u16> {
    // An empty text passes this test and fails to parse.
    let is_decimal = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_decimal.then(|| digits.parse().ok())?
}
