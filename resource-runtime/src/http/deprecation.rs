//! The headers by which all responses of a deprecated version tell of it (RFC 9745, RFC 8594).

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use httpdate::fmt_http_date;
use resource_model::registry::shares_items;
use resource_model::schema::evolution::Deprecation;
use resource_model::schema::{Operation, ResourceDefinition};

use super::Mount;
use super::extract::headers::{DEPRECATION, SUNSET};
use super::middleware::nested_under;

/// The dates and links that the responses of a deprecated version tell.
#[derive(Debug)]
pub(super) struct Notice {
    dates: HeaderMap,
    /// The path of the items in the version to use, where these are the items of this one.
    items: Option<String>,
    /// The path of the collection in the version to use.
    collection: Option<String>,
    /// The page of this version, where there are pages.
    page: Option<String>,
    /// The length of the path before the versions, in bytes.
    root: usize,
}

impl Notice {
    /// The notice of a version; none of one that is not deprecated.
    pub(super) fn of(mount: &Mount, root: &str, has_pages: bool) -> Option<Arc<Self>> {
        let (definition, successor) = (mount.definition(), mount.resource.service.successor);
        let deprecation = definition.deprecation()?;
        let since = format!("@{}", Deprecation::seconds(deprecation.since()));
        let sunset = deprecation.sunset_time().map(fmt_http_date);
        let dates = [(DEPRECATION, Some(since)), (SUNSET, sunset)].into_iter();
        let dates = dates.filter_map(|(name, date)| Some((name, date?.try_into().ok()?)));
        let path = |it: &ResourceDefinition| format!("{root}/{}/{}", it.version(), it.collection());
        let items = successor.filter(|it| shares_items(definition, it));
        let is_of_items = |it: &Operation| it.is_of_item();
        let collection = successor.filter(|it| !it.offered_operations().iter().all(is_of_items));
        Some(Arc::new(Self {
            dates: dates.collect(),
            items: items.map(path),
            collection: collection.map(path),
            page: has_pages.then(|| format!("/docs/{}", definition.version())),
            root: root.len(),
        }))
    }

    /// The routes, of which all responses tell it.
    pub(super) fn around(self: &Arc<Self>, routes: Router) -> Router {
        routes.layer(from_fn_with_state(Arc::clone(self), announce))
    }

    /// The links of the response to a request, each with the prefix of a nested router.
    fn links(&self, request: &Parts) -> Vec<String> {
        // `/1.0/settings/7`: the key stays as the client wrote it.
        let below = request.uri.path().get(self.root..).unwrap_or_default();
        let item = self.items.as_ref().zip(below.splitn(4, '/').nth(3));
        let item = item.map(|(items, key)| format!("{items}/{key}"));
        let successor = item.or_else(|| self.collection.clone());
        let page = self.page.clone();
        let links = [("successor-version", successor), ("deprecation", page)].into_iter();
        let prefix = nested_under(request);
        let link = |(it, path): (_, Option<_>)| Some(format!("<{prefix}{}>; rel=\"{it}\"", path?));
        links.filter_map(link).collect()
    }
}

/// Has a response of a deprecated version tell so.
async fn announce(State(notice): State<Arc<Notice>>, request: Request, next: Next) -> Response {
    // Made before the handler consumes the request.
    let (request, body) = request.into_parts();
    let links = notice.links(&request);
    let mut response = next.run(Request::from_parts(request, body)).await;
    let headers = response.headers_mut();
    headers.extend(notice.dates.clone());
    // One header holds all links, for clients that read the first alone.
    let there = headers.get(header::LINK).map(HeaderValue::as_bytes);
    let all = there.into_iter().chain(links.iter().map(String::as_bytes));
    let all = all.collect::<Vec<_>>().join(&b", "[..]);
    // A path may hold bytes that are no text of a header.
    let all = HeaderValue::from_bytes(&all).ok();
    if let Some(all) = all.filter(|it| !it.is_empty()) {
        headers.insert(header::LINK, all);
    }
    response
}
