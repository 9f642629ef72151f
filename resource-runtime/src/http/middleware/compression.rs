//! Compression of responses, as `Accept-Encoding` asks for it.

use axum::Router;
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::{map_request, map_response};
use axum::response::Response;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use crate::operation::RowTag;

/// Bytes below which responses are not compressed: they fit into one packet however they are sent.
const MIN_LENGTH: u64 = 1024;

/// Compresses responses that are long enough, for clients that accept it.
pub(crate) fn compressed(routes: Router) -> Router {
    let layer = CompressionLayer::new().compress_when(SizeAbove::new(MIN_LENGTH));
    routes
        .layer(layer)
        .layer(map_response(async |mut response: Response| {
            tell_coding(response.headers_mut());
            response
        }))
        // The last layer sees the request first: a header that nothing satisfies
        // never reaches the compression.
        .layer(map_request(async |mut request: Request| {
            let mut accepted = request.headers().get_all(ACCEPT_ENCODING).iter();
            if !accepted.all(|value| value.to_str().is_ok_and(is_satisfiable)) {
                // Left in place, the header would make the layer answer 406.
                request.headers_mut().remove(ACCEPT_ENCODING);
            }
            request
        }))
}

/// Tells the coding in the entity tag of an item: each form of a body has its own (RFC 9110, section 8.8.3.3). Own routes
/// compare their tags themselves, and would not know them with an end of ours.
fn tell_coding(headers: &mut HeaderMap) {
    let (Some(coding), Some(tag)) = (headers.get(CONTENT_ENCODING), headers.get(ETAG)) else {
        return;
    };
    let (coding, tag) = (coding.to_str().ok(), tag.to_str().ok());
    let tag = tag.and_then(|tag| tag.strip_suffix('"'));
    let row = tag.and_then(|tag| tag.strip_prefix('"')?.split_once('.'));
    let is_ours = row.is_some_and(|(row, _)| RowTag::parse(row).is_some());
    let tag = coding.zip(tag.filter(|_| is_ours));
    let tag = tag.map(|(coding, tag)| HeaderValue::try_from(format!("{tag}-{coding}\"")));
    if let Some(Ok(tag)) = tag {
        headers.insert(ETAG, tag);
    }
}

/// Tests whether one of our codings, or the uncompressed form, is accepted. Otherwise the response is sent
/// uncompressed (RFC 9110, section 12.5.3), instead of a refusal of a write that was done already.
fn is_satisfiable(accepted: &str) -> bool {
    let codings = accepted.split(',').map(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        // A coding without a weight has the weight 1 (RFC 9110, section 12.4.2).
        let weight = weight.split_once('=').map_or("1", |(_, weight)| weight);
        (name.trim(), weight.trim().parse() != Ok(0.0_f32))
    });
    // The uncompressed form (`identity`) is acceptable unless the header excludes it.
    let (mut ours, mut identity) = (false, true);
    for (name, is_accepted) in codings {
        match name.to_ascii_lowercase().as_str() {
            "gzip" | "br" => ours |= is_accepted,
            "identity" | "*" => identity &= is_accepted,
            _ => {}
        }
    }
    ours || identity
}

#[cfg(test)]
mod tests {
    use super::is_satisfiable;

    #[test]
    fn header_that_refuses_every_coding_is_not_satisfiable() {
        for accepted in [
            "",
            "gzip",
            "zstd",
            "*",
            "gzip;q=0",
            "br, *;q=0",
            "gzip, identity; q=0",
        ] {
            assert!(is_satisfiable(accepted), "{accepted}");
        }
        for refused in [
            "*;q=0",
            "zstd, *;q=0",
            "identity;q=0.0, gzip; q=0",
            "Identity;Q=0.000",
        ] {
            assert!(!is_satisfiable(refused), "{refused}");
        }
    }
}
