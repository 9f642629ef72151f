//! Queries of items: filters, orders and limits, and the ways to read their results.

use std::fmt;
use std::marker::PhantomData;

use futures_util::stream::iter;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use resource_model::error::Error;
use resource_model::query::ListQuery;

use super::TypedFuture;
use super::projection::{Projection, Wanted};
use super::read::{Collector, ListRead, Rows, UntypedQuery, collector};
use super::source::{ResourceType, Source};
use crate::{ApiResource, Filter, Order};

/// Items of `R` that a filter, an order and a limit select.
#[must_use = "a query reads nothing until one of its asynchronous methods is called"]
pub struct Query<R, S, L = Unlimited> {
    pub(super) source: S,
    untyped: UntypedQuery,
    limit: L,
    resource: PhantomData<fn() -> R>,
}

/// The limit of a [`Query`] that has none.
#[derive(Debug, Clone, Copy)]
pub struct Unlimited;

/// The limit of a [`Query`]: a number of items.
#[derive(Debug, Clone, Copy)]
pub struct Limit(u64);

/// Limits with which all items of a query may be read at once.
#[diagnostic::on_unimplemented(
    message = "this query has no limit",
    label = "reads however many items there are",
    note = "add `.limit(…)`, or read whole items one by one: `.stream()`"
)]
pub trait Limited {
    /// The greatest number of items.
    #[doc(hidden)]
    fn items(&self) -> u64;
}

impl Limited for Limit {
    fn items(&self) -> u64 {
        self.0
    }
}

/// Some items of a query, and the total of the same snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<R> {
    /// The items.
    pub items: Vec<R>,
    /// The number of items that the filter selects, on all pages.
    pub total: u64,
}

impl<R: ApiResource, S> Query<R, S> {
    pub(super) fn new(source: S) -> Self {
        Self {
            source,
            untyped: UntypedQuery::of(ResourceType::of::<R>()),
            limit: Unlimited,
            resource: PhantomData,
        }
    }
}

impl<R: ApiResource, S: Source, L> Query<R, S, L> {
    /// The items for which `filter` holds, too.
    pub fn filter(mut self, filter: Filter<R>) -> Self {
        self.untyped.criteria.filter(filter);
        self
    }

    /// The items in this order; a second call orders those that the first finds equal.
    pub fn order_by(mut self, order: Order<R>) -> Self {
        self.untyped.criteria.order_by(order);
        self
    }

    /// The items behind the first `items`. To read all pages one after another, a [`stream`](Self::stream) is quicker.
    pub const fn offset(mut self, items: u64) -> Self {
        self.untyped.offset = items;
        self
    }

    /// At most this number of items.
    pub fn limit(self, items: u64) -> Query<R, S, Limit> {
        Query {
            source: self.source,
            untyped: self.untyped,
            limit: Limit(items),
            resource: PhantomData,
        }
    }

    /// The first item; none if there is no item.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn first(self) -> impl Future<Output = Result<Option<S::Item<R>>, Error>> + Send {
        let read = ListRead::of(self.untyped, 1, || collector(S::make::<R>));
        TypedFuture(Box::pin(read.rows(self.source)), Rows::into_first)
    }

    /// The number of items, without regard to a limit or an offset.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn count(self) -> impl Future<Output = Result<u64, Error>> + Send {
        self.untyped.count(self.source)
    }

    /// Tests whether there is any item.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn exists(self) -> impl Future<Output = Result<bool, Error>> + Send {
        self.untyped.exists(self.source)
    }

    /// These columns of the items: of one column its value, of a tuple of columns a tuple of values. Filters, orders and
    /// the limit come before. There is no stream of them: read batches in the order of the key, each with a filter
    /// `Track::ID.gt(last)`.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, name: String }
    /// async fn names(api: &Api) -> Result<Vec<(i64, String)>, Error> {
    ///     let tracks = api.items::<Track>().limit(100);
    ///     tracks.select((Track::ID, Track::NAME)).all().await
    /// }
    /// ```
    pub fn select<P: Projection<R>>(self, columns: P) -> Select<R, S, L, P::Values> {
        let mut wanted = Vec::new();
        columns.visit(&mut |subresource, attribute| wanted.push((subresource, attribute)));
        Select {
            query: self,
            columns: wanted,
            collector: || collector(P::take),
            values: PhantomData,
        }
    }

    /// The resolved query of all items that a bulk write changes.
    pub(super) fn resolve_all(&self) -> Result<ListQuery, Error> {
        self.untyped.resolve_all(self.source.caller())
    }
}

/// Reads of all items. The bound stands at each method, where an error explains it.
impl<R: ApiResource, S: Source, L> Query<R, S, L> {
    /// All items up to the limit.
    ///
    /// # Errors
    ///
    /// [`Refused`](crate::ErrorKind::Refused): the filter compares with a value that the attribute cannot have.
    /// [`Unavailable`](crate::ErrorKind::Unavailable): the database is not reachable or not free in time.
    /// [`Internal`](crate::ErrorKind::Internal): a stored item is no `R`.
    pub fn all(self) -> impl Future<Output = Result<Vec<S::Item<R>>, Error>> + Send
    where
        L: Limited,
    {
        let limit = self.limit.items();
        let read = ListRead::of(self.untyped, limit, || collector(S::make::<R>));
        TypedFuture(Box::pin(read.rows(self.source)), Rows::into_items)
    }

    /// The items up to the limit, and the total of the same snapshot.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn page(self) -> impl Future<Output = Result<Page<S::Item<R>>, Error>> + Send
    where
        L: Limited,
    {
        let limit = self.limit.items();
        let read = ListRead::of(self.untyped, limit, || collector(S::make::<R>));
        let read = ListRead {
            is_counted: true,
            ..read
        };
        TypedFuture(Box::pin(read.rows(self.source)), |rows: Rows| {
            let total = rows.total;
            let items = rows.into_items()?;
            Ok(Page { items, total })
        })
    }
}

impl<R: ApiResource, S: Source> Query<R, S> {
    /// The items one after another in the order of their primary keys, read 1,000 at a time. Unless the source is a
    /// transaction, neither a connection nor a snapshot is held meanwhile: an item that is created, changed or deleted
    /// during the stream is seen as it is when its batch is read.
    ///
    /// The stream ends with the first error: one of [`all`](Query::all), or
    /// [`Configuration`](crate::ErrorKind::Configuration) for a query with an order or an offset.
    pub fn stream(self) -> impl Stream<Item = Result<S::Item<R>, Error>> + Send {
        let read = ListRead::of(self.untyped, u64::MAX, || collector(S::make::<R>));
        let batches = read.batches(self.source);
        let items =
            batches.map(|rows| Ok::<_, Error>(iter(rows?.into_items()?.into_iter().map(Ok))));
        items.try_flatten()
    }
}

/// Columns of the items that a query selects, whose values are `V`.
#[derive(Debug, Clone)]
#[must_use = "a query reads nothing until one of its asynchronous methods is called"]
pub struct Select<R, S, L, V> {
    query: Query<R, S, L>,
    columns: Vec<Wanted>,
    collector: Collector,
    values: PhantomData<fn() -> V>,
}

impl<R: ApiResource, S: Source, L, V: Send + 'static> Select<R, S, L, V> {
    /// The values of all items up to the limit.
    ///
    /// # Errors
    ///
    /// Those of [`Query::all`].
    pub fn all(self) -> impl Future<Output = Result<Vec<V>, Error>> + Send
    where
        L: Limited,
    {
        let limit = self.query.limit.items();
        let read = ListRead::of(self.query.untyped, limit, self.collector);
        let read = ListRead {
            columns: Some(self.columns),
            ..read
        };
        TypedFuture(Box::pin(read.rows(self.query.source)), Rows::into_items)
    }
}

impl<R, S: Clone, L: Clone> Clone for Query<R, S, L> {
    fn clone(&self) -> Self {
        Self {
            source: self.source.clone(),
            untyped: self.untyped.clone(),
            limit: self.limit.clone(),
            resource: PhantomData,
        }
    }
}

impl<R, S, L: fmt::Debug> fmt::Debug for Query<R, S, L> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Query")
            .field("query", &self.untyped)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
