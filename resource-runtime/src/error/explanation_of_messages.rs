//! What the pages hold of the codes that the server answers before it knows what a request is for.

use super::explanation::Explanation;

/// What all of these answers have beside their bodies.
const CLOSED: Option<&str> = Some("Connection: close");

pub(super) const URL_TOO_LONG: Explanation = Explanation {
    causes: &[
        "A filter lists very many values, with `in` or `or`.",
        "What belongs into a body is sent in the query string.",
    ],
    cures: &[
        "Split the filter, and send a request for each part.",
        "Filter by what the items have in common instead of by their identifiers.",
    ],
    request: "GET /api/1.0/settings?filter=in(id,[1,2,3,…",
    description: "the URL may be at most 65534 bytes long",
    header: CLOSED,
};

pub(super) const HEADER_TOO_LARGE: Explanation = Explanation {
    causes: &[
        "Cookies of other services of the same domain are sent along.",
        "An access token holds very many claims.",
        "A proxy adds headers for each hop.",
    ],
    cures: &[
        "Leave out headers that the service does not need: it reads no cookies.",
        "Ask for a token with fewer scopes or claims.",
    ],
    request: "GET /api/1.0/settings\nCookie: …",
    description: "the headers are too large: at most 100 are read, and 400 KiB in all",
    header: CLOSED,
};

pub(super) const NOT_HTTP: Explanation = Explanation {
    causes: &[
        "The request is written by hand, and lacks the header `Host`, has it twice, or holds a typing error.",
        "A proxy adds a header `Host` instead of replacing it.",
        "The client speaks TLS, or another protocol, on a port of plain HTTP.",
        "`Content-Length` is not a number, or stands there twice with different values.",
        "The URL holds a space or a control character that is not percent-encoded.",
    ],
    cures: &[
        "Have an HTTP library write the request.",
        "Use `http://` for the address of the service, or `https://` where a proxy speaks TLS for it.",
        "Look at what a proxy in between sends.",
    ],
    request: "GET /api/1.0/settings HTTP/1.1\nHost: a\nHost: b",
    description: "the header `Host` stands there more than once; send it once",
    header: CLOSED,
};

pub(super) const UNKNOWN_TRANSFER_CODING: Explanation = Explanation {
    causes: &[
        "The body is compressed, and says so in `Transfer-Encoding` instead of in `Content-Encoding`.",
        "A proxy or a library adds `Transfer-Encoding: identity`.",
    ],
    cures: &[
        "Send the body uncompressed, with `Content-Length` or with `Transfer-Encoding: chunked` alone.",
    ],
    request: "POST /api/1.0/settings\nContent-Type: application/json\nTransfer-Encoding: gzip, chunked",
    description: "the transfer coding `gzip` is not known; send `Transfer-Encoding: chunked` or `Content-Length`",
    header: CLOSED,
};
