/// How large an expression of the query language may be.
///
/// ```
/// use resource_runtime::{Api, QueryLimits};
///
/// let api = Api::builder().query_limits(QueryLimits::new().depth(8).length(1024));
/// # drop(api);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryLimits {
    /// Levels of brackets.
    pub depth: usize,
    /// Bytes of a parameter.
    pub length: usize,
    pub(crate) terms: usize,
}

impl QueryLimits {
    /// 32 levels, 8 KiB, 1,000 calls and list members together.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            depth: 32,
            length: 8 * 1024,
            terms: 1000,
        }
    }

    /// How deep calls may nest; at most 128, so that no text can exhaust the stack.
    #[must_use]
    pub const fn depth(mut self, levels: usize) -> Self {
        self.depth = smaller(levels, 128);
        self
    }

    /// How long each of `filter`, `order` and `fields` may be, in bytes of UTF-8; at most 64 KiB,
    /// which is as long as a URL can be.
    #[must_use]
    pub const fn length(mut self, bytes: usize) -> Self {
        self.length = smaller(bytes, 64 * 1024);
        self
    }

    /// How many calls and list members there may be together; at most 16,384, half of what SQLite
    /// binds to one statement.
    #[must_use]
    pub const fn terms(mut self, count: usize) -> Self {
        self.terms = smaller(count, 16_384);
        self
    }
}

const fn smaller(one: usize, other: usize) -> usize {
    if one < other { one } else { other }
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self::new()
    }
}
