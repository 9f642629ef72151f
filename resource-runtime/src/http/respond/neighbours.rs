//! The pages beside a page: the rows that tell whether there are any, and the cursors and links that lead there.

use std::sync::Arc;

use axum::extract::OriginalUri;
use axum::http::HeaderValue;
use axum::http::request::Parts;
use resource_model::error::DatabaseResult;
use resource_model::query::{ListQuery, Seek};
use resource_model::schema::Kind;
use resource_model::value::{Value, ValueRef};

use crate::http::extract::form_decoded;
use crate::store::Row;

/// Length in bytes of the longest header `Link`: proxies refuse longer ones, and the page has its cursor in any case.
const MAX_LINK: usize = 4096;

/// A page that is read by cursor.
#[derive(Debug)]
pub(crate) struct CursorPage {
    seek: Seek,
    limit: u64,
    /// The kinds of the values of its order.
    kinds: Vec<Kind>,
    /// The URL of the list up to the cursor.
    url: String,
}

impl CursorPage {
    /// The page of a query that has a place. One more row is read, which tells whether another page follows.
    pub(crate) fn of(query: &mut ListQuery, request: &Parts) -> Option<Arc<Self>> {
        let seek = query.seek.clone()?;
        let limit = query.limit;
        query.limit += 1;
        let kinds = query.order.iter().map(|it| it.path.attribute.kind());
        Some(Arc::new(Self {
            seek,
            limit,
            kinds: kinds.collect(),
            url: url(request),
        }))
    }

    /// The links that are known before a row is read.
    pub(crate) fn early_links(&self) -> Option<HeaderValue> {
        let prev = self.seek.opposite().filter(|it| it.is_backward);
        self.links(prev.map(|it| it.token()), None)
    }

    fn links(&self, prev: Option<String>, next: Option<String>) -> Option<HeaderValue> {
        let first = Some("start".to_owned());
        let links = [("first", first), ("prev", prev), ("next", next)];
        let links = links.into_iter().filter_map(|(relation, cursor)| {
            let (url, cursor) = (&self.url, cursor?);
            Some(format!("<{url}{cursor}>; rel=\"{relation}\""))
        });
        let links = links.collect::<Vec<_>>().join(", ");
        // A query string may hold bytes that are no text of a header.
        let header = HeaderValue::from_bytes(links.as_bytes()).ok();
        header.filter(|it| it.len() <= MAX_LINK)
    }
}

/// The URL of a list up to its cursor, as the client wrote it.
fn url(request: &Parts) -> String {
    // With `latest` or a number as the client chose, and with the prefix of a nested router.
    let original = request.extensions.get::<OriginalUri>();
    let uri = original.map_or(&request.uri, |it| &it.0);
    let mut url = format!("{}?", uri.path());
    for pair in uri.query().unwrap_or_default().split('&') {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        // The other pages have places of their own.
        if !pair.is_empty() && !matches!(form_decoded(name).as_deref(), Ok("cursor" | "offset")) {
            url.extend([pair, "&"]);
        }
    }
    url.push_str("cursor=");
    url
}

/// The pages beside a page whose rows are being read.
#[derive(Debug)]
pub(super) struct Neighbours {
    page: Arc<CursorPage>,
    rows: u64,
    /// True where another page lies further in the direction of reading.
    has_further: bool,
    /// The item of the page that is nearest to it.
    last: Vec<Value>,
}

impl Neighbours {
    pub(super) const fn new(page: Arc<CursorPage>) -> Self {
        Self {
            page,
            rows: 0,
            has_further: false,
            last: Vec::new(),
        }
    }

    pub(super) fn is_backward(&self) -> bool {
        self.page.seek.is_backward
    }

    /// Tests whether a row belongs to the page, or only tells that there is another one. The values of its order begin at
    /// the column `first`.
    pub(super) fn admits(&mut self, row: &dyn Row, first: usize) -> DatabaseResult<bool> {
        self.rows += 1;
        let kinds = &self.page.kinds;
        let (last, beyond) = if self.is_backward() {
            // Rows come in the order of the list, with their number behind: the first one may be too many.
            let number = row.value(first + kinds.len())?;
            let is_full = matches!(number, ValueRef::Integer(it) if u64::try_from(it).is_ok_and(|it| it > self.page.limit));
            if is_full { (2, 1) } else { (0, 0) }
        } else {
            (self.page.limit, self.page.limit + 1)
        };
        if self.rows == last {
            let values = kinds.iter().enumerate();
            let values = values.map(|(index, kind)| Ok(row.value(first + index)?.keep(*kind)));
            self.last = values.collect::<DatabaseResult<_>>()?;
        }
        let is_beyond = self.rows == beyond;
        self.has_further |= is_beyond;
        Ok(!is_beyond)
    }

    /// The cursors of the pages before and behind, where there are any.
    fn cursors(&self) -> (Option<String>, Option<String>) {
        let seek = &self.page.seek;
        let further = self
            .has_further
            .then(|| seek.further(self.last.clone()).token());
        let opposite = seek.opposite().map(|it| it.token());
        if self.is_backward() {
            (further, opposite)
        } else {
            (opposite, further)
        }
    }

    /// The cursor of the page behind.
    pub(super) fn next(&self) -> Option<String> {
        self.cursors().1
    }

    /// The links of a page that was read to its end, and those that were known before.
    pub(super) fn links(&self) -> [Option<HeaderValue>; 2] {
        let (prev, next) = self.cursors();
        [self.page.links(prev, next), self.page.early_links()]
    }
}
