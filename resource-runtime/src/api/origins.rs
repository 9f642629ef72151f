//! The origins of other sites that may read answers: their checks, and their header values.

use axum::http::{HeaderValue, Uri};

use crate::http::middleware::ANY_ORIGIN;

/// The mistakes in the origins that may read answers.
pub(super) fn mistakes(origins: &[String]) -> impl Iterator<Item = String> {
    let wrong = origins.iter().filter(|origin| !is_origin(origin));
    wrong.map(|origin| {
        format!(
            "`{origin}` is no origin that a browser sends; write a scheme, a host and maybe a \
             port, like `https://app.example.org`, or `*`"
        )
    })
}

pub(super) fn headers(origins: &[String]) -> Vec<HeaderValue> {
    let values = origins.iter();
    values
        .filter_map(|origin| HeaderValue::from_str(origin).ok())
        .collect()
}

/// Tells that a browser may send this origin. Browsers compare origins letter for letter, so it must be
/// spelled as they do: in lower case, without a path.
fn is_origin(origin: &str) -> bool {
    if origin == ANY_ORIGIN {
        return true;
    }
    let Ok(uri) = origin.parse::<Uri>() else {
        return false;
    };
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return false;
    };
    let spelled = format!("{scheme}://{authority}").to_ascii_lowercase();
    spelled == origin && !authority.as_str().contains('@')
}

#[cfg(test)]
mod tests {
    use super::{is_origin, mistakes};

    #[test]
    fn an_origin_is_what_a_browser_sends() {
        for origin in [
            "*",
            "https://app.example.org",
            "http://localhost:5173",
            "http://[::1]:80",
        ] {
            assert!(is_origin(origin), "{origin}");
        }
        for origin in [
            "",
            "app.example.org",
            "https://app.example.org/",
            "https://app.example.org/path",
            "https://App.example.org",
            "https://ann@app.example.org",
            "https://*.example.org/?",
            "null",
        ] {
            assert!(!is_origin(origin), "{origin}");
            assert_eq!(mistakes(&[origin.to_owned()]).count(), 1, "{origin}");
        }
    }
}
