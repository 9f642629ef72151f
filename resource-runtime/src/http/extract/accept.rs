//! Content negotiation by the header `Accept` (RFC 9110, section 12.5.1), and by the parameter `format` of lists.

use axum::http::{HeaderMap, header};
use resource_model::error::{ApiError, ErrorCode, did_you_mean, truncate_for_display};

const JSON: &str = "application/json";
const HTML: &str = "text/html";
const PROBLEM: &str = "application/problem+json";

/// The format of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A page: an object with the items and their total number.
    Json,
    /// An item a line, as JSON.
    Ndjson,
    /// An item a line, its values between commas (RFC 4180).
    Csv,
}

impl Format {
    /// The formats with their names in `format` and their media types. Of those that a client accepts alike, the first
    /// is sent.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Json, "json", JSON),
        (Self::Ndjson, "ndjson", "application/x-ndjson"),
        (Self::Csv, "csv", "text/csv"),
    ];
}

/// The format of a list: the one that the parameter `format` names, or else the one that the header `Accept` prefers.
/// A wildcard stands for JSON alone, so that clients which accept anything get what they always got.
pub(crate) fn list_format(
    headers: &HeaderMap,
    parameter: Option<&str>,
) -> Result<Format, ApiError> {
    if let Some(text) = parameter.filter(|it| !it.is_empty()) {
        let found = Format::ALL.into_iter().find(|(_, name, _)| *name == text);
        return found.map(|(format, ..)| format).ok_or_else(|| {
            let names = Format::ALL.iter().map(|(_, name, _)| *name);
            let (shown, suggestion) = (truncate_for_display(text), did_you_mean(text, names));
            let description =
                format!("`format` is `json`, `ndjson` or `csv`, not `{shown}`{suggestion}");
            ApiError::new(ErrorCode::MalformedQuery, description)
        });
    }
    let mut best = (Format::Json, json_weight(headers));
    for (format, _, media_type) in Format::ALL.into_iter().skip(1) {
        // No weight is above 1, so the usual client's header is read once.
        if best.1 >= 1.0 {
            break;
        }
        let weight = named_weight(headers, media_type);
        if weight > best.1 {
            best = (format, weight);
        }
    }
    if best.1 > 0.0 {
        return Ok(best.0);
    }
    Err(ApiError::new(
        ErrorCode::NotAcceptable,
        "lists are `application/json`, `application/x-ndjson` or `text/csv`, which the header `Accept` leaves out",
    ))
}

/// Refuses a client that does not accept JSON (RFC 9110, section 12.5.1). A client that asks for problem
/// details accepts JSON too: it only wants its errors in another form.
pub(crate) fn require_accepts_json(headers: &HeaderMap) -> Result<(), ApiError> {
    if json_weight(headers) > 0.0 {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::NotAcceptable,
        "responses are `application/json`, which the header `Accept` leaves out",
    ))
}

/// The form of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorForm {
    /// A JSON object with a code, a description and a link.
    Plain,
    /// Problem details (RFC 9457).
    Problem,
    /// A page, which browsers alone ask for.
    Page,
}

/// The form of errors that a client prefers: one that it names, with no less weight than `application/json` if that is named,
/// too; wildcards do not count.
pub(crate) fn error_form(headers: &HeaderMap) -> ErrorForm {
    let forms = [(ErrorForm::Problem, PROBLEM), (ErrorForm::Page, HTML)];
    let preferred = forms.into_iter().find(|(_, media_type)| {
        let weight = named_weight(headers, media_type);
        weight > 0.0 && weight >= named_weight(headers, JSON)
    });
    preferred.map_or(ErrorForm::Plain, |(form, _)| form)
}

/// The weight of a media type that is named; 0 where it is not.
fn named_weight(headers: &HeaderMap, name: &str) -> f32 {
    let mut ranges = ranges(headers);
    let named = ranges.find(|(range, _)| range.eq_ignore_ascii_case(name));
    named.map_or(0.0, |(_, weight)| weight)
}

/// The weight of JSON; 0 where it is not accepted.
fn json_weight(headers: &HeaderMap) -> f32 {
    let mut ranges = ranges(headers).peekable();
    // A missing header, or an empty one, accepts everything.
    if ranges.peek().is_none() {
        return 1.0;
    }
    let ours = ranges
        // A weight of zero rules out problem details as a form of errors, but not JSON.
        .filter(|(range, weight)| !range.eq_ignore_ascii_case(PROBLEM) || *weight > 0.0)
        .filter_map(|(range, weight)| Some((precision(range)?, weight)));
    // Among equally exact ranges, the one that wants JSON most decides.
    let most = ours.max_by(|(one, low), (other, high)| one.cmp(other).then(low.total_cmp(high)));
    most.map_or(0.0, |(_, weight)| weight)
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

    use super::{ErrorForm, Format, error_form, json_weight, list_format};

    fn accept(value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(value));
        headers
    }

    #[test]
    fn json_is_accepted_by_name_by_range_and_by_default() {
        assert!(json_weight(&HeaderMap::new()) > 0.0);
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
            assert!(json_weight(&accept(value)) > 0.0, "{value}");
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
            assert!(json_weight(&accept(value)) <= 0.0, "{value}");
        }
    }

    #[test]
    fn errors_have_the_form_that_is_named_with_no_less_weight_than_json() {
        for (value, form) in [
            (
                "application/json, application/problem+json",
                ErrorForm::Problem,
            ),
            ("application/problem+json;q=0.5, */*", ErrorForm::Problem),
            ("Application/Problem+JSON", ErrorForm::Problem),
            (
                "text/html, application/problem+json;q=0.1",
                ErrorForm::Problem,
            ),
            ("text/html,application/xml;q=0.9,*/*;q=0.8", ErrorForm::Page),
            ("*/*", ErrorForm::Plain),
            ("text/*", ErrorForm::Plain),
            ("text/html;q=0, */*", ErrorForm::Plain),
            ("application/json, text/html;q=0.9", ErrorForm::Plain),
            (
                "application/json, application/problem+json;q=0.5",
                ErrorForm::Plain,
            ),
            ("*/*, application/problem+json;q=0", ErrorForm::Plain),
            ("", ErrorForm::Plain),
        ] {
            assert_eq!(error_form(&accept(value)), form, "{value}");
        }
    }

    #[test]
    fn a_list_is_json_unless_another_format_is_named_with_a_greater_weight() {
        for (value, expected) in [
            ("", Some(Format::Json)),
            ("*/*", Some(Format::Json)),
            ("text/*, application/*;q=0.1", Some(Format::Json)),
            ("text/csv, application/json", Some(Format::Json)),
            ("text/csv;q=0.5, */*", Some(Format::Json)),
            ("TEXT/CSV; header=present, */*;q=0.9", Some(Format::Csv)),
            ("text/csv, application/x-ndjson", Some(Format::Ndjson)),
            ("text/csv, application/x-ndjson;q=0.9", Some(Format::Csv)),
            ("application/json;q=0, text/csv;q=0.1", Some(Format::Csv)),
            (
                "application/problem+json, text/csv;q=0.9",
                Some(Format::Json),
            ),
            ("application/json;q=0, */*", None),
            ("text/csv;q=0, text/*", None),
        ] {
            assert_eq!(list_format(&accept(value), None).ok(), expected, "{value}");
            // The parameter wins, and an empty one is as good as none.
            let named = list_format(&accept(value), Some("csv"));
            assert_eq!(named.ok(), Some(Format::Csv));
            assert_eq!(list_format(&accept(value), Some("")).ok(), expected);
        }
    }
}
