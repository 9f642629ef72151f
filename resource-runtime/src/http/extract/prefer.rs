//! The request header `Prefer` (RFC 7240), of which `return` is taken.

use axum::http::HeaderMap;

use super::headers::PREFER;

/// The preference `return`, the first of several; none where the client has none. What is unknown or malformed is ignored,
/// as every preference may be (RFC 7240, section 2).
pub(crate) fn preferred_return(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(PREFER).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    let mut returns = lines.flat_map(preferences).filter_map(|text| {
        let (name, value) = text.split(';').next()?.split_once('=')?;
        let is_return = name.trim().eq_ignore_ascii_case("return");
        is_return.then(|| value.trim().trim_matches('"'))
    });
    returns.next()
}

/// The preferences of a line, between commas outside of quoted strings.
fn preferences(line: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    line.split(move |character| {
        is_quoted ^= character == '"' && !is_escaped;
        is_escaped = character == '\\' && is_quoted && !is_escaped;
        character == ',' && !is_quoted
    })
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::preferred_return;

    fn preferred(lines: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("prefer", HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        preferred_return(&headers).map(str::to_owned)
    }

    #[test]
    fn the_first_return_counts_whatever_is_around_it() {
        for line in [
            "return=representation",
            "Return = \"representation\"",
            "respond-async, wait=10 ; a=\"b,\\\"c;\" ;, return=representation; x",
            " ,, return=representation, return=minimal,",
            r#"a="b, return=minimal, \", return=minimal", return=representation"#,
        ] {
            let found = preferred(&[line]);
            assert_eq!(found.as_deref(), Some("representation"), "{line}");
        }
        let lines = ["wait=1", "return=minimal", "return=representation"];
        assert_eq!(preferred(&lines).as_deref(), Some("minimal"));
    }

    #[test]
    fn other_preferences_are_none() {
        for line in [
            "",
            ",",
            "=",
            "return",
            "x=return",
            "handling=strict",
            "a=\u{e9}",
        ] {
            assert_eq!(preferred(&[line]), None, "{line}");
        }
        assert_eq!(preferred(&[]), None);
    }
}
