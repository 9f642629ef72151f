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
    pub(crate) depth: usize,
    pub(crate) length: usize,
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

    /// How deep calls may nest.
    #[must_use]
    pub const fn depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// How long each of `filter`, `order` and `fields` may be, in bytes of UTF-8.
    #[must_use]
    pub const fn length(mut self, bytes: usize) -> Self {
        self.length = bytes;
        self
    }

    /// How many calls and list members there may be together.
    #[must_use]
    pub const fn terms(mut self, count: usize) -> Self {
        self.terms = count;
        self
    }
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self::new()
    }
}
