//! What every answer tells caches (RFC 9110, section 12.5.5; RFC 9111, section 5.2.2).

use axum::http::{HeaderMap, HeaderValue, header};

/// What the answers of some routes have in common, for caches between them and their clients.
#[derive(Debug, Clone)]
pub(crate) struct Caching {
    vary: HeaderValue,
    control: HeaderValue,
}

/// What answers differ by beside `Accept`, which picks the form of errors.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct VariesBy {
    pub(crate) encoding: bool,
    pub(crate) authorization: bool,
    pub(crate) origin: bool,
}

impl Caching {
    /// Nothing is kept of answers that differ by who asks or are of this moment. Others are kept by their
    /// client alone, which asks each time whether they still hold: a write is seen by whoever made it.
    pub(crate) const fn of(varies_by: VariesBy) -> Self {
        let control = if varies_by.authorization {
            "no-store"
        } else {
            "private, no-cache"
        };
        Self::saying(varies_by, control)
    }

    /// For answers that nobody keeps.
    pub(crate) const fn none(varies_by: VariesBy) -> Self {
        Self::saying(varies_by, "no-store")
    }

    /// Constants, so that no answer allocates or counts references.
    const fn saying(varies_by: VariesBy, control: &'static str) -> Self {
        let VariesBy {
            encoding,
            authorization,
            origin,
        } = varies_by;
        let vary = match (encoding, authorization, origin) {
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

    /// Adds it to an answer, which may know better how long it holds, or what else it differs by.
    pub(super) fn tell(&self, headers: &mut HeaderMap) {
        headers.append(header::VARY, self.vary.clone());
        let control = headers.entry(header::CACHE_CONTROL);
        control.or_insert_with(|| self.control.clone());
    }
}
