//! The request header `Prefer` (RFC 7240), of which `return` is taken.

use axum::http::HeaderMap;

use super::headers::PREFER;

/// The content of the response to a write that its client prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    /// No more than without a preference.
    Minimal,
    /// The item.
    Representation,
}

/// The preference `return`, the first of several; none where the client has none. What is unknown or malformed is ignored,
/// as every preference may be (RFC 7240, section 2).
pub(crate) fn preferred_return(headers: &HeaderMap) -> Option<Return> {
    let lines = headers.get_all(PREFER).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    let mut returns = lines.flat_map(|line| line.split(',')).filter_map(|text| {
        let (name, value) = text.split(';').next()?.split_once('=')?;
        let is_return = name.trim().eq_ignore_ascii_case("return");
        is_return.then(|| value.trim().trim_matches('"'))
    });
    match returns.next()? {
        "minimal" => Some(Return::Minimal),
        "representation" => Some(Return::Representation),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{Return, preferred_return};

    fn preferred(lines: &[&str]) -> Option<Return> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("prefer", HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        preferred_return(&headers)
    }

    #[test]
    fn the_first_return_counts_whatever_is_around_it() {
        for line in [
            "return=representation",
            "Return = \"representation\"",
            "respond-async, wait=10 ; a=\"b,\\\"c;\" ;, return=representation; x",
            " ,, return=representation, return=minimal,",
        ] {
            assert_eq!(preferred(&[line]), Some(Return::Representation), "{line}");
        }
        let lines = ["wait=1", "return=minimal", "return=representation"];
        assert_eq!(preferred(&lines), Some(Return::Minimal));
    }

    #[test]
    fn other_preferences_are_none() {
        for line in [
            "",
            ",",
            "=",
            "return",
            "return=\"\"",
            "return=none",
            "return=Minimal",
            "x=return",
            "handling=strict",
            "a=\u{e9}",
        ] {
            assert_eq!(preferred(&[line]), None, "{line}");
        }
        assert_eq!(preferred(&[]), None);
    }
}
