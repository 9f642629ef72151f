//! Queries of items: filters, orders and limits, and the ways to read their results.

use std::fmt;
use std::marker::PhantomData;

use futures_util::stream::iter;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use resource_model::error::Error;
use resource_model::query::ListQuery;

use super::TypedFuture;
use super::projection::Projection;
use super::read::{Collector, Rows, UntypedQuery, collector};
use super::source::{ResourceType, Source};
use crate::{ApiResource, Filter, Order};

/// Items of `R` that a filter, an order and a limit select.
#[must_use = "a query reads nothing until one of its asynchronous methods is called"]
pub struct Query<R, S, L = Unlimited> {
    pub(super) source: S,
    pub(super) untyped: UntypedQuery,
    types: PhantomData<fn() -> (R, L)>,
}

/// The limit of a [`Query`] that has none.
#[derive(Debug, Clone, Copy)]
pub struct Unlimited;

/// The limit of a [`Query`]: a number of items.
#[derive(Debug, Clone, Copy)]
pub struct Limit;

/// Limits with which all items of a query may be read at once.
#[diagnostic::on_unimplemented(
    message = "this query has no limit",
    label = "reads however many items there are",
    note = "add `.limit(…)`, or read whole items one by one: `.stream()`"
)]
pub trait Limited {}

impl Limited for Limit {}

/// Some items of a query, and the total of the same snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<R> {
    /// The items.
    pub items: Vec<R>,
    /// The number of items that the filter selects, on all pages.
    pub total: u64,
    /// The cursor of the next page, for [`Query::after`]; `None` on the last page, and where the query has no cursor.
    pub next: Option<String>,
}

impl<R: ApiResource, S: Source> Query<R, S> {
    pub(super) fn new(source: S) -> Self {
        let collector: Collector = || collector(S::make::<R>);
        Self {
            source,
            untyped: UntypedQuery::new(ResourceType::of::<R>(), collector),
            types: PhantomData,
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

    /// The items behind those of an earlier page: from `"start"` on, then from [`Page::next`] on, with the same filter and
    /// order. Any page costs the same where an index serves the order.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, seconds: i32 }
    /// async fn longest_first(api: &Api) -> Result<(), Error> {
    ///     let tracks = api.items::<Track>().query().order_by(Track::SECONDS.desc()).limit(100);
    ///     let mut next = Some("start".to_owned());
    ///     while let Some(cursor) = next {
    ///         let page = tracks.clone().after(cursor).page().await?;
    ///         // Work on `page.items`.
    ///         next = page.next;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.untyped.cursor = Some(cursor.into());
        self
    }

    /// At most this number of items.
    pub fn limit(mut self, items: u64) -> Query<R, S, Limit> {
        self.untyped.limit = items;
        Query {
            source: self.source,
            untyped: self.untyped,
            types: PhantomData,
        }
    }

    fn read<T>(
        self,
        take: fn(Rows) -> Result<T, Error>,
    ) -> impl Future<Output = Result<T, Error>> + Send {
        TypedFuture(Box::pin(self.untyped.read(self.source)), take)
    }

    /// The first item; none if there is no item.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn first(self) -> impl Future<Output = Result<Option<S::Item<R>>, Error>> + Send {
        self.limit(1).read(Rows::into_first)
    }

    /// The number of items, without regard to a limit or an offset.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn count(mut self) -> impl Future<Output = Result<u64, Error>> + Send {
        // A page without rows is the total alone.
        self.untyped.limit = 0;
        self.untyped.is_counted = true;
        self.read(|rows| Ok(rows.total))
    }

    /// Tests whether there is any item.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn exists(mut self) -> impl Future<Output = Result<bool, Error>> + Send {
        let key = R::DEFINITION.key_attributes().map(|key| (None, key));
        self.untyped.columns = Some(key.collect());
        self.untyped.collector = || collector(|_| Ok(()));
        self.limit(1).read(|rows| Ok(rows.count > 0))
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
    pub fn select<P: Projection<R>>(mut self, columns: P) -> Select<R, S, L, P::Values> {
        let mut wanted = Vec::new();
        columns.visit(&mut wanted);
        self.untyped.columns = Some(wanted);
        self.untyped.collector = || collector(P::take);
        Select {
            query: self,
            values: PhantomData,
        }
    }

    /// The resolved query of all items that a bulk write changes.
    pub(super) fn resolve_all(&mut self) -> Result<ListQuery, Error> {
        let problem = "`update_all` and `delete_all` change all items of a query";
        self.untyped.require_plain(problem)?;
        self.untyped.resolve(self.source.reader().caller, None)
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
        self.read(Rows::into_items)
    }

    /// The items up to the limit, and the total of the same snapshot.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub fn page(mut self) -> impl Future<Output = Result<Page<S::Item<R>>, Error>> + Send
    where
        L: Limited,
    {
        self.untyped.is_counted = true;
        self.read(|rows| {
            let (total, next) = (rows.total, rows.next());
            let items = rows.into_items()?;
            Ok(Page { items, total, next })
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
        let batches = self.untyped.batches(self.source);
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
        self.query.read(Rows::into_items)
    }
}

impl<R, S: Clone, L> Clone for Query<R, S, L> {
    fn clone(&self) -> Self {
        Self {
            source: self.source.clone(),
            untyped: self.untyped.clone(),
            types: PhantomData,
        }
    }
}

impl<R, S, L> fmt::Debug for Query<R, S, L> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let query = &self.untyped.criteria;
        formatter.debug_tuple("Query").field(query).finish()
    }
}

#[cfg(test)]
mod tests;
