//! The conditions of patterns: `like` and `ilike`.

use resource_model::query::{AttributePath, Pattern};
use resource_model::value::Value;

use crate::Dialect;
use crate::form::{write_equal, write_ordered};
use crate::join::{alias_of, write_path};
use crate::writer::SqlWriter;

/// The SQL function of SQLite for `like`, of a text and the pieces of a pattern.
pub const LIKE: &str = "text_like";
/// The SQL function of SQLite for `ilike`, which takes the pieces in lower case.
pub const ILIKE: &str = "text_ilike";

/// The separator of the pieces of a pattern: the one character that no text holds.
pub const PIECE_SEPARATOR: &str = "\0";

/// The most times that the `LIKE` patterns of a filter may read each octet of a text. PostgreSQL cannot be
/// interrupted while it searches one text, neither by a timeout nor by its shutdown.
const MAX_READINGS: usize = 64;

/// The longest text, in octets, that patterns may always match by `LIKE`, however repetitive they are.
const SHORT_TEXT: i64 = 8 * 1024;

/// Matches text by code points. The prefix is a range, which an index serves; `write_rest`
/// matches the rest.
pub(super) fn write_like(writer: &mut SqlWriter, path: AttributePath, pattern: &Pattern) {
    // The pieces are what stands between wildcards, so one piece alone is a pattern without any.
    match pattern.pieces() {
        [exact] => {
            let exact = Value::Text(exact.clone());
            write_equal(writer, Some(alias_of(path)), path.attribute, &exact);
        }
        // A lone wildcard matches every text, but not null.
        [prefix, rest] if rest.is_empty() && prefix.is_empty() => {
            write_path(writer, path);
            writer.sql(" IS NOT NULL");
        }
        // Nothing has to match after the prefix, so the range is all of the condition.
        [prefix, rest] if rest.is_empty() => write_range(writer, path, prefix),
        // A pattern that starts with a wildcard has no range.
        _ if pattern.prefix().is_empty() => write_rest(writer, path, pattern),
        _ => {
            writer.sql("(");
            write_range(writer, path, pattern.prefix());
            writer.sql(" AND ");
            write_rest(writer, path, pattern);
            writer.sql(")");
        }
    }
}

/// Matches text, the case of ASCII letters ignored.
pub(super) fn write_ilike(writer: &mut SqlWriter, path: AttributePath, pattern: &Pattern) {
    match writer.dialect() {
        // A range of the prefix would need an index on the lower case, which no table has.
        Dialect::Sqlite => {
            write_function(writer, ILIKE, path, pattern);
        }
        // In the column's collation, `lower` changes the letters of ASCII alone.
        Dialect::Postgres => {
            let lower = |piece: &String| piece.to_ascii_lowercase();
            let pieces: Vec<String> = pattern.pieces().iter().map(lower).collect();
            write_match(writer, &pieces, |writer| {
                writer.sql("lower(");
                write_column(writer, path);
                writer.sql(")");
            });
        }
    }
}

/// The text of a column, by code point.
fn write_column(writer: &mut SqlWriter, path: AttributePath) {
    write_ordered(writer, Some(alias_of(path)), path.attribute);
}

/// All texts that start with `prefix`: from it up to the first text that is greater than all.
fn write_range(writer: &mut SqlWriter, path: AttributePath, prefix: &str) {
    writer.sql("(");
    write_column(writer, path);
    writer.sql(" >= ").bind_text(prefix);
    // A prefix of the greatest characters alone has no end.
    if let Some(end) = successor(prefix) {
        writer.sql(" AND ");
        write_column(writer, path);
        writer.sql(" < ").bind_text(end);
    }
    writer.sql(")");
}

fn write_rest(writer: &mut SqlWriter, path: AttributePath, pattern: &Pattern) {
    // SQLite's own `LIKE` ignores the case of ASCII letters, so a function stands for it.
    match writer.dialect() {
        Dialect::Sqlite => write_function(writer, LIKE, path, pattern),
        Dialect::Postgres => write_match(writer, pattern.pieces(), |writer| {
            write_column(writer, path);
        }),
    }
}

fn write_function(
    writer: &mut SqlWriter,
    function: &'static str,
    path: AttributePath,
    pattern: &Pattern,
) {
    let ignores_case = function == ILIKE;
    let folded = |text: String| {
        if ignores_case {
            text.to_ascii_lowercase()
        } else {
            text
        }
    };
    if writer.has_functions {
        writer.sql(function).sql("(");
        write_column(writer, path);
        let pieces = folded(pattern.pieces().join(PIECE_SEPARATOR));
        writer.sql(", ").bind_text(pieces).sql(")");
        return;
    }
    // GLOB is case-sensitive, and `lower` folds the letters of ASCII alone. Its own wildcards stand for themselves as
    // sets of one character.
    writer.sql(if ignores_case { "lower(" } else { "(" });
    write_column(writer, path);
    let literal = |piece: &String| -> String {
        let literal = |it: char| match it {
            '*' | '?' | '[' => format!("[{it}]"),
            it => it.to_string(),
        };
        piece.chars().map(literal).collect()
    };
    let glob = joined_by("*", pattern.pieces().iter().map(literal));
    writer.sql(") GLOB ").bind_text(folded(glob));
}

/// Matches the text that `write_text` writes. `LIKE` restarts its search at each position of a text, which is
/// slow for repetitive pieces. For those, a long text is searched by a regular expression, which reads it once
/// and can be interrupted.
///
/// The text is read as Latin 1, because PostgreSQL keeps a table of all different characters for each state of
/// an expression, and Latin 1 has only 256.
fn write_match(writer: &mut SqlWriter, pieces: &[String], write_text: impl Fn(&mut SqlWriter)) {
    let like = joined_by("%", pieces.iter().map(|piece| escaped(piece, r"%_\")));
    // The first piece is compared at the beginning of the text only.
    let readings = pieces.iter().skip(1).map(|piece| readings(piece)).max();
    writer.readings += readings.unwrap_or(1);
    // The patterns of one filter are searched one after another for each row, so their readings add up.
    let is_quick = writer.readings <= MAX_READINGS;
    // `CASE` evaluates one branch alone, so a long text never reaches `LIKE`.
    if !is_quick {
        writer.sql("CASE WHEN octet_length(");
        write_text(writer);
        writer.sql(") <= ").integer(SHORT_TEXT).sql(" THEN ");
    }
    write_text(writer);
    writer.sql(" LIKE ").bind_text(like);
    if !is_quick {
        // Each octet becomes the character of this number, as `convert_from` makes of the text.
        let latin = |piece: &String| piece.bytes().map(char::from).collect::<String>();
        let pieces = pieces
            .iter()
            .map(|piece| escaped(&latin(piece), r".^$*+?()[]{}|\"));
        // A point of PostgreSQL's expressions also matches a line break.
        // Without anchors, `~` would be content with a part of the text.
        let expression = format!("^{}$", joined_by(".*", pieces));
        writer.sql(" ELSE convert_from(convert_to(");
        write_text(writer);
        writer.sql(", 'UTF8'), 'LATIN1') COLLATE \"C\" ~ ");
        writer.bind_text(expression).sql(" END");
    }
}

/// The piece with a backslash before each of the `special` characters.
fn escaped(piece: &str, special: &str) -> String {
    let mut escaped = String::with_capacity(piece.len());
    for character in piece.chars() {
        if special.contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn joined_by(wildcard: &str, pieces: impl Iterator<Item = String>) -> String {
    pieces.collect::<Vec<_>>().join(wildcard)
}

/// The most times that a search for `piece`, restarted at each position, reads one octet of a text: the greatest
/// number of borders of any prefix of `piece` (Knuth, Morris and Pratt). A border is a prefix with which the
/// text also ends, itself included.
fn readings(piece: &str) -> usize {
    let octets = piece.as_bytes();
    // For each prefix: the length of its longest shorter border, and the number of its borders.
    // The empty prefix has no border.
    let mut known = vec![(0, 0)];
    let mut longest = 0;
    for (index, octet) in octets.iter().enumerate() {
        let shorter = |length: usize| known.get(length).copied().unwrap_or_default();
        // Shortens the border until the octet continues it.
        while longest > 0 && octets.get(longest) != Some(octet) {
            longest = shorter(longest).0;
        }
        // The first octet has no shorter prefix that it could continue.
        if index > 0 && octets.get(longest) == Some(octet) {
            longest += 1;
        }
        let count = shorter(longest).1 + 1;
        known.push((longest, count));
    }
    known.iter().map(|it| it.1).max().unwrap_or_default()
}

/// The least text that is greater than every text that starts with `prefix`.
fn successor(prefix: &str) -> Option<String> {
    let mut end = prefix.to_owned();
    // The greatest character has no successor, so the one before it is raised instead.
    while let Some(last) = end.pop() {
        // A range of `char` skips the surrogates by itself.
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{readings, successor};

    #[test]
    fn only_repetitive_pieces_are_read_often() {
        for (piece, count) in [
            ("", 0),
            ("a", 1),
            ("abcd", 1),
            ("aaaa", 4),
            ("abab", 2),
            ("xaaa", 1),
            ("aabaabaa", 4),
            ("a wolf and a wolf", 2),
        ] {
            assert_eq!(readings(piece), count, "{piece}");
        }
    }

    #[test]
    fn a_range_ends_behind_its_prefix() {
        assert_eq!(successor("ab").unwrap(), "ac");
        assert_eq!(successor("a\u{d7ff}").unwrap(), "a\u{e000}");
        assert_eq!(successor("a\u{10ffff}").unwrap(), "b");
        assert_eq!(successor("\u{10ffff}"), None);
    }
}
