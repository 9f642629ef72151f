//! Content negotiation by the header `Accept` (RFC 9110, section 12.5.1).

use axum::http::{HeaderMap, header};
use resource_model::error::{ApiError, ErrorCode};

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";

/// Refuses a client that does not accept JSON (RFC 9110, section 12.5.1). A client that asks for problem
/// details accepts JSON too: it only wants its errors in another form.
pub(crate) fn require_accepts_json(headers: &HeaderMap) -> Result<(), ApiError> {
    if accepts_json(headers) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::NotAcceptable,
        "responses are `application/json`, which the header `Accept` leaves out",
    ))
}

/// Tests whether errors are wanted as problem details (RFC 9457): named, and with no less weight than
/// `application/json` if that is named, too; wildcards do not count.
pub(crate) fn prefers_problem(headers: &HeaderMap) -> bool {
    let weight = |name| ranges(headers).find(|(range, _)| range.eq_ignore_ascii_case(name));
    let problem = weight(PROBLEM).map_or(0.0, |(_, weight)| weight);
    let json = weight(JSON).map_or(0.0, |(_, weight)| weight);
    problem > 0.0 && problem >= json
}

fn accepts_json(headers: &HeaderMap) -> bool {
    let mut ranges = ranges(headers).peekable();
    // A missing header, or an empty one, accepts everything.
    if ranges.peek().is_none() {
        return true;
    }
    let ours = ranges
        // A weight of zero rules out problem details as a form of errors, but not JSON.
        .filter(|(range, weight)| !range.eq_ignore_ascii_case(PROBLEM) || *weight > 0.0)
        .filter_map(|(range, weight)| Some((precision(range)?, weight > 0.0)));
    // A range that accepts JSON decides among equally exact ones, as `true` is the greater value.
    ours.max().is_some_and(|(_, wanted)| wanted)
}

/// The exactness with which a media range names JSON; the most exact range decides.
fn precision(range: &str) -> Option<u8> {
    let ours = [("*/*", 0), ("application/*", 1), (JSON, 2), (PROBLEM, 2)];
    let named = |(name, _): &(&str, u8)| range.eq_ignore_ascii_case(name);
    ours.into_iter().find(named).map(|(_, precision)| precision)
}

/// The media ranges of all `Accept` headers with their weights.
fn ranges(headers: &HeaderMap) -> impl Iterator<Item = (&str, f32)> {
    headers
        .get_all(header::ACCEPT)
        .into_iter()
        // A value that is no text is ignored, as the header is only a preference.
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter(|range| !range.trim().is_empty())
        .map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            (name, parts.find_map(weight).unwrap_or(1.0))
        })
}

/// The weight of a media range (RFC 9110, section 12.4.2).
fn weight(parameter: &str) -> Option<f32> {
    let (name, weight) = parameter.split_once('=')?;
    let named = name.trim().eq_ignore_ascii_case("q");
    named.then(|| weight.trim().parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::{accepts_json, prefers_problem};

    fn accept(value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(value));
        headers
    }

    #[test]
    fn json_is_accepted_by_name_by_range_and_by_default() {
        assert!(accepts_json(&HeaderMap::new()));
        for value in [
            "*/*",
            "application/*",
            "application/json",
            "Application/JSON; charset=utf-8",
            "text/html, */*;q=0.8",
            "application/problem+json",
            "*/*, application/problem+json;q=0",
            "",
        ] {
            assert!(accepts_json(&accept(value)), "{value}");
        }
    }

    #[test]
    fn the_most_exact_range_decides() {
        for value in [
            "text/html",
            "application/json;q=0",
            "application/json;q=0.0, */*",
            "*/*, APPLICATION/*;q=0",
            "application/xml, text/*",
        ] {
            assert!(!accepts_json(&accept(value)), "{value}");
        }
    }

    #[test]
    fn problem_details_are_preferred_with_no_less_weight_than_json() {
        assert!(prefers_problem(&accept(
            "application/json, application/problem+json"
        )));
        assert!(prefers_problem(&accept(
            "application/problem+json;q=0.5, */*"
        )));
        assert!(prefers_problem(&accept("Application/Problem+JSON")));
        for value in [
            "*/*",
            "application/json, application/problem+json;q=0.5",
            "application/problem+json;q=0",
        ] {
            assert!(!prefers_problem(&accept(value)), "{value}");
        }
    }
}
