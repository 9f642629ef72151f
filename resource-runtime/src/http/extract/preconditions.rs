//! The request headers `If-Match` and `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1).

use axum::http::{HeaderMap, HeaderName, header};
use resource_model::error::{ApiError, ErrorCode};
use resource_model::schema::Operation;

use crate::operation::{Precondition, RowTag};

/// The entity tags of a header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EntityTags {
    /// `*`: that of every item there is.
    Any,
    Listed(Vec<EntityTag>),
}

/// An entity tag as a client sends it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EntityTag {
    pub(crate) is_weak: bool,
    /// The text between the quotes.
    pub(crate) text: String,
}

/// The precondition of a write. A header that would have no effect is refused, since its client relies on it.
pub(crate) fn precondition(
    headers: &HeaderMap,
    operation: Operation,
) -> Result<Precondition, ApiError> {
    let matching = entity_tags(headers, &header::IF_MATCH)?;
    let none_matching = entity_tags(headers, &header::IF_NONE_MATCH)?;
    match (operation, matching, none_matching) {
        (_, None, None) => Ok(Precondition::None),
        (Operation::Update | Operation::Delete, Some(EntityTags::Any), None) => {
            Ok(Precondition::ItemExists)
        }
        (Operation::Update | Operation::Delete, Some(EntityTags::Listed(tags)), None) => {
            Ok(Precondition::Tags(row_tags(&tags)))
        }
        (Operation::Update, None, Some(EntityTags::Any)) => Ok(Precondition::Absent),
        (Operation::Update, Some(_), Some(_)) => Err(malformed(
            "`If-Match` and `If-None-Match` exclude each other; send one of them",
        )),
        (Operation::Update, ..) => Err(malformed(
            "`If-None-Match` of a change takes `*` alone; send the tag of the item as `If-Match`",
        )),
        (Operation::Delete, ..) => Err(malformed(
            "a deletion has no `If-None-Match`; send the tag of the item as `If-Match`",
        )),
        _ => Err(malformed(
            "a new item has no tag yet; send neither `If-Match` nor `If-None-Match`",
        )),
    }
}

/// The tags of rows among strong tags. A weak one does not tell that two states are the same.
fn row_tags(tags: &[EntityTag]) -> Vec<RowTag> {
    let strong = tags.iter().filter(|tag| !tag.is_weak);
    // The rest of a tag is about the form of one answer, and proxies append to it.
    let rows = strong.map(|tag| tag.text.split_once('.').map_or(&*tag.text, |(row, _)| row));
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
fn listed(mut rest: &str) -> Option<Vec<EntityTag>> {
    let mut tags = Vec::new();
    loop {
        // A list may have empty elements (RFC 9110, section 5.6.1.2).
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return Some(tags).filter(|tags| !tags.is_empty());
        }
        let strong = rest.strip_prefix("W/");
        let (text, behind) = strong.unwrap_or(rest).strip_prefix('"')?.split_once('"')?;
        if text.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
            return None;
        }
        rest = behind.trim_start_matches([' ', '\t']);
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
        tags.push(EntityTag {
            is_weak: strong.is_some(),
            text: text.to_owned(),
        });
    }
}

fn malformed(description: &str) -> ApiError {
    ApiError::new(ErrorCode::MalformedCondition, description)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};
    use resource_model::schema::Operation;

    use super::{EntityTags, entity_tags, precondition};
    use crate::operation::{Precondition, RowTag};

    fn headers(lines: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::IF_MATCH, HeaderValue::from_bytes(line).unwrap());
        }
        headers
    }

    fn texts(lines: &[&[u8]]) -> Option<Vec<(bool, String)>> {
        match entity_tags(&headers(lines), &header::IF_MATCH) {
            Ok(Some(EntityTags::Listed(tags))) => {
                Some(tags.into_iter().map(|it| (it.is_weak, it.text)).collect())
            }
            Ok(Some(EntityTags::Any)) => Some(Vec::new()),
            Ok(None) | Err(_) => None,
        }
    }

    #[test]
    fn tags_stand_in_lists_of_several_lines() {
        let strong = |text: &str| (false, text.to_owned());
        assert_eq!(texts(&[b"\"a\""]), Some(vec![strong("a")]));
        assert_eq!(texts(&[b"\"\""]), Some(vec![strong("")]));
        assert_eq!(texts(&[b" * "]), Some(Vec::new()));
        let several = Some(vec![strong("a,b"), (true, "c".to_owned()), strong("d")]);
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
        let headers = headers(&[tags.as_bytes()]);
        for operation in [Operation::Update, Operation::Delete] {
            let found = precondition(&headers, operation).unwrap();
            assert_eq!(found, Precondition::Tags(expected.to_vec()));
        }
        assert!(precondition(&headers, Operation::Create).is_err());
    }
}
