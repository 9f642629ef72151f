//! Texts, and which of them a pattern finds.

use crate::requests::filtered;
use crate::samples::{SAMPLES, with_texts};

/// Texts that a pattern language of a database could take for something else.
pub(crate) const TEXTS: [&str; 24] = [
    "", "%", "\\", "\\%", "_", "*", "?", "[", "]", "[a]", "a", "A", "ab", "aB", "ba", "a%b", "a_b",
    "axb", "a*b", "a\\b", "é", "É", "🦀", "a🦀b",
];

/// Each pattern finds just these texts; it stands here as it is, not as a JSON string has it.
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
