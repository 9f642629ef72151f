//! Texts of others in code and in the report: each on its line, visible, and without a meaning that was not meant.

/// Tests whether a character can be seen, and lets others stay where they are.
fn is_seen(character: char) -> bool {
    // Zero width, changes of the direction, and marks of the order of bytes.
    let is_hidden = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    !is_hidden && !character.is_control()
}

/// Tests whether all characters can be seen.
pub(crate) fn is_visible(text: &str) -> bool {
    text.chars().all(is_seen)
}

/// The text on one line, with the numbers of characters that cannot be seen.
pub(crate) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        if is_seen(character) {
            visible.push(character);
        } else {
            visible.extend(character.escape_debug());
        }
    }
    visible
}

/// The name as code in a comment of documentation.
pub(crate) fn code(name: &str) -> String {
    format!("`{}`", visible(name).replace('`', "'"))
}

/// The lines of a text as documentation that reads as its author wrote it.
pub(crate) fn markdown(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let lines = text.split([
        '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
    ]);
    let lines = lines.map(|line| {
        let line = line.replace('\t', " ");
        let line: String = line.chars().filter(|it| is_seen(*it)).collect();
        escaped(line.trim())
    });
    let mut lines: Vec<String> = lines.skip_while(String::is_empty).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A line without the meaning that Markdown would give it, but for code between backticks.
fn escaped(line: &str) -> String {
    let has_code = line.matches('`').count().is_multiple_of(2) && !line.contains("``");
    let mut escaped = String::from(if begins_a_block(line) { "\\" } else { "" });
    for (index, part) in line.split('`').enumerate() {
        if index > 0 {
            escaped.push_str(if has_code { "`" } else { "\\`" });
        }
        if has_code && index % 2 == 1 {
            escaped.push_str(part);
        } else {
            write_text(&mut escaped, part);
        }
    }
    // The digits of a numbered list come before the sign that is escaped.
    match line.split_once(['.', ')']) {
        Some((number, rest)) if is_number(number) && is_apart(rest) => {
            escaped.insert(number.len(), '\\');
            escaped
        }
        _ => escaped,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

fn is_apart(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(' ')
}

/// Tests whether the line would begin a heading, a list, a quotation or fenced code, or underline the line before.
fn begins_a_block(line: &str) -> bool {
    let is_rule = !line.is_empty() && line.chars().all(|it| "-=*_|: ".contains(it));
    let is_list = line.strip_prefix(['-', '+', '*']).is_some_and(is_apart);
    is_rule || is_list || line.starts_with(['#', '>']) || line.starts_with("~~~")
}

/// Writes text with the signs escaped that begin links, tags and escapes; addresses are linked.
fn write_text(escaped: &mut String, text: &str) {
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(address) = address(rest) {
            escaped.extend(["<", address, ">"]);
            rest = rest.strip_prefix(address).unwrap_or_default();
            continue;
        }
        rest = rest.strip_prefix(character).unwrap_or_default();
        let next = rest.chars().next();
        let is_meant = match character {
            '[' => true,
            '<' => next.is_some_and(|it| it.is_ascii_alphabetic() || "/!?".contains(it)),
            // At the end, the next may be a backtick.
            '\\' => next.is_none_or(|it| it.is_ascii_punctuation()),
            _ => false,
        };
        if is_meant {
            escaped.push('\\');
        }
        escaped.push(character);
    }
}

/// The address on the web at the beginning of a text, without the end of its sentence.
fn address(text: &str) -> Option<&str> {
    let is_one = text.starts_with("http://") || text.starts_with("https://");
    let address = text.split([' ', '<', '>', '"']).next()?;
    let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '\'']);
    Some(address).filter(|_| is_one)
}

#[cfg(test)]
mod tests {
    use super::{code, markdown, visible};

    #[test]
    fn texts_that_have_no_meaning_stay_as_they_are() {
        for text in [
            "Where invoices go.",
            "price * 2, user_id, 5 < 6, C:\\data, `a[0] <b>`",
            "-5 degrees, AT&T, 3.5 m²",
        ] {
            assert_eq!(markdown(text), [text]);
        }
        assert_eq!(
            markdown(" one\r\n\r\ntwo\rthree\n\n"),
            ["one", "", "two", "three"]
        );
        assert_eq!(markdown("\n \t"), [""; 0]);
    }

    #[test]
    fn a_meaning_that_was_not_meant_is_escaped() {
        for (text, expected) in [
            ("<b> of [x](y)", "\\<b> of \\[x](y)"),
            ("# no. 1", "\\# no. 1"),
            ("- a list", "\\- a list"),
            ("1. a list", "1\\. a list"),
            ("> 5", "\\> 5"),
            ("===", "\\==="),
            ("```sql", "\\`\\`\\`sql"),
            ("a ` b", "a \\` b"),
            ("\\[x] ends in \\", "\\\\\\[x] ends in \\\\"),
            ("see https://a.org/b_c.", "see <https://a.org/b_c>."),
            ("a\u{202e}b\u{1}c\td", "abc d"),
        ] {
            assert_eq!(markdown(text), [expected], "{text}");
        }
    }

    #[test]
    fn names_are_seen_as_they_are() {
        assert_eq!(
            visible("Größe\r\u{202e}\u{1b}[31m"),
            "Größe\\r\\u{202e}\\u{1b}[31m"
        );
        assert_eq!(code("a`b\nc"), "`a'b\\nc`");
    }
}
