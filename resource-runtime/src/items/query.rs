//! Queries of items: filters, orders and limits, and the ways to read their results.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::{iter, try_unfold};
use futures_util::{Stream, TryStreamExt as _};
use resource_model::error::{ApiError, DatabaseResult, Error, ErrorCode};
use resource_model::query::{Condition, ListQuery, Predicate, Relation, Selection, Test};
use resource_model::schema::{Attribute, Operation};
use resource_model::value::{RecordError, Value, Values};

use super::projection::{self, Projection, Wanted};
use super::source::{OfRow, Source};
use super::{Rows, unreadable};
use crate::authorization::{Caller, View};
use crate::store::{Row, RowVisitor, Visited, Visitors, restored};
use crate::{ApiResource, Filter, Order};

/// Items that one statement of a stream reads.
const BATCH: usize = 1000;

/// Items of `R` that a filter, an order and a limit select.
#[must_use = "a query reads nothing until one of its asynchronous methods is called"]
pub struct Query<R, S, L = Unlimited> {
    pub(super) source: S,
    filter: Option<Filter<R>>,
    order: Vec<Order<R>>,
    offset: u64,
    limit: L,
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
    note = "add `.limit(…)`, or read the items one by one: `.stream()`"
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

impl<R, S> Query<R, S> {
    pub(super) const fn new(source: S) -> Self {
        Self {
            source,
            filter: None,
            order: Vec::new(),
            offset: 0,
            limit: Unlimited,
        }
    }
}

impl<R: ApiResource, S: Source, L> Query<R, S, L> {
    /// The items for which `filter` holds, too.
    pub fn filter(mut self, filter: Filter<R>) -> Self {
        self.filter = Some(match self.filter {
            Some(known) => known.and(filter),
            None => filter,
        });
        self
    }

    /// The items in this order; a second call orders those that the first finds equal.
    pub fn order_by(mut self, order: Order<R>) -> Self {
        self.order.push(order);
        self
    }

    /// The items behind the first `items`. To read all pages one after another, a [`stream`](Self::stream) is quicker.
    pub const fn offset(mut self, items: u64) -> Self {
        self.offset = items;
        self
    }

    /// At most this number of items.
    pub fn limit(self, items: u64) -> Query<R, S, Limit> {
        Query {
            source: self.source,
            filter: self.filter,
            order: self.order,
            offset: self.offset,
            limit: Limit(items),
        }
    }

    /// The first item; none if there is no item.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub async fn first(self) -> Result<Option<S::Item<R>>, Error> {
        let items = self.limit(1).all().await?;
        Ok(items.into_iter().next())
    }

    /// The number of items, without regard to a limit or an offset.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub async fn count(mut self) -> Result<u64, Error> {
        // A page without rows is the total alone.
        let query = self.resolve(0, None)?;
        Ok(self.read(&query, true, Seen::visitors()).await?.1)
    }

    /// Tests whether there is any item.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub async fn exists(mut self) -> Result<bool, Error> {
        let key = R::DEFINITION.key_attributes().collect();
        let query = self.resolve(1, Some(Selection::new(key, Vec::new())))?;
        let (visitor, _) = self.read(&query, false, Seen::visitors()).await?;
        Ok(restored::<Seen>(visitor)?.0)
    }

    /// These columns of the items: of one column its value, of a tuple of columns a tuple of values.
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
            take: P::take,
        }
    }

    /// The resolved query of all items that a bulk write changes.
    pub(super) fn resolve_all(&self) -> Result<ListQuery, Error> {
        if self.order.is_empty() && self.offset == 0 {
            return self.resolve(u64::MAX, None);
        }
        let problem = "`update_all` and `delete_all` change all items of a query; leave out `order_by` and `offset`";
        Err(Error::configuration(problem))
    }

    /// The query of at most `limit` items, resolved on the resource.
    fn resolve(&self, limit: u64, selection: Option<Selection>) -> Result<ListQuery, Error> {
        self.source.permit::<R>(Operation::List)?;
        let view = View::new(R::DEFINITION, self.source.caller());
        let resolved = || -> Result<ListQuery, ApiError> {
            let filter = self.filter.as_ref().map(|filter| filter.resolve(view));
            Ok(ListQuery {
                offset: self.offset,
                limit,
                filter: filter.transpose()?,
                order: Order::resolve(view, &self.order)?,
                selection,
            })
        };
        resolved().map_err(Error::of_refusal)
    }

    /// Lends the rows of a resolved query, and returns the total if it `is_counted`.
    async fn read(
        &mut self,
        query: &ListQuery,
        is_counted: bool,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        let reader = self.source.reader();
        reader
            .list(query, R::DEFINITION, is_counted, visitors)
            .await
    }

    /// The items of a resolved query with all their attributes.
    async fn items(
        &mut self,
        query: &ListQuery,
        make: OfRow<S::Item<R>>,
    ) -> Result<Vec<S::Item<R>>, Error> {
        Rows::of(self.read(query, false, Rows::visitors(make)).await?.0)
    }

    /// The selection of whole items; none where it is that of all clients, whose text the derive has written.
    fn whole(&self) -> Option<Selection> {
        let hides = R::ATTRIBUTES.iter().any(Attribute::is_write_only);
        let is_system = matches!(self.source.caller(), Caller::System);
        (hides || !is_system).then(|| Selection::all(View::system(R::DEFINITION)))
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
    pub async fn all(mut self) -> Result<Vec<S::Item<R>>, Error>
    where
        L: Limited,
    {
        let query = self.resolve(self.limit.items(), self.whole())?;
        let make = self.source.maker::<R>()?.of_row;
        self.items(&query, make).await
    }

    /// The items up to the limit, and the total of the same snapshot.
    ///
    /// # Errors
    ///
    /// Those of [`all`](Self::all).
    pub async fn page(mut self) -> Result<Page<S::Item<R>>, Error>
    where
        L: Limited,
    {
        let query = self.resolve(self.limit.items(), self.whole())?;
        let visitors = Rows::visitors(self.source.maker::<R>()?.of_row);
        let (visitor, total) = self.read(&query, true, visitors).await?;
        let items = Rows::of(visitor)?;
        Ok(Page { items, total })
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
        let batches = try_unfold(Some((self, None)), |state| async move {
            let Some((mut query, last)) = state else {
                return Ok(None);
            };
            let maker = query.source.maker::<R>()?;
            let batch = query.batch(last, maker.of_row).await?;
            // A batch that is not full was the last one.
            let is_last = batch.len() < BATCH;
            let last = batch.last().and_then(maker.key).filter(|_| !is_last);
            let next = last.map(|last| (query, Some(last)));
            Ok::<_, Error>(Some((iter(batch.into_iter().map(Ok)), next)))
        });
        batches.try_flatten()
    }

    /// The next items in the order of their primary keys, behind the key `last`.
    async fn batch(
        &mut self,
        last: Option<Value>,
        make: OfRow<S::Item<R>>,
    ) -> Result<Vec<S::Item<R>>, Error> {
        if !self.order.is_empty() || self.offset > 0 {
            let problem = "a stream reads all items in the order of their primary keys; \
                           leave out `order_by` and `offset`, or read pages";
            return Err(Error::configuration(problem));
        }
        let limit = u64::try_from(BATCH).unwrap_or(u64::MAX);
        let mut query = self.resolve(limit, self.whole())?;
        if let Some((last, criterion)) = last.zip(query.order.first()) {
            let behind = Predicate::Test(Test {
                path: criterion.path,
                condition: Condition::Compare(Relation::Greater, last),
                negated: false,
            });
            let known = query.filter.take();
            query.filter = Some(Predicate::All(known.into_iter().chain([behind]).collect()));
        }
        self.items(&query, make).await
    }
}

/// Columns of the items that a query selects, whose values are `V`.
#[derive(Debug, Clone)]
#[must_use = "a query reads nothing until one of its asynchronous methods is called"]
pub struct Select<R, S, L, V> {
    query: Query<R, S, L>,
    columns: Vec<Wanted>,
    take: Take<V>,
}

/// Takes the values of the columns of one row.
type Take<V> = fn(&mut Values<'_>) -> Result<V, RecordError>;

impl<R: ApiResource, S: Source, L, V: Send + 'static> Select<R, S, L, V> {
    /// The values of all items up to the limit.
    ///
    /// # Errors
    ///
    /// Those of [`Query::all`].
    pub async fn all(mut self) -> Result<Vec<V>, Error>
    where
        L: Limited,
    {
        self.require_readable()?;
        let (selection, places) = projection::selected(R::DEFINITION, &self.columns);
        let limit = self.query.limit.items();
        let query = self.query.resolve(limit, Some(selection))?;
        let take = self.take;
        let make: OfRow<V> = Arc::new(move |row| {
            // A place beyond the list cannot be: there is one for each column of the projection.
            let column = |index: usize| row.value(places.get(index).copied().unwrap_or(index));
            take(&mut Values::lent(&column, 0)).map_err(|error| unreadable(R::DEFINITION, &error))
        });
        let read = self.query.read(&query, false, Rows::visitors(make));
        Rows::of(read.await?.0)
    }

    /// Refuses columns that are hidden from the caller, or that a format hook redacts, which sees whole items alone.
    fn require_readable(&self) -> Result<(), Error> {
        let view = View::new(R::DEFINITION, self.query.source.caller());
        for (subresource, column) in &self.columns {
            let subresource =
                subresource.and_then(|index| R::DEFINITION.all_subresources().get(index));
            let view = subresource.map_or(view, |it| view.of(it.target()));
            let mut readable = view.queryable_attributes();
            if !readable.any(|it| it.name() == column.name()) {
                let (name, resource) = (column.name(), view.definition().name());
                // Only the developer is told the name, which the caller may not know.
                tracing::warn!(
                    resource,
                    name,
                    "a column was selected that its caller may not read"
                );
                let problem = format!("an attribute of {resource} is hidden from this caller");
                let refused = ApiError::new(ErrorCode::InsufficientScope, problem);
                return Err(Error::of_refusal(refused));
            }
        }
        Ok(())
    }
}

impl<R, S: Clone, L: Clone> Clone for Query<R, S, L> {
    fn clone(&self) -> Self {
        Self {
            source: self.source.clone(),
            filter: self.filter.clone(),
            order: self.order.clone(),
            offset: self.offset,
            limit: self.limit.clone(),
        }
    }
}

impl<R, S, L: fmt::Debug> fmt::Debug for Query<R, S, L> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Query")
            .field("filter", &self.filter)
            .field("order", &self.order)
            .field("offset", &self.offset)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Notes that there is a row.
struct Seen(bool);

impl Seen {
    fn visitors() -> Visitors {
        Box::new(|| Box::new(Self(false)))
    }
}

impl RowVisitor for Seen {
    fn visit(&mut self, _: &dyn Row) -> DatabaseResult<()> {
        self.0 = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
