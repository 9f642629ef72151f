//! The request headers `If-Match` and `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1).

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use resource_model::error::{ApiError, ErrorCode};

use crate::operation::{Precondition, RowTag};

/// The entity tags of a header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EntityTags {
    /// `*`: that of every item there is.
    Any,
    /// Each with its text between the quotes, and true where it is weak.
    Listed(Vec<(String, bool)>),
}

impl EntityTags {
    /// The one of these tags that is this tag of ours, by weak comparison and whatever the coding; ours for `*`.
    pub(crate) fn matching(&self, own: &HeaderValue) -> Option<HeaderValue> {
        let Self::Listed(tags) = self else {
            return Some(own.clone());
        };
        let own = own.to_str().ok()?.trim_matches('"');
        let is_own = |text: &str| {
            let coding = text.strip_prefix(own);
            coding.is_some_and(|coding| CODING_SUFFIXES.contains(&coding))
        };
        let (found, _) = tags.iter().find(|(text, _)| is_own(text))?;
        HeaderValue::try_from(format!("\"{found}\"")).ok()
    }
}

/// The ends by which tags tell the coding of a body.
const CODING_SUFFIXES: [&str; 3] = ["", "-gzip", "-br"];

/// The precondition of a write. A header that would have no effect is refused, since its client relies on it.
pub(crate) fn precondition(request: &Parts) -> Result<Precondition, ApiError> {
    let matching = entity_tags(&request.headers, &header::IF_MATCH)?;
    let none_matching = entity_tags(&request.headers, &header::IF_NONE_MATCH)?;
    match (matching, none_matching) {
        (None, None) => Ok(Precondition::None),
        _ if request.method == Method::POST => Err(malformed(
            "a new item has no tag yet; send neither `If-Match` nor `If-None-Match`",
        )),
        (Some(EntityTags::Any), None) => Ok(Precondition::ItemExists),
        (Some(EntityTags::Listed(tags)), None) => Ok(Precondition::Tags(row_tags(&tags))),
        (None, Some(EntityTags::Any)) if request.method == Method::PUT => Ok(Precondition::Absent),
        _ => Err(malformed(
            "send the tag of the item as `If-Match`; `If-None-Match` is taken by `PUT` alone, as `*` and \
             without `If-Match`",
        )),
    }
}

/// The tags of rows among strong tags. A weak one does not tell that two states are the same.
fn row_tags(tags: &[(String, bool)]) -> Vec<RowTag> {
    let strong = tags.iter().filter(|(_, is_weak)| !is_weak);
    // The rest of a tag is about the form of one answer, and proxies append to it.
    let rows = strong.filter_map(|(text, _)| text.split('.').next());
    rows.filter_map(RowTag::parse).collect()
}

/// The tags of the header `name`, which may have several lines; none without the header.
pub(crate) fn entity_tags(
    headers: &HeaderMap,
    name: &HeaderName,
) -> Result<Option<EntityTags>, ApiError> {
    // The usual case: no such header, for which nothing is made.
    if !headers.contains_key(name) {
        return Ok(None);
    }
    let lines = headers.get_all(name).iter();
    let lines: Vec<_> = lines
        .map(|line| String::from_utf8_lossy(line.as_bytes()))
        .collect();
    let text = lines.join(",");
    let tags = match text.trim_matches([' ', '\t']) {
        "*" => Some(EntityTags::Any),
        text => listed(text).map(EntityTags::Listed),
    };
    let malformed = || {
        let name = if name == header::IF_MATCH {
            "If-Match"
        } else {
            "If-None-Match"
        };
        malformed(&format!(
            "`{name}` takes entity tags in double quotes with commas between them, as the header `ETag` has \
             them, or `*` alone"
        ))
    };
    tags.map(Some).ok_or_else(malformed)
}

/// The elements of a list of tags; none where it is malformed or has none. Commas may stand within a tag.
fn listed(mut rest: &str) -> Option<Vec<(String, bool)>> {
    let mut tags = Vec::new();
    loop {
        // A list may have empty elements (RFC 9110, section 5.6.1.2).
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return Some(tags).filter(|tags| !tags.is_empty());
        }
        let weak = rest.strip_prefix("W/");
        let (text, behind) = weak.unwrap_or(rest).strip_prefix('"')?.split_once('"')?;
        if text.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
            return None;
        }
        rest = behind.trim_start_matches([' ', '\t']);
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
        tags.push((text.to_owned(), weak.is_some()));
    }
}

fn malformed(description: &str) -> ApiError {
    ApiError::new(ErrorCode::MalformedCondition, description)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, Method, Request, header};

    use super::{EntityTags, entity_tags, precondition};
    use crate::operation::{Precondition, RowTag};

    fn headers(lines: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::IF_MATCH, HeaderValue::from_bytes(line).unwrap());
        }
        headers
    }

    fn texts(lines: &[&[u8]]) -> Option<Vec<(String, bool)>> {
        match entity_tags(&headers(lines), &header::IF_MATCH) {
            Ok(Some(EntityTags::Listed(tags))) => Some(tags),
            Ok(Some(EntityTags::Any)) => Some(Vec::new()),
            Ok(None) | Err(_) => None,
        }
    }

    #[test]
    fn tags_stand_in_lists_of_several_lines() {
        let strong = |text: &str| (text.to_owned(), false);
        assert_eq!(texts(&[b"\"a\""]), Some(vec![strong("a")]));
        assert_eq!(texts(&[b"\"\""]), Some(vec![strong("")]));
        assert_eq!(texts(&[b" * "]), Some(Vec::new()));
        let several = Some(vec![strong("a,b"), ("c".to_owned(), true), strong("d")]);
        assert_eq!(texts(&[b"\"a,b\" ,, W/\"c\",\t", b"\"d\""]), several);
        assert!(texts(&[b"\"\xff\""]).is_some());
    }

    #[test]
    fn other_texts_are_malformed() {
        for text in [
            "",
            ",",
            "a",
            "\"a",
            "a\"",
            "\"a\" \"b\"",
            "\"a\"b",
            "\"a b\"",
            "w/\"a\"",
            "W/ \"a\"",
            "*,\"a\"",
            "\"a\",*",
            "**",
            "'a'",
        ] {
            assert_eq!(texts(&[text.as_bytes()]), None, "{text}");
        }
        assert_eq!(texts(&[b"*", b"*"]), None);
    }

    #[test]
    fn rows_are_told_by_strong_tags_up_to_the_first_point() {
        let digest = "d000000000000000000000000000000ff";
        let tags = format!(
            "\"r7\", \"r8.1234-gzip\", \"{digest}.x\", W/\"r9\", \"r07\", \"r+7\", \"d0f\", \"x7\", \"\", \"\u{e9}\""
        );
        let expected = [
            RowTag::Revision(7),
            RowTag::Revision(8),
            RowTag::Digest(255),
        ];
        let (mut request, ()) = Request::new(()).into_parts();
        request.headers = headers(&[tags.as_bytes()]);
        for method in [Method::PUT, Method::PATCH, Method::DELETE] {
            request.method = method;
            let found = precondition(&request).unwrap();
            assert!(matches!(found, Precondition::Tags(tags) if tags == expected));
        }
        request.method = Method::POST;
        assert!(precondition(&request).is_err());
    }
}
