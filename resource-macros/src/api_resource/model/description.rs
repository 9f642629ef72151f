//! Descriptions of resources and attributes, from their doc comments.

/// The text of doc comments as Markdown; `None` where they are empty.
///
/// The space between the slashes and the text is left out.
pub(super) fn resolve(lines: &[String]) -> Option<String> {
    // A block comment is one text of several lines.
    let texts = lines.iter().flat_map(|line| line.split('\n'));
    let texts: Vec<&str> = texts
        .map(|text| text.strip_prefix(' ').unwrap_or(text).trim_end())
        .collect();
    // Empty lines separate paragraphs, so only those at the ends are removed.
    let description = texts.join("\n").trim_matches('\n').to_owned();
    (!description.is_empty()).then_some(description)
}

#[cfg(test)]
mod tests {
    use super::resolve;

    fn resolved(lines: &[&str]) -> Option<String> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        resolve(&lines)
    }

    #[test]
    fn lines_stay_lines_and_lose_their_first_space() {
        let text = resolved(&[" A setting.", "", "  - indented", " end  "]);
        assert_eq!(text.unwrap(), "A setting.\n\n - indented\nend");
    }

    #[test]
    fn nothing_is_no_description() {
        assert_eq!(resolved(&[]), None);
        assert_eq!(resolved(&["", " "]), None);
    }
}
