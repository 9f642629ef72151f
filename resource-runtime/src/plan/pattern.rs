use super::Dialect;
use super::join::write_path;
use super::writer::Writer;
use crate::query::{AttributePath, Pattern};
use crate::schema::Kind;
use crate::value::Value;

/// Matches text by code points. The prefix is a range, which an index serves; what is behind it
/// is left to the database's own patterns.
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
    write_path(writer, path);
    match writer.dialect() {
        // SQLite's LIKE ignores the case of just these letters.
        Dialect::Sqlite => {
            writer.sql(" LIKE ").bind(Kind::Text, text(&like(pattern)));
            writer.sql(" ESCAPE '\\'");
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
        // The plus keeps SQLite from looking for a prefix of its own in the bound pattern, for
        // which it would prepare the statement anew with each pattern.
        Dialect::Sqlite => {
            writer.sql("+");
            write_path(writer, path);
            writer.sql(" GLOB ").bind(Kind::Text, text(&glob(pattern)));
        }
    }
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

/// The pattern for GLOB, in which `*` is any text and a character in brackets is itself.
fn glob(pattern: &Pattern) -> String {
    let pieces = pattern.pieces().iter().map(|piece| {
        let mut escaped = String::with_capacity(piece.len());
        for character in piece.chars() {
            match character {
                '*' | '?' | '[' => escaped.extend(['[', character, ']']),
                character => escaped.push(character),
            }
        }
        escaped
    });
    pieces.collect::<Vec<String>>().join("*")
}

/// The pattern for LIKE, in which `%` is any text, `_` any character, and a backslash escapes.
fn like(pattern: &Pattern) -> String {
    let pieces = pattern.pieces().iter().map(|piece| {
        let mut escaped = String::with_capacity(piece.len());
        for character in piece.chars() {
            if matches!(character, '%' | '_' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped
    });
    pieces.collect::<Vec<String>>().join("%")
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
