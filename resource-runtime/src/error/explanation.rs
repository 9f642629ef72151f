//! What the page of each error code holds beside its title and [`help`](super::help).

use super::ErrorCode;
use super::explanation_of_messages::{
    HEADER_TOO_LARGE, NOT_HTTP, UNKNOWN_TRANSFER_CODING, URL_TOO_LONG,
};

/// Why clients meet an error, what they do about it, and how it looks. Backticks are around what is
/// code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Explanation {
    pub(crate) causes: &'static [&'static str],
    pub(crate) cures: &'static [&'static str],
    /// A request that is refused so, as it is sent: its head, and behind an empty line its body.
    pub(crate) request: &'static str,
    /// What the answer then says.
    pub(crate) description: &'static str,
    /// A header that this answer has beside those of all.
    pub(crate) header: Option<&'static str>,
}

pub(crate) const fn explanation(code: ErrorCode) -> &'static Explanation {
    match code {
        ErrorCode::UnknownPath => &UNKNOWN_PATH,
        ErrorCode::NoSuchItem => &NO_SUCH_ITEM,
        ErrorCode::InvalidItem => &INVALID_ITEM,
        ErrorCode::StillInUse => &STILL_IN_USE,
        ErrorCode::NotUnique => &NOT_UNIQUE,
        ErrorCode::MissingReference => &MISSING_REFERENCE,
        ErrorCode::MalformedBody => &MALFORMED_BODY,
        ErrorCode::MalformedFilter => &MALFORMED_FILTER,
        ErrorCode::MalformedOrder => &MALFORMED_ORDER,
        ErrorCode::MalformedFields => &MALFORMED_FIELDS,
        ErrorCode::MalformedPaging => &MALFORMED_PAGING,
        ErrorCode::MalformedQuery => &MALFORMED_QUERY,
        ErrorCode::MethodNotAllowed => &METHOD_NOT_ALLOWED,
        ErrorCode::NotAcceptable => &NOT_ACCEPTABLE,
        ErrorCode::BodyTooLarge => &BODY_TOO_LARGE,
        ErrorCode::UnsupportedMediaType => &UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::UrlTooLong => &URL_TOO_LONG,
        ErrorCode::HeaderTooLarge => &HEADER_TOO_LARGE,
        ErrorCode::NotHttp => &NOT_HTTP,
        ErrorCode::UnknownTransferCoding => &UNKNOWN_TRANSFER_CODING,
        ErrorCode::Unavailable => &UNAVAILABLE,
        ErrorCode::NoValidToken => &NO_VALID_TOKEN,
        ErrorCode::InsufficientScope => &INSUFFICIENT_SCOPE,
        ErrorCode::MalformedAuthorization => &MALFORMED_AUTHORIZATION,
    }
}

const UNKNOWN_PATH: Explanation = Explanation {
    causes: &[
        "The collection is misspelled, or its name is in the singular: `/setting` instead of `/settings`.",
        "The version does not exist, or is written otherwise than it is registered: `/1/` or `/v1.0/` \
         instead of `/1.0/`.",
        "The collection exists in another version only.",
        "The path ends in a slash, or something stands behind the identifier.",
    ],
    cures: &[
        "Look for a suggestion in `error_description`: it names the nearest collection, or the versions \
         that there are.",
        "List what a version has with `GET /api/1.0`, or with `GET /api/latest` what is newest.",
    ],
    request: "GET /api/1.0/setings",
    description: "there is no such collection in this version; did you mean `settings`?",
    header: None,
};

const NO_SUCH_ITEM: Explanation = Explanation {
    causes: &[
        "The item was deleted by somebody else since its identifier was read.",
        "The identifier belongs to another collection, or to another environment.",
        "The identifier has another type than the collection's: a word where it is a number.",
        "The item belongs to another user, and is none for the caller.",
    ],
    cures: &[
        "Find the item by what is known of it, with `filter`.",
        "Treat the answer to a `DELETE` that was sent twice as what was wanted: the item is gone.",
    ],
    request: "GET /api/1.0/settings/4711",
    description: "the Setting `4711` does not exist",
    header: None,
};

const INVALID_ITEM: Explanation = Explanation {
    causes: &[
        "A required attribute is missing, or is `null`.",
        "A text is longer than it may be: what counts is characters, not bytes.",
        "A number is sent as text, or a text as a number.",
        "An attribute is misspelled, or is one that the service sets.",
        "The service or its database has a rule of its own for the resource, and the write breaks it.",
    ],
    cures: &[
        "Take the lines of `error_description` one by one: each names an attribute and what it must be.",
        "Ask with `Accept: application/problem+json` to get a list of problems, each with a pointer to \
         the attribute, to show beside the fields of a form.",
        "To change an item, send only the attributes that are to change.",
    ],
    request: "POST /api/1.0/settings\nContent-Type: application/json\n\n{\"nam\": \"theme\", \"value\": 7}",
    description: "`nam` is not an attribute of Setting; did you mean `name`?\n`value` must be a string, not 7\n`name` is required",
    header: None,
};

const STILL_IN_USE: Explanation = Explanation {
    causes: &[
        "The item was to be deleted while an attribute of another item refers to it.",
        "Somebody began to refer to it since it was last looked at.",
    ],
    cures: &[
        "Find what refers to the item in the collection that `error_description` names, with a filter on \
         the attribute: `GET /api/1.0/persons?filter=eq(bill_address_id,1)`.",
        "Delete those items first, or set their attribute to another item or to `null`.",
    ],
    request: "DELETE /api/1.0/addresses/1",
    description: "the Address is still in use by Person",
    header: None,
};

const NOT_UNIQUE: Explanation = Explanation {
    causes: &[
        "An item with this value was created before, perhaps by the same request sent twice.",
        "Several attributes are unique together, and another item has this combination of values.",
    ],
    cures: &[
        "Find the other item: `GET /api/1.0/settings?filter=eq(name,\"theme\")`.",
        "Change that item with `PUT` if it is the one that was meant.",
        "Choose another value if it is not.",
    ],
    request: "POST /api/1.0/settings\nContent-Type: application/json\n\n{\"name\": \"theme\", \"value\": \"dark\"}",
    description: "`name` is already taken by another Setting",
    header: None,
};

const MISSING_REFERENCE: Explanation = Explanation {
    causes: &[
        "The item that is referred to was not created yet, or was deleted.",
        "The identifier is that of an item of another collection.",
    ],
    cures: &[
        "Create the item that is referred to first; its identifier is at the end of the header \
         `Location`.",
        "Leave the attribute out, or set it to `null`, where it is not required.",
    ],
    request: "POST /api/1.0/persons\nContent-Type: application/json\n\n{\"first_name\": \"Ann\", \"bill_address_id\": 4711}",
    description: "`bill_address_id` refers to a Address that does not exist",
    header: None,
};

const MALFORMED_BODY: Explanation = Explanation {
    causes: &[
        "The body is put together by hand: a comma too many, single quotes, a quote that is not escaped.",
        "The body is empty, or the text of a form.",
        "Several items are sent at once, in an array.",
        "The same attribute stands in it twice.",
        "It begins with a byte order mark, which some editors write into files.",
    ],
    cures: &[
        "Have a JSON library write the body.",
        "Send one request for each item.",
    ],
    request: "POST /api/1.0/settings\nContent-Type: application/json\n\n{\"name\": \"theme\", \"value\": \"dark\",}",
    description: "the body is not one JSON object: trailing comma (line 1, column 35)",
    header: None,
};

const MALFORMED_FILTER: Explanation = Explanation {
    causes: &[
        "An attribute is misspelled, or is one that the resource does not have.",
        "A text is not in double quotes: `eq(name,theme)` instead of `eq(name,\"theme\")`.",
        "The value does not suit the attribute: a text where it is a number.",
        "The expression is written as in other languages, `name = \"theme\"`, instead of as a call.",
        "A parenthesis is missing, or what is behind it was cut off because `&` or `#` was not encoded.",
    ],
    cures: &[
        "Go to the column that `error_description` names: everything before it was understood.",
        "Percent-encode the expression: in JavaScript with `encodeURIComponent`, with curl by \
         `-G --data-urlencode`.",
        "Use the functions that there are: `eq`, `ne`, `gt`, `ge`, `lt`, `le`, `like`, `ilike`, `in`, \
         `and`, `or`, `not`.",
    ],
    request: "GET /api/1.0/settings?filter=eq(nam,\"theme\")",
    description: "`filter`, column 4: `nam` is not an attribute of Setting; did you mean `name`?",
    header: None,
};

const MALFORMED_ORDER: Explanation = Explanation {
    causes: &[
        "The direction is not around the attribute: `name desc` or `-name` instead of `desc(name)`.",
        "An attribute is misspelled, or is one by which nothing can be ordered.",
    ],
    cures: &[
        "Write `asc(…)` or `desc(…)` around each attribute, and commas between them: \
         `order=desc(value),asc(name)`.",
        "Order by what a reference leads to with a point: `asc(bill_address.city)`.",
    ],
    request: "GET /api/1.0/settings?order=name",
    description: "`order`, column 1: expected `asc(` or `desc(`, found `name`",
    header: None,
};

const MALFORMED_FIELDS: Explanation = Explanation {
    causes: &[
        "An attribute is misspelled, or is one that the resource does not have.",
        "Parentheses stand behind an attribute that refers to nothing.",
        "An item is to be expanded within one that is expanded already.",
    ],
    cures: &[
        "Name the attributes with commas between them: `fields=id,name`.",
        "Expand what an item refers to by its name without `_id`: \
         `fields=first_name,bill_address(city)`.",
    ],
    request: "GET /api/1.0/settings?fields=id,nmae",
    description: "`fields`, column 4: `nmae` is not an attribute of Setting; did you mean `name`?",
    header: None,
};

const MALFORMED_PAGING: Explanation = Explanation {
    causes: &[
        "All items are asked for at once, with a `limit` above the cap.",
        "A page was counted to a negative `offset`.",
        "The value is not a plain integer: `10.0`, `1e3`, or nothing at all.",
    ],
    cures: &[
        "Read a long list page by page: add the number of items that came to `offset`, until it reaches \
         `totalItems`.",
        "Ask with `limit=0` where the number of items is all that is wanted.",
    ],
    request: "GET /api/1.0/settings?limit=5000",
    description: "`limit` must be an integer from 0 to 1000, not `5000`",
    header: None,
};

const MALFORMED_QUERY: Explanation = Explanation {
    causes: &[
        "A parameter is misspelled: `limits` instead of `limit`.",
        "A filter is written as a parameter of its own, `name=theme`, instead of `filter=eq(name,\"theme\")`.",
        "A parameter of lists is sent to an item.",
        "A percent sign in a value is not written as `%25`.",
    ],
    cures: &[
        "Look for a suggestion in `error_description`.",
        "Send `offset`, `limit`, `filter`, `order` and `fields` to lists, `fields` to items, each once.",
        "Have a URL library put the query string together.",
    ],
    request: "GET /api/1.0/settings?limits=5",
    description: "this operation has no parameter `limits`; did you mean `limit`?",
    header: None,
};

const METHOD_NOT_ALLOWED: Explanation = Explanation {
    causes: &[
        "`PATCH` was sent: changes are made with `PUT`, which leaves what it does not name as it is.",
        "`POST` was sent to an item, or `PUT` or `DELETE` to a collection.",
        "The resource does not offer the operation.",
    ],
    cures: &[
        "Use a method that the header `Allow` lists.",
        "Create with `POST` to the collection; change with `PUT` and delete with `DELETE` to the item.",
    ],
    request: "PATCH /api/1.0/settings/1",
    description: "this path does not offer the method; the header `Allow` lists those that it does",
    header: Some("Allow: GET,HEAD,PUT,DELETE"),
};

const NOT_ACCEPTABLE: Explanation = Explanation {
    causes: &[
        "The header `Accept` names another form alone, such as `application/xml` or `text/csv`.",
        "It excludes JSON, by `q=0`.",
    ],
    cures: &[
        "Send `Accept: application/json`, or leave the header out.",
        "Convert the answer where another form is needed.",
    ],
    request: "GET /api/1.0/settings\nAccept: text/csv",
    description: "answers are `application/json`, which the header `Accept` leaves out",
    header: None,
};

const BODY_TOO_LARGE: Explanation = Explanation {
    causes: &[
        "A file is sent within an attribute.",
        "Many items are sent in one request.",
    ],
    cures: &[
        "Send one item for each request.",
        "Keep large files elsewhere, and their address in the attribute.",
    ],
    request: "POST /api/1.0/settings\nContent-Type: application/json\nContent-Length: 5242880",
    description: "the body may be at most 1048576 bytes long",
    header: None,
};

const UNSUPPORTED_MEDIA_TYPE: Explanation = Explanation {
    causes: &[
        "The header `Content-Type` is missing, or names the form of a web form: curl sends that unless \
         it is told otherwise.",
        "The body is compressed.",
    ],
    cures: &[
        "Send `Content-Type: application/json`; with curl, `--json` does.",
        "Leave the header `Content-Encoding` out.",
    ],
    request: "POST /api/1.0/settings\nContent-Type: application/x-www-form-urlencoded\n\nname=theme&value=dark",
    description: "bodies are taken as `application/json`, not as `application/x-www-form-urlencoded`",
    header: None,
};

const UNAVAILABLE: Explanation = Explanation {
    causes: &[
        "More requests come in than the service can serve at once.",
        "The database is being restarted, or cannot be reached.",
        "The database takes no writes for now: its disk is full, or it may only be read.",
        "Another write holds what this one needs for longer than it waits.",
    ],
    cures: &[
        "Send the same request again after the seconds that `Retry-After` names: it was not carried out, unless \
         `error_description` says that it may have been. Then look first.",
        "Wait longer from one attempt to the next, and give up after a few.",
        "Tell those who run the service where it lasts; the request id in `x-request-id` leads them to \
         the cause in the log.",
    ],
    request: "GET /api/1.0/settings",
    description: "the service is overloaded; nothing was changed, try again later",
    header: Some("Retry-After: 1"),
};

const NO_VALID_TOKEN: Explanation = Explanation {
    causes: &[
        "The header `Authorization` is missing.",
        "The access token has expired: most are valid for some minutes only.",
        "The token was revoked, when its user logged out for instance.",
        "The token is from another issuer, or for another service.",
    ],
    cures: &[
        "Get a new token, with the refresh token where there is one, and send the request once more.",
        "Follow `resource_metadata` in the header `WWW-Authenticate`: it names the authorization server.",
        "Do not send the same token again: the answer stays the same.",
    ],
    request: "GET /api/1.0/notes",
    description: "an access token is required; send it as `Authorization: Bearer`",
    header: Some("WWW-Authenticate: Bearer realm=\"api\", scope=\"notes.read\""),
};

const INSUFFICIENT_SCOPE: Explanation = Explanation {
    causes: &[
        "The client asked for fewer scopes than it uses.",
        "The user, or the authorization server, granted fewer than the client asked for.",
        "The item or the attribute takes a scope of its own.",
    ],
    cures: &[
        "Ask the authorization server for a token with the scopes that `WWW-Authenticate` names.",
        "Where it refuses them, ask those who run it: the client may not be allowed to have them.",
    ],
    request: "DELETE /api/1.0/notes/1\nAuthorization: Bearer <token>",
    description: "the access token lacks the scope `notes.write`",
    header: Some("WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"notes.write\""),
};

const MALFORMED_AUTHORIZATION: Explanation = Explanation {
    causes: &[
        "The word `Bearer` is missing, or stands there twice.",
        "The token was copied with a line break, quotes or spaces.",
        "A proxy or a library adds a second header `Authorization`.",
    ],
    cures: &[
        "Send the header once: `Authorization: Bearer`, one space, and the token as it was issued.",
    ],
    request: "GET /api/1.0/notes\nAuthorization: <token>",
    description: "send one header Authorization, as Bearer and an access token",
    header: Some("WWW-Authenticate: Bearer error=\"invalid_request\""),
};
