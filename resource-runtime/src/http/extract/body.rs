//! The bytes of a JSON body, read up to a limit.

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Method, header};
use resource_model::error::{ApiError, ErrorCode, truncate_for_display};
use resource_server::BodyTimeout;

use crate::failure::Failure;

/// The media type of other bodies.
const JSON: &str = "application/json";

/// The media type of the patches that `PATCH` takes (RFC 7396).
pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";

/// Media types whose JSON describes a change, and is no item.
const PATCHES: [&str; 2] = [MERGE_PATCH, "application/json-patch+json"];

/// The bytes of a JSON body of at most `limit` bytes; of a larger one, the rest is not read. With `PATCH` it is a merge patch,
/// and with other methods none.
pub(crate) async fn read(
    method: &Method,
    headers: &HeaderMap,
    body: Body,
    limit: usize,
) -> Result<Bytes, Failure> {
    // The headers are enough for these refusals, which spare the client the rest of its upload.
    require_content_type(method, headers)?;
    require_uncompressed(headers)?;
    // A body whose announced length is too large is refused before any of it is read.
    if announced_length(headers).is_some_and(|length| length > limit) {
        return Err(too_large(limit).into());
    }
    // A body without `Content-Length` is counted while it comes.
    let read = to_bytes(body, limit).await;
    read.map_err(|error| unreadable(&error, limit))
}

/// `application/json`, or any type with the suffix `+json` (RFC 6839, section 3.1) that describes no change.
fn require_content_type(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let text = headers.get(header::CONTENT_TYPE);
    let text = text.and_then(|it| it.to_str().ok()).unwrap_or_default();
    // Parameters such as `charset` are ignored: JSON is UTF-8 (RFC 8259, section 8.1).
    let essence = text.split(';').next().unwrap_or_default().trim();
    let is = |name: &str| essence.eq_ignore_ascii_case(name);
    let is_patch = PATCHES.into_iter().any(is);
    let is_suffixed = || {
        let (_, subtype) = essence.split_once('/')?;
        let (_, suffix) = subtype.rsplit_once('+')?;
        Some(suffix.eq_ignore_ascii_case("json"))
    };
    let is_json = !is_patch && (is(JSON) || is_suffixed() == Some(true));
    let (sent, form, fits) = match *method {
        Method::PATCH => ("patches", MERGE_PATCH, is(MERGE_PATCH)),
        _ => ("bodies", JSON, is_json),
    };
    if fits {
        return Ok(());
    }
    let found = match text {
        "" => ", and the header `Content-Type` is missing".to_owned(),
        text => format!(", not as `{}`", truncate_for_display(text)),
    };
    let remedy = if is_patch {
        "send merge patches by `PATCH` to the item".to_owned()
    } else if is_json {
        format!(
            "send the header `Content-Type: {form}`, or the same body by `PUT` where the path offers it"
        )
    } else {
        format!("send the header `Content-Type: {form}`")
    };
    let message = format!("{sent} are taken as `{form}`{found}; {remedy}");
    Err(unsupported(&message))
}

fn require_uncompressed(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.get(header::CONTENT_ENCODING) {
        Some(coding) if !coding.as_bytes().eq_ignore_ascii_case(b"identity") => {
            Err(unsupported("compressed bodies are not taken"))
        }
        _ => Ok(()),
    }
}

fn announced_length(headers: &HeaderMap) -> Option<usize> {
    let length = headers.get(header::CONTENT_LENGTH)?;
    // A length that cannot be read announces nothing; the limit still holds while the body is read.
    length.to_str().ok()?.parse().ok()
}

fn unreadable(error: &axum::Error, limit: usize) -> Failure {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    // Layers wrap the error of a body, so its cause is searched for.
    while let Some(current) = cause {
        if current.is::<http_body_util::LengthLimitError>() {
            return too_large(limit).into();
        }
        // The client sent its body too slowly; the server's timeout is an error of the body.
        if let Some(late) = current.downcast_ref::<BodyTimeout>() {
            return Failure::refused(ErrorCode::MalformedBody, late.to_string());
        }
        cause = current.source();
    }
    // The connection broke: hardly any client is left to read the response.
    Failure::refused(
        ErrorCode::MalformedBody,
        "the body ended before it was whole",
    )
}

fn too_large(limit: usize) -> ApiError {
    ApiError::new(
        ErrorCode::BodyTooLarge,
        format!("the body may be at most {limit} bytes long"),
    )
}

fn unsupported(description: &str) -> ApiError {
    ApiError::new(ErrorCode::UnsupportedMediaType, description)
}
