//! The form of a request: its body, read once, and each parameter at most once.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, StatusCode, header};
use axum::response::Response;
use http_body_util::LengthLimitError;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resource_runtime::seam::form_decoded;
use resource_server::BodyTimeout;

use crate::authorization_server::ServerState;
use crate::error_response::{OauthError, Problem};
use crate::limits::Limits;
use crate::origin;

/// What the encoding of forms leaves as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'*');

/// The parameters of a request, as a query or a body holds them.
#[derive(Default)]
pub(super) struct Form {
    values: BTreeMap<String, Result<String, InvalidParameter>>,
}

/// Why a parameter cannot be taken: it is repeated or illegible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidParameter;

impl Form {
    pub(super) fn parse(text: &str) -> Self {
        let mut form = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if let Some(name) = decode(name) {
                let once = decode(value).filter(|_| !form.names(&name));
                form.values.insert(name, once.ok_or(InvalidParameter));
            }
        }
        form
    }

    /// The value of a parameter; an empty one is as if absent (RFC 6749, section 3.1).
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, InvalidParameter> {
        match self.values.get(name) {
            Some(Ok(value)) if !value.is_empty() => Ok(Some(value)),
            Some(Err(misfit)) => Err(*misfit),
            Some(Ok(_)) | None => Ok(None),
        }
    }

    /// Whether there is a parameter of this name, with whatever value.
    pub(super) fn names(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether each parameter is there once and legible.
    pub(super) fn check(&self) -> Result<(), InvalidParameter> {
        let all_fit = self.values.values().all(Result::is_ok);
        all_fit.then_some(()).ok_or(InvalidParameter)
    }
}

/// The text behind the encoding of forms; `None` where it is none, or holds what no parameter of
/// ours may hold and no database of ours could.
pub(super) fn decode(text: &str) -> Option<String> {
    let decoded = form_decoded(text).ok()?;
    let legible = !decoded.chars().any(char::is_control);
    legible.then(|| decoded.into_owned())
}

/// `address` with these parameters behind those that it has.
pub(super) fn with_parameters(address: &str, parameters: &[(&str, &str)]) -> String {
    let mut address = address.to_owned();
    for (name, value) in parameters {
        let separator = if address.contains('?') { '&' } else { '?' };
        address.push(separator);
        address.push_str(name);
        address.push('=');
        address.extend(utf8_percent_encode(value, PLAIN));
    }
    address
}

/// No request comes near.
const LARGEST: usize = 16 * 1024;

/// The parameters in the body of a request, each of them once.
pub(super) async fn read(request: &Parts, body: Body) -> Result<Form, Problem> {
    let form = read_any(request, body).await?;
    form.check()?;
    Ok(form)
}

/// The same, where it is left to others to see which are there once.
async fn read_any(request: &Parts, body: Body) -> Result<Form, Problem> {
    if !is_form(&request.headers) {
        let text = "the body must be application/x-www-form-urlencoded";
        return Err(OauthError::invalid_request(text).into());
    }
    let bytes = to_bytes(body, LARGEST).await;
    let bytes = bytes.map_err(|error| unread(&error))?;
    let text = str::from_utf8(&bytes);
    let text = text.map_err(|_| OauthError::invalid_request("the body must be UTF-8"))?;
    Ok(Form::parse(text))
}

fn unread(error: &axum::Error) -> Problem {
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(current) = cause {
        if current.is::<LengthLimitError>() {
            let text = "the body is larger than 16 KiB";
            return Problem::Body(StatusCode::PAYLOAD_TOO_LARGE, text);
        }
        if current.is::<BodyTimeout>() {
            let text = "the body did not arrive in time";
            return Problem::Body(StatusCode::REQUEST_TIMEOUT, text);
        }
        cause = current.source();
    }
    let text = "the body ended before it was whole";
    Problem::Body(StatusCode::BAD_REQUEST, text)
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|it| it.to_str().ok());
    let essence = content_type.unwrap_or_default().split(';').next();
    let essence = essence.unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// Has a question that counts as `count` says answered, in a way that the client's page may read. The
/// form that `answer` is given holds each parameter once.
pub(super) async fn answered<Answering>(
    state: Arc<ServerState>,
    request: Request<Body>,
    count: fn(&Limits, &Extensions) -> Result<(), Problem>,
    answer: fn(Arc<ServerState>, Parts, Form) -> Answering,
) -> Response
where
    Answering: Future<Output = Result<Response, Problem>> + Send,
{
    let (request, body) = request.into_parts();
    let counted = count(&state.limits, &request.extensions);
    let form = read_any(&request, body).await;
    let page = origin::page(&request.headers, &form);
    let sound = counted.and(form).and_then(|form| {
        form.check()?;
        Ok(form)
    });
    let answer = match sound {
        Ok(form) => answer(Arc::clone(&state), request, form).await,
        Err(problem) => Err(problem),
    };
    origin::readable(&state, answer, page).await
}

#[cfg(test)]
mod tests {
    use super::Form;
    use super::InvalidParameter;
    use super::with_parameters;

    #[test]
    fn values_are_decoded_and_empty_ones_are_absent() {
        let form = Form::parse("a=b+c%2Bd&&empty=&bare&%61%62=x");
        assert_eq!(form.get("a"), Ok(Some("b c+d")));
        assert_eq!(form.get("ab"), Ok(Some("x")));
        for absent in ["empty", "bare", "none"] {
            assert_eq!(form.get(absent), Ok(None), "{absent}");
        }
        assert_eq!(form.check(), Ok(()));
    }

    #[test]
    fn what_is_repeated_or_illegible_is_refused() {
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
    fn parameters_stand_behind_those_of_the_address() {
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

    use axum::body::Body;
    use axum::body::to_bytes;

    use super::BodyTimeout;
    use super::Problem;
    use super::unread;

    fn status(error: &axum::Error) -> u16 {
        match unread(error) {
            Problem::Body(status, _) => status.as_u16(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_body_that_is_too_large_or_too_late_or_broken_is_told_so() {
        let large = to_bytes(Body::from("abc"), 2).await.unwrap_err();
        assert_eq!(status(&large), 413);
        let limit = Duration::from_secs(1);
        assert_eq!(status(&axum::Error::new(BodyTimeout { limit })), 408);
        let broken = std::io::Error::other("the connection broke");
        assert_eq!(status(&axum::Error::new(broken)), 400);
    }
}
