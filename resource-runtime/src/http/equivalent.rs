//! Percent-encoded paths that are equivalent to a routed one (RFC 3986, section 6.2.2.2).

use axum::extract::{OriginalUri, Request};
use axum::http::Uri;

/// Decodes the octets that the path of a request encodes without need. The router has already tried the path as it was
/// sent, so usual paths cost nothing.
pub(super) fn normalise_path(request: &mut Request) {
    let Some(uri) = with_normal_path(request.uri(), request.uri().path().len()) else {
        return;
    };
    // The path that the router is nested under stays as it is.
    let below = request.uri().path().len();
    let original = request.extensions().get::<OriginalUri>();
    // The original path is decoded as well: `Location` is made of it, and the nesting prefix is what it
    // has beyond the routed path.
    if let Some(original) = original.and_then(|original| with_normal_path(original, below)) {
        request.extensions_mut().insert(OriginalUri(original));
    }
    *request.uri_mut() = uri;
}

/// The URI with the last `below` bytes of its path normalised, if that changes anything.
fn with_normal_path(uri: &Uri, below: usize) -> Option<Uri> {
    let path = uri.path();
    let (above, path) = path.split_at_checked(path.len().checked_sub(below)?)?;
    let decoded = decoded(path)?;
    // The query string stays encoded, as its parser decodes it once.
    let text = match uri.query() {
        Some(query) => format!("{above}{decoded}?{query}"),
        None => format!("{above}{decoded}"),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(text.parse().ok()?);
    Uri::from_parts(parts).ok()
}

/// The path with its encoded unreserved characters decoded, once; `None` if it has none. Slashes, percent signs
/// and all other octets stay encoded, since decoding them could change the path.
fn decoded(path: &str) -> Option<String> {
    let mut parts = path.split('%');
    let mut plain = String::with_capacity(path.len());
    // The first part stands before any percent sign.
    plain.push_str(parts.next()?);
    for part in parts {
        // `from_str_radix` alone would take a sign: `%+1` is no octet.
        let octet = part.get(..2).and_then(|digits| {
            let is_octet = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            u8::from_str_radix(digits, 16).ok().filter(|_| is_octet)
        });
        match octet {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => {
                plain.push(char::from(octet));
                plain.push_str(part.get(2..)?);
            }
            _ => {
                plain.push('%');
                plain.push_str(part);
            }
        }
    }
    // An unchanged path is none: the router has tried it already.
    (plain != path).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::{decoded, with_normal_path};

    #[test]
    fn unreserved_octets_are_decoded_once() {
        for (path, expected) in [
            ("/%73ettings", Some("/settings")),
            ("/%73etting%73/%2541", Some("/settings/%2541")),
            ("/1%2e0%2F%7e", Some("/1.0%2F~")),
            ("/settings", None),
            ("/%2F%25%20%00%C3%A4", None),
            ("/%7", None),
            ("/%", None),
            ("/%+1", None),
        ] {
            assert_eq!(decoded(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn nesting_prefix_and_query_string_stay_encoded() {
        let uri = "http://a:1/%61/%62?%63".parse().unwrap();
        let found = with_normal_path(&uri, 4).unwrap();
        assert_eq!(found, "http://a:1/%61/b?%63");
        assert_eq!(with_normal_path(&uri, 0), None);
    }
}
