use super::Dialect;
use super::join::write_path;
use super::writer::Writer;
use crate::query::{AttributePath, Pattern};
use crate::schema::Kind;
use crate::value::Value;

/// The functions that a SQLite connection is given for patterns, each of a text and the pieces of a
/// pattern; those for `ilike` are in lower case.
pub(crate) const LIKE: &str = "text_like";
pub(crate) const ILIKE: &str = "text_ilike";

/// What stands between the pieces of a pattern: the one character that no text holds.
pub(crate) const PIECE_SEPARATOR: &str = "\0";

/// Matches text by code points. The prefix is a range, which an index serves; what is behind it
/// is left to a function.
pub(super) fn write_like(writer: &mut Writer, path: AttributePath, pattern: &Pattern) {
    match pattern.pieces() {
        [exact] => {
            write_path(writer, path);
            writer.sql(" = ").bind(Kind::Text, text(exact));
        }
        [prefix, rest] if rest.is_empty() && prefix.is_empty() => {
            write_path(writer, path);
            writer.sql(" IS NOT NULL");
        }
        [prefix, rest] if rest.is_empty() => write_range(writer, path, prefix),
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
pub(super) fn write_ilike(writer: &mut Writer, path: AttributePath, pattern: &Pattern) {
    match writer.dialect() {
        Dialect::Sqlite => {
            let pieces = joined(pattern).to_ascii_lowercase();
            write_function(writer, ILIKE, path, &pieces);
        }
        // The column's collation knows the letters of ASCII alone.
        Dialect::Postgres => {
            writer.sql("lower(");
            write_path(writer, path);
            let escaped = escaped(pattern).to_ascii_lowercase();
            writer.sql(") LIKE ").bind(Kind::Text, text(&escaped));
        }
    }
}

/// All texts that start with `prefix`: from it up to the first text that is greater than all.
fn write_range(writer: &mut Writer, path: AttributePath, prefix: &str) {
    writer.sql("(");
    write_path(writer, path);
    writer.sql(" >= ").bind(Kind::Text, text(prefix));
    if let Some(end) = successor(prefix) {
        writer.sql(" AND ");
        write_path(writer, path);
        writer.sql(" < ").bind(Kind::Text, text(&end));
    }
    writer.sql(")");
}

fn write_rest(writer: &mut Writer, path: AttributePath, pattern: &Pattern) {
    match writer.dialect() {
        Dialect::Sqlite => write_function(writer, LIKE, path, &joined(pattern)),
        Dialect::Postgres => {
            write_path(writer, path);
            let escaped = escaped(pattern);
            writer.sql(" LIKE ").bind(Kind::Text, text(&escaped));
        }
    }
}

fn write_function(writer: &mut Writer, function: &'static str, path: AttributePath, pieces: &str) {
    writer.sql(function).sql("(");
    write_path(writer, path);
    writer.sql(", ").bind(Kind::Text, text(pieces)).sql(")");
}

/// The pattern as `LIKE` reads it, which knows more wildcards than ours.
fn escaped(pattern: &Pattern) -> String {
    let escape = |piece: &String| {
        let mut escaped = String::with_capacity(piece.len());
        for character in piece.chars() {
            if matches!(character, '%' | '_' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped
    };
    let pieces: Vec<String> = pattern.pieces().iter().map(escape).collect();
    pieces.join("%")
}

fn joined(pattern: &Pattern) -> String {
    pattern.pieces().join(PIECE_SEPARATOR)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// The least text that is greater than every text that starts with `prefix`.
fn successor(prefix: &str) -> Option<String> {
    let mut end = prefix.to_owned();
    while let Some(last) = end.pop() {
        // The characters skip the surrogates by themselves.
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::successor;

    #[test]
    fn a_range_ends_behind_its_prefix() {
        assert_eq!(successor("ab").unwrap(), "ac");
        assert_eq!(successor("a\u{d7ff}").unwrap(), "a\u{e000}");
        assert_eq!(successor("a\u{10ffff}").unwrap(), "b");
        assert_eq!(successor("\u{10ffff}"), None);
    }
}
