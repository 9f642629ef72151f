use super::ErrorCode;

/// What a client can do about an error.
pub(crate) const fn help(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::UnknownPath => UNKNOWN_PATH,
        ErrorCode::NoSuchItem => NO_SUCH_ITEM,
        ErrorCode::InvalidItem => INVALID_ITEM,
        ErrorCode::StillInUse => STILL_IN_USE,
        ErrorCode::NotUnique => NOT_UNIQUE,
        ErrorCode::MissingReference => MISSING_REFERENCE,
        ErrorCode::MalformedBody => MALFORMED_BODY,
        ErrorCode::MalformedFilter => MALFORMED_FILTER,
        ErrorCode::MalformedOrder => MALFORMED_ORDER,
        ErrorCode::MalformedFields => MALFORMED_FIELDS,
        ErrorCode::MalformedPaging => MALFORMED_PAGING,
        ErrorCode::MalformedQuery => MALFORMED_QUERY,
        ErrorCode::MethodNotAllowed => METHOD_NOT_ALLOWED,
        ErrorCode::NotAcceptable => NOT_ACCEPTABLE,
        ErrorCode::BodyTooLarge => BODY_TOO_LARGE,
        ErrorCode::UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::UrlTooLong => URL_TOO_LONG,
        ErrorCode::HeaderTooLarge => HEADER_TOO_LARGE,
        ErrorCode::NotHttp => NOT_HTTP,
        ErrorCode::UnknownTransferCoding => UNKNOWN_TRANSFER_CODING,
        ErrorCode::Unavailable => UNAVAILABLE,
        ErrorCode::NoValidToken => NO_VALID_TOKEN,
        ErrorCode::InsufficientScope => INSUFFICIENT_SCOPE,
        ErrorCode::MalformedAuthorization => MALFORMED_AUTHORIZATION,
    }
}

// No text has angle brackets: descriptions are Markdown, which takes them for tags and shows nothing.
const UNKNOWN_PATH: &str = "\
    The path names a version or a collection that this service does not have. A path is the \
    root, a version and a collection, like /api/1.0/settings, and for one item its identifier \
    after them. The version is one that is registered, or the word latest, whose index, like \
    GET /api/latest, lists the collections.";

const NO_SUCH_ITEM: &str = "\
    The collection exists, but holds no item with this identifier. It may have been deleted, \
    or the identifier is not of the right type. List the collection to find the items that \
    are there.";

const INVALID_ITEM: &str = "\
    Every problem stands on a line of its own in error_description: a required attribute \
    that is missing or null, a text that is too long or too short, a value of the wrong type \
    or out of range, an attribute that does not exist or that clients may not set. Correct \
    all of them and send the request again.";

const STILL_IN_USE: &str = "\
    Another item refers to this one, so it cannot be deleted. Delete the referring item, or \
    set its reference to another item or to null, and try again.";

const NOT_UNIQUE: &str = "\
    Another item already has this value, and the attribute is unique. Choose another value, \
    or change the item that has it.";

const MISSING_REFERENCE: &str = "\
    An attribute refers to an item that does not exist. Create that item first and use its \
    identifier.";

const MALFORMED_BODY: &str = "\
    The body must be one JSON object in UTF-8, each attribute named once. error_description \
    says at which line and column reading stopped. One request creates or updates one item: \
    an array of items is not taken. A body that breaks off or takes too long to arrive is \
    refused with this code, too.";

const MALFORMED_FILTER: &str = "\
    The filter is not an expression of the query language, or names an attribute that does \
    not exist. error_description gives the column and what was expected.";

const MALFORMED_ORDER: &str = "\
    The order is a comma list of asc(attribute) and desc(attribute). error_description gives \
    the column and what was expected.";

const MALFORMED_FIELDS: &str = "\
    The fields are a comma list of attributes, of subresources, and of subresources with the \
    attributes that are wanted: id,address(city). Only the first level expands. \
    error_description gives the column and what was expected.";

const MALFORMED_PAGING: &str = "\
    offset is an integer from 0; limit is an integer from 0 to the cap that \
    error_description names. Ask for further items with offset.";

const MALFORMED_QUERY: &str = "\
    The query string names a parameter that this operation does not have, names one twice, \
    or is not percent-encoded UTF-8.";

const METHOD_NOT_ALLOWED: &str = "\
    This path does not offer the method. The header Allow of the answer lists those that it \
    does.";

const NOT_ACCEPTABLE: &str = "\
    Answers are application/json. Send Accept: application/json, or leave the header out.";

const BODY_TOO_LARGE: &str = "\
    The body is larger than the service takes; error_description names the limit. Send less \
    data.";

const UNSUPPORTED_MEDIA_TYPE: &str = "\
    Bodies are taken as Content-Type: application/json, not compressed.";

const URL_TOO_LONG: &str = "\
    The URL is longer than the server reads: over HTTP/1.1 at most 65534 bytes. Send a shorter \
    filter, or several requests.";

const HEADER_TOO_LARGE: &str = "\
    The headers of the request are too large, or too many: over HTTP/1.1 at most 100 of them and \
    400 KiB in all, over HTTP/2 at most 16 KiB, which is refused without a body. Send fewer, \
    smaller headers.";

const NOT_HTTP: &str = "\
    The request is not one of HTTP/1.1 or HTTP/2, does not tell where its body ends, or does not \
    name the server in exactly one valid header Host. The connection is closed.";

const UNKNOWN_TRANSFER_CODING: &str = "\
    The only transfer coding that the server knows is chunked. Send Transfer-Encoding: chunked, \
    or Content-Length. The connection is closed.";

const UNAVAILABLE: &str = "\
    The service could not serve the request in time. Nothing was changed, unless \
    error_description says that it may have been. Wait as long as the header Retry-After says and try again.";

const NO_VALID_TOKEN: &str = "\
    The request needs an access token that this service trusts: none was sent, or the one that \
    was is expired, revoked, or meant for another service. Get a new one from the authorization \
    server, which the header WWW-Authenticate leads to, and send it in the header \
    Authorization, as Bearer followed by a space and the token.";

const INSUFFICIENT_SCOPE: &str = "\
    The access token is valid, but its scopes do not permit this operation. The header \
    WWW-Authenticate names those that do: ask the authorization server for a token that has \
    them.";

const MALFORMED_AUTHORIZATION: &str = "\
    Send exactly one header Authorization, as Bearer followed by a space and the access token.";
