//! Form parameters of a request: a query string, or a body that is read once.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, StatusCode, header};
use axum::response::Response;
use http_body_util::LengthLimitError;
use resource_oauth2::issuing::form_encoded;
use resource_runtime::shared::form_decoded;
use resource_server::BodyTimeout;

use crate::authorization_server::ServerState;
use crate::cors;
use crate::error_response::{EndpointError, EndpointResult, OauthError};
use crate::limits::Limits;

/// The parameters of a query string or a body.
#[derive(Default)]
pub(super) struct Form {
    values: BTreeMap<String, Result<String, InvalidParameter>>,
}

/// A parameter that is repeated or cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidParameter;

impl Form {
    pub(super) fn parse(text: &str) -> Self {
        let mut form = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // An undecodable name cannot be that of a parameter that we read, so the pair is
            // ignored as unknown.
            if let Some(name) = decode(name) {
                // The second of two equal names makes the parameter invalid; so does a third, since
                // the name stays.
                let once = decode(value).filter(|_| !form.has(&name));
                form.values.insert(name, once.ok_or(InvalidParameter));
            }
        }
        form
    }

    /// The value of a parameter; an empty one counts as absent (RFC 6749, section 3.1).
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, InvalidParameter> {
        match self.values.get(name) {
            Some(Ok(value)) if !value.is_empty() => Ok(Some(value)),
            Some(Err(error)) => Err(*error),
            Some(Ok(_)) | None => Ok(None),
        }
    }

    /// Tests that a parameter of this name exists, with any value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Fails if any parameter is repeated or cannot be decoded. RFC 6749, section 3.1, forbids
    /// repetition, also of parameters that this server does not know.
    pub(super) fn check(&self) -> Result<(), InvalidParameter> {
        let all_valid = self.values.values().all(Result::is_ok);
        all_valid.then_some(()).ok_or(InvalidParameter)
    }

    fn checked(self) -> Result<Self, InvalidParameter> {
        self.check()?;
        Ok(self)
    }
}

/// Decodes form-encoded text. Control characters are refused: no parameter of ours has any, and
/// PostgreSQL cannot store NUL.
pub(super) fn decode(text: &str) -> Option<String> {
    let decoded = form_decoded(text).ok()?;
    let readable = !decoded.chars().any(char::is_control);
    readable.then(|| decoded.into_owned())
}

/// Appends parameters to the query of a URI.
pub(super) fn with_parameters(address: &str, parameters: &[(&str, &str)]) -> String {
    let mut address = address.to_owned();
    for (name, value) in parameters {
        // A registered redirect URI may have a query of its own, which is kept (RFC 6749, section
        // 3.1.2).
        let separator = if address.contains('?') { '&' } else { '?' };
        address.push(separator);
        address.push_str(name);
        address.push('=');
        address.extend(form_encoded(value));
    }
    address
}

/// Bound on a body in bytes, far above that of any valid request.
const MAX_BODY: usize = 16 * 1024;

/// Reads a body whose parameters must all be valid.
pub(super) async fn read(request: &Parts, body: Body) -> Result<Form, EndpointError> {
    Ok(parse_body(request, body).await?.checked()?)
}

/// Reads a body; the caller checks the parameters.
async fn parse_body(request: &Parts, body: Body) -> Result<Form, EndpointError> {
    if !is_form(&request.headers) {
        let text = "the body must be application/x-www-form-urlencoded";
        return Err(OauthError::invalid_request(text).into());
    }
    // The type is checked first, so that no byte of another type is read.
    let bytes = to_bytes(body, MAX_BODY).await;
    let bytes = bytes.map_err(|error| body_error(&error))?;
    let text = str::from_utf8(&bytes);
    let text = text.map_err(|_| OauthError::invalid_request("the body must be UTF-8"))?;
    Ok(Form::parse(text))
}

/// The error for a body that could not be read.
fn body_error(error: &axum::Error) -> EndpointError {
    // Layers of the body wrap the error, so its chain of sources is searched.
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(current) = cause {
        if current.is::<LengthLimitError>() {
            let text = "the body is larger than 16 KiB";
            return EndpointError::Body(StatusCode::PAYLOAD_TOO_LARGE, text);
        }
        if current.is::<BodyTimeout>() {
            let text = "the body did not arrive in time";
            return EndpointError::Body(StatusCode::REQUEST_TIMEOUT, text);
        }
        cause = current.source();
    }
    // All other errors come from the connection, such as that of a client that disconnected.
    let text = "the body ended before it was whole";
    EndpointError::Body(StatusCode::BAD_REQUEST, text)
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|it| it.to_str().ok());
    // Parameters such as a charset are ignored: the registration of this type has none.
    let essence = content_type.unwrap_or_default().split(';').next();
    let essence = essence.unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// Handles a form request and adds CORS headers, also to errors: of the rate limit `count`, of the
/// form, and of `respond`. The parameters are parsed before they are checked, because the client
/// that CORS depends on is one of them.
pub(super) async fn handle_form<Responding>(
    state: Arc<ServerState>,
    request: Request<Body>,
    count: fn(&Limits, &Extensions) -> Result<(), EndpointError>,
    respond: fn(Arc<ServerState>, Parts, Form) -> Responding,
) -> Response
where
    Responding: Future<Output = EndpointResult> + Send,
{
    let (request, body) = request.into_parts();
    // The body is read even beyond the limit: the page of a client can read the refusal only with
    // CORS headers, which depend on a parameter.
    let within_limit = count(&state.limits, &request.extensions);
    let form = parse_body(&request, body).await;
    let page = cors::requesting_page(&request.headers, &form);
    // The limit comes first: beyond it the caller learns nothing about its form.
    let valid_form = within_limit.and(form).and_then(|form| Ok(form.checked()?));
    let response = match valid_form {
        Ok(form) => respond(Arc::clone(&state), request, form).await,
        Err(error) => Err(error),
    };
    cors::with_cors(&state, response, page).await
}

#[cfg(test)]
mod tests {
    use super::{Form, InvalidParameter, with_parameters};

    #[test]
    fn values_are_decoded_and_empty_values_are_absent() {
        let form = Form::parse("a=b+c%2Bd&&empty=&bare&%61%62=x");
        assert_eq!(form.get("a"), Ok(Some("b c+d")));
        assert_eq!(form.get("ab"), Ok(Some("x")));
        for absent in ["empty", "bare", "none"] {
            assert_eq!(form.get(absent), Ok(None), "{absent}");
        }
        assert_eq!(form.check(), Ok(()));
    }

    #[test]
    fn repeated_and_undecodable_parameters_are_refused() {
        for text in [
            "a=1&a=1",
            "a=&a=",
            "a=1&%61=2",
            "a=%ff",
            "a=5%",
            "a=%00",
            "a=x%0a",
            "a=1&a=2&a=3",
        ] {
            let form = Form::parse(text);
            assert_eq!(form.get("a"), Err(InvalidParameter), "{text}");
            assert_eq!(form.check(), Err(InvalidParameter), "{text}");
        }
    }

    #[test]
    fn parameters_are_appended_to_those_of_the_address() {
        let parameters = [("code", "a b"), ("state", "ü&=/")];
        assert_eq!(
            with_parameters("https://h/cb", &parameters),
            "https://h/cb?code=a%20b&state=%C3%BC%26%3D%2F"
        );
        assert_eq!(
            with_parameters("app:/cb?a=b", &[("c", "d")]),
            "app:/cb?a=b&c=d"
        );
    }
}

#[cfg(test)]
mod body_tests {
    use std::time::Duration;

    use axum::body::{Body, to_bytes};

    use super::{BodyTimeout, EndpointError, body_error};

    fn status(error: &axum::Error) -> u16 {
        match body_error(error) {
            EndpointError::Body(status, _) => status.as_u16(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn status_tells_a_large_a_late_and_a_broken_body_apart() {
        let large = to_bytes(Body::from("abc"), 2).await.unwrap_err();
        assert_eq!(status(&large), 413);
        let limit = Duration::from_secs(1);
        assert_eq!(status(&axum::Error::new(BodyTimeout { limit })), 408);
        let broken = std::io::Error::other("the connection broke");
        assert_eq!(status(&axum::Error::new(broken)), 400);
    }
}
