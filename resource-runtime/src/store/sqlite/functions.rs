//! SQL functions for the patterns of the query language. SQLite's own GLOB and LIKE treat further characters as
//! special, and refuse long patterns.

use resource_sql::{ILIKE, LIKE, PIECE_SEPARATOR};
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};

/// Registers the functions on a connection: `text_like` and `text_ilike`, beside the LIKE of SQLite itself. The
/// pattern of the second is bound in lower case.
pub(super) fn add(connection: &Connection) -> rusqlite::Result<()> {
    // SQLite evaluates a deterministic function of constants once for each statement. An innocuous one may be
    // called by views and triggers even where the schema of the file is not trusted.
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection
        .create_scalar_function(LIKE, 2, flags, |context| with_arguments(context, matches))?;
    connection.create_scalar_function(ILIKE, 2, flags, |context| {
        with_arguments(context, |text, pattern| {
            matches(&text.to_ascii_lowercase(), pattern)
        })
    })
}

/// Calls `matches` with the text and the pattern; null for a text that is null.
fn with_arguments(
    context: &Context<'_>,
    matches: impl Fn(&str, &str) -> bool,
) -> rusqlite::Result<Option<bool>> {
    let text = context.get_raw(0).as_str_or_null()?;
    // The service itself binds the pattern, which is never null.
    let pattern = context.get_raw(1).as_str()?;
    Ok(text.map(|text| matches(text, pattern)))
}

/// Tests whether `text` consists of the pieces of `pattern` with any text between them.
fn matches(text: &str, pattern: &str) -> bool {
    let Some((first, rest)) = pattern.split_once(PIECE_SEPARATOR) else {
        // Without a separator, the pattern has no wildcard.
        return text == pattern;
    };
    // With one wildcard alone, nothing is between the first piece and the last.
    let (between, last) = rest.rsplit_once(PIECE_SEPARATOR).unwrap_or(("", rest));
    // The first and the last piece are taken off one after the other, so that they cannot overlap.
    let inner = text
        .strip_prefix(first)
        .and_then(|text| text.strip_suffix(last));
    // The first match of a piece leaves the longest text for later pieces, so no backtracking is needed.
    let mut pieces = between.split(PIECE_SEPARATOR);
    let left = inner
        .and_then(|inner| pieces.try_fold(inner, |text, piece| Some(text.split_once(piece)?.1)));
    left.is_some()
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn pieces_match_in_order_without_overlap() {
        for (text, pattern, expected) in [
            ("abc", "abc", true),
            ("abc", "ab\0", true),
            ("abc", "\0bc", true),
            ("abc", "\0b\0", true),
            ("abcb", "a\0b", true),
            ("a", "a\0a", false),
            ("aa", "a\0a", true),
            ("aXbXc", "a\0b\0c", true),
            ("aXcXb", "a\0b\0c", false),
            ("abab", "\0ab\0ab\0", true),
            ("aba", "\0ab\0ab\0", false),
            ("", "\0", true),
            ("", "", true),
            ("\u{fffe}", "\0\u{ffff}", false),
        ] {
            assert_eq!(matches(text, pattern), expected, "{text:?} {pattern:?}");
        }
    }
}
