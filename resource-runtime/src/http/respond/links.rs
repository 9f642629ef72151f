//! The header `Link` of a page that is read by cursor: the URLs of the first page, and of those beside.

use axum::http::{HeaderValue, Uri};

use crate::http::extract::form_decoded;

/// Length in bytes of the longest header: proxies refuse longer ones, and the page has its cursor in any case.
const MAX_LENGTH: usize = 4096;

/// The URL of a list up to its cursor, as the client wrote it.
pub(crate) fn url(uri: &Uri) -> String {
    // With `latest` or a number as the client chose, and with the prefix of a nested router.
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let mut url = String::with_capacity(path.len() + query.len() + 16);
    url.extend([path, "?"]);
    for pair in query.split('&') {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        // The other pages have places of their own.
        if !pair.is_empty() && !matches!(form_decoded(name).as_deref(), Ok("cursor" | "offset")) {
            url.extend([pair, "&"]);
        }
    }
    url.push_str("cursor=");
    url
}

/// The links of a list at `url`; none where they would be too long.
pub(crate) fn links(url: &str, prev: Option<&str>, next: Option<&str>) -> Option<HeaderValue> {
    let links = [("first", Some("start")), ("prev", prev), ("next", next)];
    // Each page has them, so that they are written without the machinery of `format!`.
    let mut text = String::with_capacity(links.len() * (url.len() + 64));
    for (relation, cursor) in links {
        if let Some(cursor) = cursor {
            let comma = if text.is_empty() { "" } else { ", " };
            text.extend([comma, "<", url, cursor, ">; rel=\"", relation, "\""]);
        }
    }
    // A query string may hold bytes that are no text of a header.
    let header = HeaderValue::from_bytes(text.as_bytes()).ok();
    header.filter(|it| it.len() <= MAX_LENGTH)
}
