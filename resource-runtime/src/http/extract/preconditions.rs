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
    Listed(Vec<(Vec<u8>, bool)>),
}

impl EntityTags {
    /// The one of these tags that is this tag of ours, by weak comparison and whatever the coding; ours for `*`.
    pub(crate) fn matching(&self, own: &HeaderValue) -> Option<HeaderValue> {
        let Self::Listed(tags) = self else {
            return Some(own.clone());
        };
        let text = own.as_bytes();
        let text = text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let mut codings = tags.iter().filter_map(|(tag, _)| tag.strip_prefix(text));
        let coding = codings.find(|it| CODING_SUFFIXES.contains(it))?;
        if coding.is_empty() {
            return Some(own.clone());
        }
        HeaderValue::from_bytes(&[b"\"", text, coding, b"\""].concat()).ok()
    }
}

/// The ends by which tags tell the coding of a body.
const CODING_SUFFIXES: [&[u8]; 3] = [b"", b"-gzip", b"-br"];

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
fn row_tags(tags: &[(Vec<u8>, bool)]) -> Vec<RowTag> {
    let strong = tags.iter().filter(|(_, is_weak)| !is_weak);
    // The rest of a tag is about the form of one answer, and proxies append to it.
    let rows = strong.filter_map(|(text, _)| text.split(|byte| *byte == b'.').next());
    rows.filter_map(|row| RowTag::parse(str::from_utf8(row).ok()?))
        .collect()
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
    let lines = || headers.get_all(name).iter().map(HeaderValue::as_bytes);
    if lines().map(<[u8]>::trim_ascii).eq([b"*"]) {
        return Ok(Some(EntityTags::Any));
    }
    let mut tags = Vec::new();
    let is_listed = lines().all(|line| add_listed(line, &mut tags).is_some());
    if is_listed && !tags.is_empty() {
        return Ok(Some(EntityTags::Listed(tags)));
    }
    let name = if name == header::IF_MATCH {
        "If-Match"
    } else {
        "If-None-Match"
    };
    Err(malformed(&format!(
        "`{name}` takes entity tags in double quotes with commas between them, as the header `ETag` has \
         them, or `*` alone"
    )))
}

/// Adds the elements of a list of tags; none where it is malformed. Commas may stand within a tag.
fn add_listed(mut rest: &[u8], tags: &mut Vec<(Vec<u8>, bool)>) -> Option<()> {
    loop {
        // A list may have empty elements (RFC 9110, section 5.6.1.2).
        while let [b' ' | b'\t' | b',', behind @ ..] = rest {
            rest = behind;
        }
        if rest.is_empty() {
            return Some(());
        }
        let weak = rest.strip_prefix(b"W/");
        let text = weak.unwrap_or(rest).strip_prefix(b"\"")?;
        // The closing quote, or a byte that no tag has.
        let is_end = |byte: &u8| matches!(byte, b'"' | ..=b' ' | 0x7f);
        let (text, behind) = text.split_at(text.iter().position(is_end)?);
        rest = behind.strip_prefix(b"\"")?.trim_ascii_start();
        if !rest.is_empty() && !rest.starts_with(b",") {
            return None;
        }
        tags.push((text.to_vec(), weak.is_some()));
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

    fn texts(lines: &[&[u8]]) -> Option<Vec<(Vec<u8>, bool)>> {
        match entity_tags(&headers(lines), &header::IF_MATCH) {
            Ok(Some(EntityTags::Listed(tags))) => Some(tags),
            Ok(Some(EntityTags::Any)) => Some(Vec::new()),
            Ok(None) | Err(_) => None,
        }
    }

    #[test]
    fn tags_stand_in_lists_of_several_lines() {
        let strong = |text: &str| (text.as_bytes().to_vec(), false);
        assert_eq!(texts(&[b"\"a\""]), Some(vec![strong("a")]));
        assert_eq!(texts(&[b"\"\""]), Some(vec![strong("")]));
        assert_eq!(texts(&[b" * "]), Some(Vec::new()));
        let several = Some(vec![strong("a,b"), (b"c".to_vec(), true), strong("d")]);
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
