//! Assertions on patterns: the texts that they match.

use crate::requests::filtered;
use crate::samples::{SAMPLES, with_texts};

/// Texts with characters that are special in pattern languages of databases.
pub(crate) const TEXTS: [&str; 24] = [
    "", "%", "\\", "\\%", "_", "*", "?", "[", "]", "[a]", "a", "A", "ab", "aB", "ba", "a%b", "a_b",
    "axb", "a*b", "a\\b", "é", "É", "🦀", "a🦀b",
];

/// Asserts the matching texts of each pattern, which is given without the escapes of JSON.
#[track_caller]
pub(crate) fn assert_matches(function: &str, cases: &[(&str, &[&str])]) {
    let service = with_texts(&TEXTS);
    for (pattern, expected) in cases {
        let pattern = serde_json::to_string(pattern).unwrap();
        let filter = format!("{function}(text,{pattern})");
        let found = filtered(&service, SAMPLES, &filter).into_iter();
        let found: Vec<&str> = found
            .map(|id| TEXTS[usize::try_from(id - 1).unwrap()])
            .collect();
        assert_eq!(found, *expected, "{filter}");
        let rest = filtered(&service, SAMPLES, &format!("not({filter})"));
        assert_eq!(rest.len() + found.len(), TEXTS.len(), "not({filter})");
    }
}
