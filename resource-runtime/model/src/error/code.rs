//! The table of error codes, from which responses, help pages and OpenAPI documents are made.

use std::slice;

use http::StatusCode;

use super::CustomError;

/// An entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub(crate) number: u16,
    /// The status of the response.
    pub status: StatusCode,
    /// The situation in a few words.
    pub(crate) title: &'static str,
    /// Explanation for a client, with the remedy.
    pub help: &'static str,
    /// Situations that lead to it.
    pub(crate) causes: &'static [&'static str],
    /// Remedies of these causes.
    pub(crate) cures: &'static [&'static str],
    /// An example request that is refused with this code: its head, and after an empty line its body.
    pub request: &'static str,
    /// The description in the response to the example request.
    pub description: &'static str,
    /// A header that this response has besides the common ones.
    pub header: Option<&'static str>,
}

/// Makes the enum [`ErrorCode`] from the table: its variants, their order and their entries.
macro_rules! codes {
    (@header) => { None };
    (@header $header:expr) => { Some($header) };
    ($($name:ident {
        $number:literal, $status:ident, $title:literal, help: $help:literal,
        causes: $causes:expr, cures: $cures:expr, request: $request:literal, description: $description:literal,
        $(header: $header:expr,)?
    })*) => {
        /// The numeric codes of the error representation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorCode {
            $(#[doc = $title] $name,)*
            /// An error of the service's own.
            Custom(&'static CustomError),
        }

        impl ErrorCode {
            /// All codes of the table, by number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The entry of the code in the table.
            pub const fn entry(self) -> &'static Entry {
                match self {
                    $(Self::$name => &Entry {
                        number: $number,
                        status: StatusCode::$status,
                        title: $title,
                        help: $help,
                        causes: &$causes,
                        cures: &$cures,
                        request: $request,
                        description: $description,
                        header: codes!(@header $($header)?),
                    },)*
                    Self::Custom(custom) => &custom.entry,
                }
            }
        }
    };
}

impl ErrorCode {
    /// The codes of requests that the HTTP server itself refuses before routing, each with its own status.
    pub const OF_THE_SERVER: [Self; 3] = [
        Self::UrlTooLong,
        Self::HeaderTooLarge,
        Self::UnknownTransferCoding,
    ];

    /// The number, as clients see it.
    pub const fn number(self) -> u16 {
        self.entry().number
    }

    /// The status of the response.
    pub const fn status(self) -> StatusCode {
        self.entry().status
    }

    /// The situation in a few words.
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Situations that lead to it.
    pub fn causes(self) -> &'static [&'static str] {
        match self {
            Self::Custom(custom) => slice::from_ref(&custom.causes),
            code => code.entry().causes,
        }
    }

    /// Remedies of these causes.
    pub fn cures(self) -> &'static [&'static str] {
        match self {
            Self::Custom(custom) => slice::from_ref(&custom.cures),
            code => code.entry().cures,
        }
    }
}

/// The header of responses that the HTTP server itself sends before it closes the connection.
const CLOSED: &str = "Connection: close";

codes! {
    UnknownPath {
        10000, NOT_FOUND, "No such version or collection",
        help: "The path names a version or a collection that this service does not have. A path is the root, a \
               version and a collection, like /api/1.0/settings, and for one item its identifier after them. The \
               version is one that is registered, or the word latest, whose index, like GET /api/latest, lists the \
               collections.",
        causes: [
            "The collection is misspelled, or its name is in the singular: `/setting` instead of `/settings`.",
            "The version does not exist, or is written otherwise than it is registered: `/1/` or `/v1.0/` \
             instead of `/1.0/`.",
            "The collection exists in another version only.",
            "The path ends in a slash, or something stands behind the identifier.",
        ],
        cures: [
            "Look for a suggestion in `error_description`: it names the nearest collection, or the versions \
             that there are.",
            "List what a version has with `GET /api/1.0`, or with `GET /api/latest` what is newest.",
        ],
        request: "GET /api/1.0/setings",
        description: "there is no such collection in this version; did you mean `settings`?",
    }

    NoSuchItem {
        10001, NOT_FOUND, "No such item",
        help: "The collection exists, but holds no item with this identifier. It may have been deleted, or the \
               identifier is not of the right type. List the collection to find the items that are there.",
        causes: [
            "The item was deleted by somebody else since its identifier was read.",
            "The identifier belongs to another collection, or to another environment.",
            "The identifier has another type than the collection's: a word where it is a number.",
            "The item belongs to another user, and is none for the caller.",
        ],
        cures: [
            "Find the item by what is known of it, with `filter`.",
            "Treat the answer to a `DELETE` that was sent twice as what was wanted: the item is gone.",
        ],
        request: "GET /api/1.0/settings/4711",
        description: "the Setting `4711` does not exist",
    }

    InvalidItem {
        10010, BAD_REQUEST, "The body does not fit the resource",
        help: "Every problem stands on a line of its own in error_description: a required attribute that is missing \
               or null, a text that is too long or too short, a value of the wrong type or out of range, an \
               attribute that does not exist or that clients may not set. Correct all of them and send the request \
               again.",
        causes: [
            "A required attribute is missing, or is `null`.",
            "A text is longer than it may be: what counts is characters, not bytes.",
            "A number is sent as text, or a text as a number.",
            "An attribute is misspelled, or is one that the service sets.",
            "The service or its database has a rule of its own for the resource, and the write breaks it.",
        ],
        cures: [
            "Take the lines of `error_description` one by one: each names an attribute and what it must be.",
            "Ask with `Accept: application/problem+json` to get a list of problems, each with a pointer to \
             the attribute, to show beside the fields of a form.",
            "To change an item, send only the attributes that are to change.",
        ],
        request: "POST /api/1.0/settings\nContent-Type: application/json\n\n{\"nam\": \"theme\", \"value\": 7}",
        description: "`nam` is not an attribute of Setting; did you mean `name`?\n`value` must be a string, not 7\n`name` is required",
    }

    StillInUse {
        10020, BAD_REQUEST, "The item is still in use",
        help: "Another item refers to this one, so it cannot be deleted. Delete the referring item, or set its \
               reference to another item or to null, and try again.",
        causes: [
            "The item was to be deleted while an attribute of another item refers to it.",
            "Somebody began to refer to it since it was last looked at.",
        ],
        cures: [
            "Find what refers to the item in the collection that `error_description` names, with a filter on \
             the attribute: `GET /api/1.0/persons?filter=eq(bill_address_id,1)`.",
            "Delete those items first, or set their attribute to another item or to `null`.",
        ],
        request: "DELETE /api/1.0/addresses/1",
        description: "the Address is still in use by Person",
    }

    NotUnique {
        10030, BAD_REQUEST, "The value is already taken",
        help: "Another item already has this value, and the attribute is unique. Choose another value, or change the \
               item that has it.",
        causes: [
            "An item with this value was created before, perhaps by the same request sent twice.",
            "Several attributes are unique together, and another item has this combination of values.",
        ],
        cures: [
            "Find the other item: `GET /api/1.0/settings?filter=eq(name,\"theme\")`.",
            "Change that item with `PUT` if it is the one that was meant.",
            "Choose another value if it is not.",
        ],
        request: "POST /api/1.0/settings\nContent-Type: application/json\n\n{\"name\": \"theme\", \"value\": \"dark\"}",
        description: "`name` is already taken by another Setting",
    }

    MissingReference {
        10031, BAD_REQUEST, "The referenced item does not exist",
        help: "An attribute refers to an item that does not exist. Create that item first and use its identifier.",
        causes: [
            "The item that is referred to was not created yet, or was deleted.",
            "The identifier is that of an item of another collection.",
        ],
        cures: [
            "Create the item that is referred to first; its identifier is at the end of the header `Location`.",
            "Leave the attribute out, or set it to `null`, where it is not required.",
        ],
        request: "POST /api/1.0/persons\nContent-Type: application/json\n\n{\"first_name\": \"Ann\", \"bill_address_id\": 4711}",
        description: "`bill_address_id` refers to no existing Address",
    }

    PreconditionFailed {
        10040, PRECONDITION_FAILED, "The item was changed since",
        help: "The request names the entity tag of an item that was changed since, or asks for a new item where \
               there is one already. Nothing was changed. Read the item again, and decide anew.",
        causes: [
            "Someone else changed the item after this client has read it.",
            "The client itself has changed it, and sends the entity tag that it got before.",
            "The entity tag is a weak one, or of another item.",
            "`If-None-Match: *` asks for a new item, and there is one of this key.",
        ],
        cures: [
            "Get the item, look at what has changed, and send the change with the entity tag of that answer.",
            "Keep the `ETag` of the answer to each change, for the next one.",
        ],
        request: "PUT /api/1.0/settings/1\nContent-Type: application/json\nIf-Match: \"d0c1f4d0a8e1b2c3d4e5f60718293a4b5\"\n\n{\"value\": \"light\"}",
        description: "the Setting `1` was changed since; read it again",
    }

    IfMatchRequired {
        10041, PRECONDITION_REQUIRED, "The header If-Match is required",
        help: "Changes of this item have to say which state of it they are about, so that nobody overwrites what \
               someone else has changed since. Nothing was changed.",
        causes: ["The header `If-Match` is missing."],
        cures: [
            "Get the item, and send its `ETag` as `If-Match`.",
            "Send `If-Match: *` where the change is right whatever the item is.",
        ],
        request: "DELETE /api/1.0/settings/1",
        description: "send the `ETag` of the Setting as `If-Match`, or `*` to change it whatever it is",
    }

    IdempotencyKeyReused {
        10043, UNPROCESSABLE_ENTITY, "The idempotency key was used for another request",
        help: "The header Idempotency-Key names a request that was carried out before, and this one differs from it \
               in its path, its Content-Type, its Prefer or its body. Nothing was changed. Send each new request \
               with a new key.",
        causes: [
            "A client sends one key with several requests.",
            "The body of a request was changed before it was sent once more, by a new timestamp for instance.",
        ],
        cures: [
            "Make a new UUID for each item that is to be created, and keep it until its answer has arrived.",
            "Send a request again byte for byte.",
        ],
        request: "POST /api/1.0/settings\nContent-Type: application/json\nIdempotency-Key: \"8e03978e-40d5-43dd-bc93-6894a57f9324\"\n\n{\"name\": \"theme\", \"value\": \"light\"}",
        description: "the `Idempotency-Key` was sent with another request before; send each new request with a new key",
    }

    MalformedIdempotencyKey {
        10044, BAD_REQUEST, "Malformed Idempotency-Key",
        help: "Send one header Idempotency-Key of 1 to 255 visible ASCII characters, in double quotes or without; \
               from clients without a user at least 16. A UUID suits.",
        causes: [
            "The header stands there twice, is empty, or holds a space or a letter beyond ASCII.",
            "The key is so short that another client may choose the same.",
            "The resource takes no request for a new item without the header.",
        ],
        cures: ["Send a random UUID: `Idempotency-Key: \"8e03978e-40d5-43dd-bc93-6894a57f9324\"`."],
        request: "POST /api/1.0/settings\nContent-Type: application/json\nIdempotency-Key: 1\n\n{\"name\": \"theme\", \"value\": \"dark\"}",
        description: "an `Idempotency-Key` without a user has at least 16 characters; take a random UUID",
    }

    MalformedBody {
        10050, BAD_REQUEST, "The body is not one JSON object",
        help: "The body must be one JSON object in UTF-8, each attribute named once. error_description says at which \
               line and column reading stopped. One request creates or updates one item: an array of items is not \
               taken. A body that breaks off or takes too long to arrive is refused with this code, too.",
        causes: [
            "The body is put together by hand: a comma too many, single quotes, a quote that is not escaped.",
            "The body is empty, or the text of a form.",
            "Several items are sent at once, in an array.",
            "The same attribute stands in it twice.",
            "It begins with a byte order mark, which some editors write into files.",
        ],
        cures: [
            "Have a JSON library write the body.",
            "Send one request for each item.",
        ],
        request: "POST /api/1.0/settings\nContent-Type: application/json\n\n{\"name\": \"theme\", \"value\": \"dark\",}",
        description: "the body is not one JSON object: trailing comma (line 1, column 35)",
    }

    MalformedFilter {
        10060, BAD_REQUEST, "Malformed filter",
        help: "The filter is not an expression of the query language, or names an attribute that does not exist. \
               error_description gives the column and what was expected.",
        causes: [
            "An attribute is misspelled, or is one that the resource does not have.",
            "A text is not in double quotes: `eq(name,theme)` instead of `eq(name,\"theme\")`.",
            "The value does not suit the attribute: a text where it is a number.",
            "The expression is written as in other languages, `name = \"theme\"`, instead of as a call.",
            "A parenthesis is missing, or what is behind it was cut off because `&` or `#` was not encoded.",
        ],
        cures: [
            "Go to the column that `error_description` names: everything before it was understood.",
            "Percent-encode the expression: in JavaScript with `encodeURIComponent`, with curl by \
             `-G --data-urlencode`.",
            "Use the functions that there are: `eq`, `ne`, `gt`, `ge`, `lt`, `le`, `like`, `ilike`, `startswith`, \
             `istartswith`, `endswith`, `iendswith`, `contains`, `icontains`, `in`, `and`, `or`, `not`, \
             `has`.",
        ],
        request: "GET /api/1.0/settings?filter=eq(nam,\"theme\")",
        description: "`filter`, column 4: `nam` is not an attribute of Setting; did you mean `name`?",
    }

    MalformedOrder {
        10061, BAD_REQUEST, "Malformed order",
        help: "The order is a comma list of asc(attribute) and desc(attribute). error_description gives the column \
               and what was expected.",
        causes: [
            "The direction is not around the attribute: `name desc` or `-name` instead of `desc(name)`.",
            "An attribute is misspelled, or is one by which nothing can be ordered.",
            "`limit=all`, which lists items in the order of their key, stands beside an `order`.",
        ],
        cures: [
            "Write `asc(…)` or `desc(…)` around each attribute, and commas between them: \
             `order=desc(value),asc(name)`.",
            "Order by what a reference leads to with a point: `asc(bill_address.city)`.",
        ],
        request: "GET /api/1.0/settings?order=name",
        description: "`order`, column 1: expected `asc(` or `desc(`, found `name`; write `asc(name)`",
    }

    MalformedFields {
        10062, BAD_REQUEST, "Malformed fields",
        help: "The fields are a comma list of attributes, of subresources, and of subresources with the attributes \
               that are wanted: id,address(city). Only the first level expands. error_description gives the column \
               and what was expected.",
        causes: [
            "An attribute is misspelled, or is one that the resource does not have.",
            "Parentheses stand behind an attribute that refers to nothing.",
            "An item is to be expanded within one that is expanded already.",
        ],
        cures: [
            "Name the attributes with commas between them: `fields=id,name`.",
            "Expand what an item refers to by its name without `_id`: `fields=first_name,bill_address(city)`.",
            "Show what refers to an item by the name of the collection, one in a response: \
             `fields=id,orders(id,total;order=desc(total);limit=5)`.",
        ],
        request: "GET /api/1.0/settings?fields=id,nmae",
        description: "`fields`, column 4: `nmae` is not an attribute of Setting; did you mean `name`?",
    }

    MalformedPaging {
        10063, BAD_REQUEST, "Malformed paging",
        help: "offset is an integer from 0; limit is an integer from 0 to the cap that error_description names. Ask \
               for further items with offset.",
        causes: [
            "All items are asked for at once, with a `limit` above the cap.",
            "A page was counted to a negative `offset`.",
            "The value is not a plain integer: `10.0`, `1e3`, or nothing at all.",
            "An `offset` stands beside a cursor that has a place already.",
        ],
        cures: [
            "Read a long list page by page: add the number of items that came to `offset`, until it reaches \
             `totalItems`.",
            "Ask with `limit=0` where the number of items is all that is wanted.",
            "Read far into a list by `cursor=start` and then by `next` of each page.",
            "Where the resource allows it, read all items at once with `limit=all` and `format=ndjson` or `format=csv`; \
             `offset` does not go with it.",
        ],
        request: "GET /api/1.0/settings?limit=5000",
        description: "`limit` must be an integer from 0 to 1000, not `5000`",
    }

    MalformedQuery {
        10064, BAD_REQUEST, "Malformed query string",
        help: "The query string names a parameter that this operation does not have, names one twice, or is not \
               percent-encoded UTF-8.",
        causes: [
            "A parameter is misspelled: `limits` instead of `limit`.",
            "A filter is written as a parameter of its own, `name=theme`, instead of `filter=eq(name,\"theme\")`.",
            "A parameter of lists is sent to an item.",
            "A percent sign in a value is not written as `%25`.",
        ],
        cures: [
            "Look for a suggestion in `error_description`.",
            "Send `offset`, `limit`, `cursor`, `filter`, `order`, `fields` and `format` to lists, `fields` to items, each \
             once.",
            "Write `format=json`, `format=ndjson` or `format=csv`; other formats have to be made of these.",
            "Have a URL library put the query string together.",
        ],
        request: "GET /api/1.0/settings?limits=5",
        description: "this operation has no parameter `limits`; did you mean `limit`?",
    }

    MalformedCursor {
        10065, BAD_REQUEST, "Malformed cursor",
        help: "cursor is start, or a text that the service has given as next in a page of the same list: of the same \
               filter and order, to the same caller. limit, fields and count may change between pages.",
        causes: [
            "The filter or the order has changed since the cursor was given.",
            "The cursor was given to another caller, or by another version of the resource.",
            "The cursor was cut off, or put together by hand.",
        ],
        cures: [
            "Begin with `cursor=start`.",
            "Follow `next` of each page until it is null, with the same `filter` and `order`.",
        ],
        request: "GET /api/1.0/settings?cursor=2",
        description: "`cursor` is malformed; begin with `cursor=start`",
    }

    MethodNotAllowed {
        10070, METHOD_NOT_ALLOWED, "Method not allowed",
        help: "This path does not offer the method. The header Allow of the answer lists those that it does.",
        causes: [
            "`POST` was sent to an item, or `PUT`, `PATCH` or `DELETE` to a collection.",
            "The resource does not offer the operation.",
        ],
        cures: [
            "Use a method that the header `Allow` lists.",
            "Create with `POST` to the collection; change with `PUT` or `PATCH` and delete with `DELETE` to the item.",
        ],
        request: "POST /api/1.0/settings/1",
        description: "this path does not offer the method; it offers `GET`, `HEAD`, `PUT`, `PATCH`, `DELETE`",
        header: "Allow: GET,HEAD,PUT,PATCH,DELETE",
    }

    NotAcceptable {
        10071, NOT_ACCEPTABLE, "Not acceptable",
        help: "Responses are application/json, lists also application/x-ndjson or text/csv. Send Accept: \
               application/json, or leave the header out.",
        causes: [
            "The header `Accept` names another form alone, such as `application/xml`.",
            "It excludes JSON, by `q=0`, or asks an item for `text/csv`.",
        ],
        cures: [
            "Send `Accept: application/json`, or leave the header out.",
            "Ask a list for the form by `format=csv` or `format=ndjson`, which wins over the header.",
            "Convert the answer where another form is needed.",
        ],
        request: "GET /api/1.0/settings\nAccept: application/xml",
        description: "lists are `application/json`, `application/x-ndjson` or `text/csv`, which the header `Accept` leaves out",
    }

    BodyTooLarge {
        10072, PAYLOAD_TOO_LARGE, "The body is too large",
        help: "The body is larger than the service takes; error_description names the limit. Send less data.",
        causes: [
            "A file is sent within an attribute.",
            "Many items are sent in one request.",
        ],
        cures: [
            "Send one item for each request.",
            "Keep large files elsewhere, and their address in the attribute.",
        ],
        request: "POST /api/1.0/settings\nContent-Type: application/json\nContent-Length: 5242880",
        description: "the body may be at most 1048576 bytes long",
    }

    UnsupportedMediaType {
        10073, UNSUPPORTED_MEDIA_TYPE, "Unsupported content type",
        help: "Bodies are taken as Content-Type: application/json, those of PATCH as application/merge-patch+json, \
               not compressed.",
        causes: [
            "The header `Content-Type` is missing, or names the form of a web form: curl sends that unless \
             it is told otherwise.",
            "The body of `PATCH` is not declared as `application/merge-patch+json`, or a patch was sent by another method.",
            "The body is compressed.",
        ],
        cures: [
            "Send `Content-Type: application/json`; with curl, `--json` does. With `PATCH`, send \
             `Content-Type: application/merge-patch+json`.",
            "Leave the header `Content-Encoding` out.",
        ],
        request: "POST /api/1.0/settings\nContent-Type: application/x-www-form-urlencoded\n\nname=theme&value=dark",
        description: "bodies are taken as `application/json`, not as `application/x-www-form-urlencoded`; send the header `Content-Type: application/json`",
    }

    MalformedCondition {
        10074, BAD_REQUEST, "Malformed condition",
        help: "The header If-Match or If-None-Match is not a list of entity tags, or the operation does not take it. \
               Nothing was changed: a condition is never ignored.",
        causes: [
            "The entity tag is without its double quotes, which are a part of it.",
            "`If-None-Match` stands in a change or a deletion, which take `If-Match`; a change also takes \
             `If-None-Match: *`.",
            "A new item is to be created under a condition, though it has no entity tag yet.",
        ],
        cures: [
            "Send what the header `ETag` of an answer has, from the first to the last character.",
            "Change and delete with `If-Match`, and read again with `If-None-Match`.",
        ],
        request: "PUT /api/1.0/settings/1\nContent-Type: application/json\nIf-Match: d0c1f\n\n{\"value\": \"light\"}",
        description: "`If-Match` takes entity tags in double quotes with commas between them, as the header `ETag` has \
                      them, or `*` alone",
    }

    UrlTooLong {
        10075, URI_TOO_LONG, "The URL is too long",
        help: "The URL is longer than the server reads: over HTTP/1.1 at most 65534 bytes. Send a shorter filter, or \
               several requests.",
        causes: [
            "A filter lists very many values, with `in` or `or`.",
            "What belongs into a body is sent in the query string.",
        ],
        cures: [
            "Split the filter, and send a request for each part.",
            "Filter by what the items have in common instead of by their identifiers.",
        ],
        request: "GET /api/1.0/settings?filter=in(id,[1,2,3,…",
        description: "the URL may be at most 65534 bytes long",
        header: CLOSED,
    }

    HeaderTooLarge {
        10076, REQUEST_HEADER_FIELDS_TOO_LARGE, "The header is too large",
        help: "The headers of the request are too large, or too many: over HTTP/1.1 at most 100 of them and 400 KiB \
               in all, over HTTP/2 at most 16 KiB, which is refused without a body. Send fewer, smaller headers.",
        causes: [
            "Cookies of other services of the same domain are sent along.",
            "An access token holds very many claims.",
            "A proxy adds headers for each hop.",
        ],
        cures: [
            "Leave out headers that the service does not need: it reads no cookies.",
            "Ask for a token with fewer scopes or claims.",
        ],
        request: "GET /api/1.0/settings\nCookie: …",
        description: "the headers are too large: at most 100 are read, and 400 KiB in all",
        header: CLOSED,
    }

    NotHttp {
        10077, BAD_REQUEST, "Not a valid HTTP request",
        help: "The request is not one of HTTP/1.1 or HTTP/2, does not tell where its body ends, or does not name the \
               server in exactly one valid header Host. The connection is closed.",
        causes: [
            "The request is written by hand, and lacks the header `Host`, has it twice, or holds a typing error.",
            "A proxy adds a header `Host` instead of replacing it.",
            "The client speaks TLS, or another protocol, on a port of plain HTTP.",
            "`Content-Length` is not a number, or stands there twice with different values.",
            "The URL holds a space or a control character that is not percent-encoded.",
        ],
        cures: [
            "Have an HTTP library write the request.",
            "Use `http://` for the address of the service, or `https://` where a proxy speaks TLS for it.",
            "Look at what a proxy in between sends.",
        ],
        request: "GET /api/1.0/settings HTTP/1.1\nHost: a\nHost: b",
        description: "the header `Host` stands there more than once; send it once",
        header: CLOSED,
    }

    UnknownTransferCoding {
        10078, NOT_IMPLEMENTED, "Unknown transfer coding",
        help: "The only transfer coding that the server knows is chunked. Send Transfer-Encoding: chunked, or \
               Content-Length. The connection is closed.",
        causes: [
            "The body is compressed, and says so in `Transfer-Encoding` instead of in `Content-Encoding`.",
            "A proxy or a library adds `Transfer-Encoding: identity`.",
        ],
        cures: ["Send the body uncompressed, with `Content-Length` or with `Transfer-Encoding: chunked` alone."],
        request: "POST /api/1.0/settings\nContent-Type: application/json\nTransfer-Encoding: gzip, chunked",
        description: "the transfer coding `gzip` is not known; send `Transfer-Encoding: chunked` or `Content-Length`",
        header: CLOSED,
    }

    Unavailable {
        10090, SERVICE_UNAVAILABLE, "Overloaded",
        help: "The service could not serve the request in time. Nothing was changed, unless error_description says \
               that it may have been. Wait as long as the header Retry-After says and try again.",
        causes: [
            "More requests come in than the service can serve at once.",
            "The database is being restarted, or cannot be reached.",
            "The database takes no writes for now: its disk is full, or it may only be read.",
            "Another write holds what this one needs for longer than it waits, or changes the same item again and again.",
        ],
        cures: [
            "Send the same request again after the seconds that `Retry-After` names: it was not carried out, unless \
             `error_description` says that it may have been. Then look first.",
            "Wait longer from one attempt to the next, and give up after a few.",
            "Tell those who run the service where it lasts; the request id in `x-request-id` leads them to \
             the cause in the log.",
        ],
        request: "GET /api/1.0/settings",
        description: "the service cannot carry this out now; nothing was changed, try again later",
        header: "Retry-After: 1",
    }

    QuotaUsedUp {
        10091, TOO_MANY_REQUESTS, "Quota used up",
        help: "The service grants each caller a number of requests in a time, and this caller has used them up. \
               Nothing was changed. Wait as long as the header Retry-After says and try again.",
        causes: [
            "The client sends requests faster than its user may.",
            "Several programs share one account, and its quota.",
            "A loop sends the same request again and again.",
        ],
        cures: [
            "Send the same request again after the seconds that `Retry-After` names: it was not carried out.",
            "Read more items with one request, by a greater `limit`, and keep answers that do not change.",
            "Ask those who run the service for a greater quota.",
        ],
        request: "GET /api/1.0/settings",
        description: "the quota is used up; send the request again in 30 s",
        header: "Retry-After: 30",
    }

    NoValidToken {
        12100, UNAUTHORIZED, "No valid access token",
        help: "The request needs an access token that this service trusts: none was sent, or the one that was is \
               expired, revoked, or meant for another service. Get a new one from the authorization server, which \
               the header WWW-Authenticate leads to, and send it in the header Authorization, as Bearer followed by \
               a space and the token.",
        causes: [
            "The header `Authorization` is missing.",
            "The access token has expired: most are valid for some minutes only.",
            "The token was revoked, when its user logged out for instance.",
            "The token is from another issuer, or for another service.",
        ],
        cures: [
            "Get a new token, with the refresh token where there is one, and send the request once more.",
            "Follow `resource_metadata` in the header `WWW-Authenticate`: it names the authorization server.",
            "Do not send the same token again: the answer stays the same.",
        ],
        request: "GET /api/1.0/notes",
        description: "an access token is required; send it as `Authorization: Bearer`",
        header: "WWW-Authenticate: Bearer realm=\"api\", scope=\"notes.read\"",
    }

    InsufficientScope {
        12110, FORBIDDEN, "The access token does not permit this",
        help: "The access token is valid, but its scopes do not permit this operation. The header WWW-Authenticate \
               names those that do: ask the authorization server for a token that has them.",
        causes: [
            "The client asked for fewer scopes than it uses.",
            "The user, or the authorization server, granted fewer than the client asked for.",
            "The item or the attribute takes a scope of its own.",
        ],
        cures: [
            "Ask the authorization server for a token with the scopes that `WWW-Authenticate` names.",
            "Where it refuses them, ask those who run it: the client may not be allowed to have them.",
        ],
        request: "DELETE /api/1.0/notes/1\nAuthorization: Bearer <token>",
        description: "the access token lacks the scope `notes.write`",
        header: "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"notes.write\"",
    }

    MalformedAuthorization {
        12120, BAD_REQUEST, "Malformed Authorization header",
        help: "Send exactly one header Authorization, as Bearer followed by a space and the access token.",
        causes: [
            "The word `Bearer` is missing, or stands there twice.",
            "The token was copied with a line break, quotes or spaces.",
            "A proxy or a library adds a second header `Authorization`.",
        ],
        cures: ["Send the header once: `Authorization: Bearer`, one space, and the token as it was issued."],
        request: "GET /api/1.0/notes\nAuthorization: <token>",
        description: "send one header Authorization, as Bearer and an access token",
        header: "WWW-Authenticate: Bearer error=\"invalid_request\"",
    }
}
