//! Lifetime of a fetched key set, by the `Cache-Control` of its response.

use std::hash::{BuildHasher as _, RandomState};

use axum::http::{HeaderMap, header};

const MIN_LIFETIME: i64 = 5 * 60;
const MAX_LIFETIME: i64 = 24 * 60 * 60;
/// For responses without `max-age`.
const DEFAULT_LIFETIME: i64 = 15 * 60;

/// The lifetime in seconds; the strictest directive counts.
pub(crate) fn lifetime(headers: &HeaderMap) -> i64 {
    // The header may come in several lines, each with several directives.
    let directives = headers
        .get_all(header::CACHE_CONTROL)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let seconds = directives.map(str::trim).filter_map(seconds).min();
    seconds
        // The bounds keep an issuer with `no-store` from being asked all the time, and a withdrawn key from
        // being used for more than a day.
        .unwrap_or(DEFAULT_LIFETIME)
        .clamp(MIN_LIFETIME, MAX_LIFETIME)
}

fn seconds(directive: &str) -> Option<i64> {
    let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
    match name.to_ascii_lowercase().as_str() {
        // Both directives forbid a reuse without a new request; the lower bound turns them into a short
        // lifetime.
        "no-store" | "no-cache" => Some(0),
        // A value that is no number is ignored, as if the directive were absent.
        "max-age" => value.trim_matches('"').parse().ok(),
        _ => None,
    }
}

/// Shortens a lifetime by up to a tenth, so that instances started together do not refresh together.
pub(super) fn with_jitter(lifetime: i64) -> i64 {
    // The standard library seeds each state at random: enough for jitter, without another crate.
    let random = RandomState::new().hash_one(());
    let tenth = u64::try_from(lifetime / 10).unwrap_or(0);
    // A tenth of zero has no remainder.
    let earlier = random.checked_rem(tenth).unwrap_or(0);
    // Only earlier, never later: the lifetime is the time that the issuer allows.
    lifetime - i64::try_from(earlier).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::{lifetime, with_jitter};

    fn of(value: &'static str) -> i64 {
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(value));
        lifetime(&headers)
    }

    #[test]
    fn max_age_counts_within_bounds() {
        assert_eq!(of("public, max-age=3600"), 3600);
        assert_eq!(of("MAX-AGE=\"900\""), 900);
        assert_eq!(of("max-age=1"), 300);
        assert_eq!(of("max-age=31536000"), 86_400);
        assert_eq!(of("no-store, max-age=3600"), 300);
        for unsaid in ["", "public", "max-age=", "max-age=x", "s-maxage=9000"] {
            assert_eq!(of(unsaid), 900, "{unsaid}");
        }
        assert_eq!(lifetime(&HeaderMap::new()), 900);
    }

    #[test]
    fn jitter_takes_a_tenth_at_most() {
        for _ in 0..1000 {
            assert!((901..=1000).contains(&with_jitter(1000)));
        }
        assert_eq!(with_jitter(5), 5);
    }
}
