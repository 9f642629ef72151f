//! Names of OpenTelemetry's semantic conventions that traces and metrics share.

use axum::http::Method;

/// The name of a method that the conventions do not know.
pub(crate) const OTHER_METHOD: &str = "_OTHER";

/// The method, if the conventions know it: a constant, as clients may invent methods.
pub(crate) fn conventional_method(method: &Method) -> Option<&'static str> {
    const KNOWN: [&str; 9] = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ];
    KNOWN.into_iter().find(|known| *known == method.as_str())
}

#[cfg(test)]
mod tests {
    use axum::http::Method;

    use super::conventional_method;

    #[test]
    fn a_method_that_a_client_invents_is_none_of_the_conventions() {
        let invented = Method::from_bytes(b"BREW").unwrap();
        assert_eq!(conventional_method(&invented), None);
        assert_eq!(conventional_method(&Method::PATCH), Some("PATCH"));
    }
}
