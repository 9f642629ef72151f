use axum::http::{HeaderMap, header};

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";

/// Whether the client takes JSON (RFC 9110, section 12.5.1). A client that asks for problem
/// details takes JSON too: they are what it wants its errors in.
pub(crate) fn accepts_json(headers: &HeaderMap) -> bool {
    let mut ranges = ranges(headers).peekable();
    if ranges.peek().is_none() {
        return true;
    }
    let mut best: Option<(u8, bool)> = None;
    for (range, wanted) in ranges {
        if let Some(precision) = precision(&range) {
            if best.is_none_or(|(known, _)| precision > known) {
                best = Some((precision, wanted));
            } else if best.is_some_and(|(known, _)| precision == known) && wanted {
                best = Some((precision, true));
            }
        }
    }
    best.is_some_and(|(_, wanted)| wanted)
}

/// Whether errors are wanted as problem details (RFC 9457).
pub(crate) fn prefers_problem(headers: &HeaderMap) -> bool {
    ranges(headers).any(|(range, wanted)| wanted && range == PROBLEM)
}

/// How exactly a media range names what we answer; the most exact one decides.
fn precision(range: &str) -> Option<u8> {
    match range {
        JSON | PROBLEM => Some(2),
        "application/*" => Some(1),
        "*/*" => Some(0),
        _ => None,
    }
}

/// The media ranges of all `Accept` headers, and whether their weight is above zero.
fn ranges(headers: &HeaderMap) -> impl Iterator<Item = (String, bool)> {
    headers
        .get_all(header::ACCEPT)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter(|range| !range.trim().is_empty())
        .map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default().to_ascii_lowercase();
            let refused = parts.any(is_zero_weight);
            (name, !refused)
        })
}

fn is_zero_weight(parameter: &str) -> bool {
    parameter.split_once('=').is_some_and(|(name, weight)| {
        name.trim().eq_ignore_ascii_case("q") && weight.trim().parse() == Ok(0.0_f32)
    })
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
    fn json_is_taken_by_name_by_range_and_by_silence() {
        assert!(accepts_json(&HeaderMap::new()));
        for value in [
            "*/*",
            "application/*",
            "application/json",
            "Application/JSON; charset=utf-8",
            "text/html, */*;q=0.8",
            "application/problem+json",
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
            "application/xml, text/*",
        ] {
            assert!(!accepts_json(&accept(value)), "{value}");
        }
    }

    #[test]
    fn problem_details_are_given_to_those_who_ask() {
        assert!(prefers_problem(&accept(
            "application/json, application/problem+json"
        )));
        assert!(!prefers_problem(&accept("*/*")));
    }
}
