//! The cache headers of every response (RFC 9110, section 12.5.5; RFC 9111, section 5.2.2).

use axum::http::{HeaderMap, HeaderValue, header};

/// Cache headers that the responses of some routes have in common.
#[derive(Debug, Clone)]
pub(crate) struct Caching {
    vary: HeaderValue,
    control: HeaderValue,
}

/// The request headers by which responses differ, beside `Accept`, which picks the format of errors.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct VariesBy {
    pub(crate) encoding: bool,
    pub(crate) authorization: bool,
    pub(crate) origin: bool,
}

impl Caching {
    /// Cache headers of an API. Responses that differ by caller are not stored. Others are stored by their
    /// client alone, which revalidates them each time, so that it sees its own writes.
    pub(crate) const fn of(varies_by: VariesBy) -> Self {
        let control = if varies_by.authorization {
            "no-store"
        } else {
            "private, no-cache"
        };
        Self::with_control(varies_by, control)
    }

    /// Cache headers of responses that are not stored.
    pub(crate) const fn none(varies_by: VariesBy) -> Self {
        Self::with_control(varies_by, "no-store")
    }

    /// Cache headers made of constants, so that no response allocates or counts references.
    const fn with_control(varies_by: VariesBy, control: &'static str) -> Self {
        // Every combination is spelled out, since a constant header needs a constant text.
        let by = varies_by;
        let vary = match (by.encoding, by.authorization, by.origin) {
            (false, false, false) => "Accept",
            (true, false, false) => "Accept, Accept-Encoding",
            (false, true, false) => "Accept, Authorization",
            (true, true, false) => "Accept, Accept-Encoding, Authorization",
            (false, false, true) => "Accept, Origin",
            (true, false, true) => "Accept, Accept-Encoding, Origin",
            (false, true, true) => "Accept, Authorization, Origin",
            (true, true, true) => "Accept, Accept-Encoding, Authorization, Origin",
        };
        Self {
            vary: HeaderValue::from_static(vary),
            control: HeaderValue::from_static(control),
        }
    }

    /// Adds the headers to a response, which keeps a `Cache-Control` and a `Vary` of its own.
    pub(super) fn apply(&self, headers: &mut HeaderMap) {
        // Appended, not inserted: several `Vary` headers count together, and one that the response already has stays.
        headers.append(header::VARY, self.vary.clone());
        let control = headers.entry(header::CACHE_CONTROL);
        control.or_insert_with(|| self.control.clone());
    }
}
