/// A pattern of `like`: texts with any text between them.
///
/// `%` stands for any text, `\%` for a percent sign and `\\` for a backslash; everything else is
/// itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// One text more than there are wildcards; none but the first and the last is empty.
    pieces: Vec<String>,
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Self {
        let mut pieces = vec![String::new()];
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let escaped = match character {
                '\\' => characters.next_if(|next| matches!(next, '%' | '\\')),
                _ => None,
            };
            match (escaped, pieces.last_mut()) {
                (None, _) if character == '%' => pieces.push(String::new()),
                (literal, Some(piece)) => piece.push(literal.unwrap_or(character)),
                (_, None) => {}
            }
        }
        let last = pieces.len() - 1;
        let mut index = 0;
        pieces.retain(|piece| {
            let keep = index == 0 || index == last || !piece.is_empty();
            index += 1;
            keep
        });
        Self { pieces }
    }

    /// The texts between the wildcards.
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// The text that every match starts with.
    pub fn prefix(&self) -> &str {
        self.pieces.first().map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn pieces(text: &str) -> Vec<String> {
        Pattern::parse(text).pieces
    }

    #[test]
    fn wildcards_split_and_escapes_do_not() {
        assert_eq!(pieces("ab%"), ["ab", ""]);
        assert_eq!(pieces("a%b%%c"), ["a", "b", "c"]);
        assert_eq!(pieces(r"50\%_\\\x\"), [r"50%_\\x\"]);
        assert_eq!(pieces(""), [""]);
        assert_eq!(pieces("%"), ["", ""]);
        assert_eq!(pieces("%%%"), ["", ""]);
    }
}
