//! The request header `Prefer` (RFC 7240), of which `return` is taken.

use axum::http::HeaderMap;
use resource_model::error::{ApiError, ErrorCode};

/// The content of the response to a write that its client prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    /// No more than without a preference.
    Minimal,
    /// The item.
    Representation,
}

/// The preference `return`; none where the client has none, or one that is unknown.
pub(crate) fn preferred_return(headers: &HeaderMap) -> Result<Option<Return>, ApiError> {
    let mut preferred = None;
    for line in headers.get_all("prefer") {
        let line = String::from_utf8_lossy(line.as_bytes());
        let preferences = preferences(&line).ok_or_else(malformed)?;
        let mut returns = preferences.into_iter();
        // Of a preference that is named twice, the first counts (RFC 7240, section 2).
        let first = returns.find(|(name, _)| name.eq_ignore_ascii_case("return"));
        preferred = preferred.or(first.map(|(_, value)| value));
    }
    Ok(match preferred.as_deref() {
        Some("minimal") => Some(Return::Minimal),
        Some("representation") => Some(Return::Representation),
        _ => None,
    })
}

/// The preferences of a list with their values, which may be empty; none where the list is malformed.
fn preferences(mut rest: &str) -> Option<Vec<(String, String)>> {
    let mut preferences = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return Some(preferences);
        }
        preferences.push(parameter(&mut rest)?);
        while let Some(behind) = rest.strip_prefix(';') {
            rest = trimmed(behind);
            // A semicolon may end the preference.
            if !rest.is_empty() && !rest.starts_with([',', ';']) {
                parameter(&mut rest)?;
            }
        }
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
    }
}

/// A token, and the word behind its `=` where it has one; `rest` is what follows.
fn parameter(rest: &mut &str) -> Option<(String, String)> {
    let name = token(rest)?;
    let Some(behind) = rest.strip_prefix('=') else {
        return Some((name, String::new()));
    };
    *rest = trimmed(behind);
    let value = if rest.starts_with('"') {
        quoted(rest)?
    } else {
        token(rest)?
    };
    Some((name, value))
}

fn token(rest: &mut &str) -> Option<String> {
    let is_other = |it: char| !it.is_ascii_alphanumeric() && !"!#$%&'*+-.^_`|~".contains(it);
    let (token, behind) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
    *rest = trimmed(behind);
    (!token.is_empty()).then(|| token.to_owned())
}

/// A string in quotes, of which a backslash takes the next character as it is.
fn quoted(rest: &mut &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => {
                *rest = trimmed(rest.get(index + 1..)?);
                return Some(text);
            }
            '\\' => text.push(characters.next()?.1),
            other => text.push(other),
        }
    }
    None
}

fn trimmed(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

fn malformed() -> ApiError {
    let message =
        "`Prefer` takes preferences with commas between them, like `return=representation`";
    ApiError::new(ErrorCode::MalformedCondition, message)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{Return, preferred_return};

    fn preferred(lines: &[&str]) -> Result<Option<Return>, ()> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("prefer", HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        preferred_return(&headers).map_err(drop)
    }

    #[test]
    fn the_first_return_counts_whatever_is_around_it() {
        let (minimal, whole) = (Ok(Some(Return::Minimal)), Ok(Some(Return::Representation)));
        for line in [
            "return=representation",
            "Return = \"representation\"",
            "respond-async, wait=10 ; a=\"b,\\\"c;\" ;, return=representation; x",
            " ,, return=representation, return=minimal,",
        ] {
            assert_eq!(preferred(&[line]), whole, "{line}");
        }
        assert_eq!(
            preferred(&["wait=1", "return=minimal", "return=representation"]),
            minimal
        );
    }

    #[test]
    fn other_preferences_are_none() {
        for line in [
            "",
            ",",
            "return",
            "return=\"\"",
            "return=none",
            "return=Minimal",
            "x=return",
        ] {
            assert_eq!(preferred(&[line]), Ok(None), "{line}");
        }
        assert_eq!(preferred(&[]), Ok(None));
        assert_eq!(preferred(&["handling=strict"]), Ok(None));
    }

    #[test]
    fn other_texts_are_malformed() {
        for line in [
            "=", "a b", "a=\"b", "a=\"b\\", "a=b c", "a; =b", "\"a\"", "a=;", "a=\u{e9}",
        ] {
            assert_eq!(preferred(&[line]), Err(()), "{line}");
        }
    }
}
