use axum::http::StatusCode;

use crate::error::ErrorCode;

pub(crate) const fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::UnknownPath | ErrorCode::NoSuchItem => StatusCode::NOT_FOUND,
        ErrorCode::InvalidItem
        | ErrorCode::StillInUse
        | ErrorCode::NotUnique
        | ErrorCode::MissingReference
        | ErrorCode::MalformedBody
        | ErrorCode::MalformedFilter
        | ErrorCode::MalformedOrder
        | ErrorCode::MalformedFields
        | ErrorCode::MalformedPaging
        | ErrorCode::MalformedQuery
        | ErrorCode::NotHttp
        | ErrorCode::MalformedAuthorization => StatusCode::BAD_REQUEST,
        ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
        ErrorCode::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::UrlTooLong => StatusCode::URI_TOO_LONG,
        ErrorCode::HeaderTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        ErrorCode::UnknownTransferCoding => StatusCode::NOT_IMPLEMENTED,
        ErrorCode::NoValidToken => StatusCode::UNAUTHORIZED,
        ErrorCode::InsufficientScope => StatusCode::FORBIDDEN,
        ErrorCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
