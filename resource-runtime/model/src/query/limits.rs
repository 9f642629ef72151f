//! The limits of a query: the sizes of a page, and the length and depth of its text.

use super::ListParameters;
use super::cursor::START;
use crate::error::{ApiError, ErrorCode, truncate_for_display};
use crate::schema::{ResourceDefinition, setters};

/// The limits of an expression of the query language.
///
/// ```
/// use resource_runtime::{Api, QueryLimits};
///
/// let api = Api::builder().query_limits(QueryLimits::new().depth(8).collection_limit(5));
/// # drop(api);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryLimits {
    /// The greatest number of nested calls.
    #[doc(hidden)]
    pub depth: usize,
    /// The greatest length of a parameter, in bytes.
    #[doc(hidden)]
    pub length: usize,
    pub(crate) terms: usize,
    pub(super) collection_tests: usize,
    collection_limit: u32,
    max_collection_limit: u32,
    pub(super) max_offset: u64,
}

impl QueryLimits {
    /// The default limits: 32 levels, 8 KiB, 1,000 calls and list members together, 8 tests of collections.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            depth: 32,
            length: 8 * 1024,
            terms: 1000,
            collection_tests: 8,
            collection_limit: 10,
            max_collection_limit: 100,
            max_offset: MAX_OFFSET,
        }
    }

    setters! {
        /// Sets how deep calls may nest; at most 128, so that no text can exhaust the stack.
        depth(levels: usize) => depth = smaller(levels, 128);

        /// Sets the greatest length of each of `filter`, `order` and `fields`, in bytes of UTF-8; at most 64 KiB,
        /// the greatest length of a URL.
        length(bytes: usize) => length = smaller(bytes, 64 * 1024);

        /// Sets the greatest number of calls and list members together; at most 16,384, half of the values that
        /// SQLite binds to one statement.
        terms(count: usize) => terms = smaller(count, 16_384);

        /// Sets how often a filter tests collections by `has` at most; 8 unless it is set. Each may read all of their items.
        collection_tests(count: usize) => collection_tests = count;

        /// Sets how many items of a collection stand beside each item by default; 10 unless it is set.
        collection_limit(items: u32) => collection_limit = items;

        /// Sets how many items of a collection a client may name at most; 100 unless it is set.
        max_collection_limit(items: u32) => max_collection_limit = items;
    }

    /// These limits where the lists of an API have at most `most` items, as those have that continue a collection, and
    /// begin behind `max_offset` at most.
    #[doc(hidden)]
    #[must_use]
    pub fn within_lists_of(mut self, most: u32, max_offset: u64) -> Self {
        self.max_collection_limit = self.max_collection_limit.min(most);
        self.max_offset = max_offset;
        self
    }

    /// The default and the greatest number of items of a collection, where a list has `most` items at most.
    #[doc(hidden)]
    pub fn collection_sizes(self, most: u32) -> (u32, u32) {
        let max = self.max_collection_limit.min(most);
        (self.collection_limit.min(max), max)
    }

    /// The default and the greatest number of items of a collection, of which a list has `most` on a page.
    pub(super) fn of_collection(self, most: Option<u32>) -> (u64, u64) {
        let (default, max) = self.collection_sizes(most.unwrap_or(u32::MAX));
        (default.into(), max.into())
    }
}

const fn smaller(one: usize, other: usize) -> usize {
    // `Ord::min` is not callable in a constant, and these setters are.
    if one < other { one } else { other }
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self::new()
    }
}

/// The greatest offset: databases count with signed integers of 64 bits.
const MAX_OFFSET: u64 = i64::MAX as u64;

/// The limits of a page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    /// The number of items when the client names no `limit`.
    pub default: u64,
    /// The greatest `limit`.
    pub max: u64,
    /// The greatest `offset`.
    pub max_offset: u64,
    /// True where clients may leave out the total.
    pub may_be_uncounted: bool,
    /// True where `limit=all` reads all items.
    pub allows_all: bool,
}

/// The limit of a list that reads all items.
pub const ALL: u64 = u64::MAX;

impl PageLimits {
    /// The limits of pages of these sizes, with any offset and always a total.
    pub const fn new(default: u64, max: u64) -> Self {
        Self {
            default,
            max,
            max_offset: MAX_OFFSET,
            may_be_uncounted: false,
            allows_all: false,
        }
    }

    /// The limits of a resource's lists; the API's cap applies where the resource names none, and what else holds of `api`
    /// holds of each resource.
    pub fn of(definition: &ResourceDefinition, api_cap: u32, api: Self) -> Self {
        let (default, max) = definition.page_sizes(api_cap);
        Self {
            default: default.into(),
            max: max.into(),
            max_offset: api.max_offset.min(MAX_OFFSET),
            may_be_uncounted: api.may_be_uncounted || definition.may_be_uncounted(),
            allows_all: definition.allows_all(),
        }
    }
}

pub(super) fn offset(text: Option<&str>, limits: PageLimits) -> Result<u64, ApiError> {
    // An absent offset is the first page.
    let offset = text.map_or(Ok(0), |text| number("offset", text, MAX_OFFSET, ""))?;
    if offset > limits.max_offset {
        let max = limits.max_offset;
        return Err(malformed(format!(
            "`offset` is at most {max}; read further items page by page, from `cursor=start` on"
        )));
    }
    Ok(offset)
}

/// Reads `count`, which is known only where the total may be left out.
pub(super) fn is_counted(text: Option<&str>) -> Result<bool, ApiError> {
    match text {
        None | Some("exact") => Ok(true),
        Some("none") => Ok(false),
        Some(other) => {
            let found = truncate_for_display(other);
            let problem = format!("`count` is `exact` or `none`, not `{found}`");
            Err(ApiError::new(ErrorCode::MalformedQuery, problem))
        }
    }
}

/// Refuses pages without items that are asked for by cursor, or without their total, and a number of items to skip
/// behind a place.
pub(super) fn require_rows(parameters: &ListParameters, limit: u64) -> Result<(), ApiError> {
    let cursor = parameters.cursor.as_deref();
    let is_uncounted = parameters.count.as_deref() == Some("none");
    Err(malformed(match (cursor, &parameters.offset) {
        (Some(_), _) if limit == 0 => "with `cursor`, `limit` must be at least 1".to_owned(),
        _ if is_uncounted && limit == 0 => {
            "`limit=0` asks for the total alone, which `count=none` leaves out".to_owned()
        }
        (Some(cursor), Some(_)) if cursor != START => {
            "`offset` stands beside `cursor=start` alone: any other cursor has a place already"
                .to_owned()
        }
        _ => return Ok(()),
    }))
}

pub(super) fn limit(text: Option<&str>, limits: PageLimits) -> Result<u64, ApiError> {
    match text {
        None => Ok(limits.default),
        Some("all") if limits.allows_all => Ok(ALL),
        Some(text) => {
            let or_all = if limits.allows_all { " or `all`" } else { "" };
            number("limit", text, limits.max, or_all)
        }
    }
}

/// Reads decimal digits alone: neither a sign nor white space.
fn number(parameter: &str, text: &str, max: u64, or: &str) -> Result<u64, ApiError> {
    // `parse` alone would take a number with a plus sign.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    // An empty text and a number beyond 64 bits pass the test of digits, and fail here.
    let number = digits.then(|| text.parse().ok()).flatten();
    number.filter(|number| *number <= max).ok_or_else(|| {
        // The text may be as long as the URL, and may hold control characters.
        let found = truncate_for_display(text);
        malformed(format!(
            "`{parameter}` must be an integer from 0 to {max}{or}, not `{found}`"
        ))
    })
}

fn malformed(problem: String) -> ApiError {
    ApiError::new(ErrorCode::MalformedPaging, problem)
}

#[cfg(test)]
mod tests {
    use super::{ALL, PageLimits, limit, offset};

    const LIMITS: PageLimits = PageLimits::new(10, 1000);
    const WITH_ALL: PageLimits = PageLimits {
        allows_all: true,
        ..LIMITS
    };

    #[test]
    fn absent_numbers_are_the_defaults() {
        assert_eq!(offset(None, LIMITS), Ok(0));
        assert_eq!(limit(None, LIMITS), Ok(10));
    }

    #[test]
    fn numbers_up_to_the_cap_are_accepted() {
        assert_eq!(limit(Some("0"), LIMITS), Ok(0));
        assert_eq!(limit(Some("1000"), LIMITS), Ok(1000));
        assert_eq!(
            offset(Some("9223372036854775807"), LIMITS),
            Ok(i64::MAX as u64)
        );
    }

    #[test]
    fn other_numbers_are_refused_with_the_expected_range() {
        for text in ["-1", "+1", " 1", "1.0", "1e3", "ten", "", "1001", "٣"] {
            let error = limit(Some(text), LIMITS).unwrap_err();
            let expected = format!("`limit` must be an integer from 0 to 1000, not `{text}`");
            assert_eq!(error.description(), expected);
        }
        assert!(offset(Some("9223372036854775808"), LIMITS).is_err());
    }

    #[test]
    fn all_is_a_limit_where_the_resource_allows_it() {
        assert_eq!(limit(Some("all"), WITH_ALL), Ok(ALL));
        let error = limit(Some("al"), WITH_ALL).unwrap_err();
        let expected = "`limit` must be an integer from 0 to 1000 or `all`, not `al`";
        assert_eq!(error.description(), expected);
        assert!(limit(Some("all"), LIMITS).is_err());
        assert!(offset(Some("all"), LIMITS).is_err());
    }
}
