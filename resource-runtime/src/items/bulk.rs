//! Writes of many items at once from Rust, without hooks.

use resource_model::error::Error;
use resource_model::query::ListQuery;
use resource_model::value::ItemKey as _;

use super::source::{ItemChange, Privileged, Sink, WithDeleted, WithoutHooks, Written};
use super::write::{Update, WriteFuture, made, write};
use super::{Items, Projection, Query};
use crate::{ApiResource, Draft};

/// Sinks of writes without hooks: those of `without_hooks()`.
#[diagnostic::on_unimplemented(
    message = "a write of many items runs no validator and no hooks, and this source does",
    label = "call `.without_hooks()` on the items before",
    note = "`api.items::<R>().without_hooks()` leaves the validator and the hooks out; the model is checked all the same"
)]
pub trait BulkSink: Sink {}

impl<S: Privileged + Sink> BulkSink for WithoutHooks<S> {}
#[diagnostic::do_not_recommend]
impl<S: Privileged + BulkSink> BulkSink for WithDeleted<S> {}

/// The items of a query, or the error of the query.
type Found = Result<ListQuery, Error>;

impl<R: ApiResource, S: Sink> Items<R, S> {
    /// Stores new items, and returns their keys in the order of the items. Values stand as they are, but for a key that
    /// the database assigns.
    ///
    /// The model is checked for all of them before any is stored. They are written in chunks of 1,000 rows or 4 MiB,
    /// between which others write. Outside of a transaction the chunks before a failure stay:
    /// [`Error::rows_stored`] and [`Error::failed_row`] tell how far it came. Within a transaction all is undone
    /// with it.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, name: String }
    /// async fn import(api: &Api, names: Vec<String>) -> Result<Vec<i64>, Error> {
    ///     let tracks = names.into_iter().map(|name| Track { id: 0, name });
    ///     api.items().without_hooks().insert_all(tracks).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`insert`](Self::insert).
    pub fn insert_all(
        self,
        items: impl IntoIterator<Item: Into<Draft<R>>>,
    ) -> WriteFuture<S::Writing, Vec<R::Key>>
    where
        S: BulkSink,
    {
        let records = items.into_iter().map(|item| item.into().into_record());
        let change = ItemChange::CreateAll(records.collect());
        write::<R, S, _>(self.source, change, keys::<R>)
    }

    /// Stores a new item; or, where an item has the same values of `columns` already, sets all other attributes of that
    /// item but its key: those that a draft leaves out become null or their default, or the default on update. Returns the
    /// item as a new one is written. `columns` are those of a unique set: one column, or a tuple.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, #[resource(unique)] name: String, plays: i64 }
    /// async fn count(api: &Api, name: String, plays: i64) -> Result<Track, Error> {
    ///     let tracks = api.items::<Track>().without_hooks();
    ///     tracks.upsert(Track::NAME, Track { id: 0, name, plays }).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`insert`](Self::insert), and [`Configuration`](crate::ErrorKind::Configuration) where the columns are
    /// no unique set, which the error lists.
    pub fn upsert(
        self,
        columns: impl Projection<R>,
        item: impl Into<Draft<R>>,
    ) -> WriteFuture<S::Writing, R>
    where
        S: BulkSink,
    {
        let mut wanted = Vec::new();
        columns.visit(&mut wanted);
        let change = ItemChange::Upsert(item.into().into_record(), wanted);
        write::<R, S, _>(self.source, change, |written| {
            made(R::DEFINITION, R::from_values, written)
        })
    }
}

impl<R: ApiResource, S: Sink> Query<R, S> {
    /// Changes all items of the query by one statement, all or none, once the [`Update`] is awaited; returns their
    /// number. On SQLite other writers wait for it: change very many items by several queries.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, name: String, seconds: Option<i64> }
    /// async fn forget_lengths(api: &Api) -> Result<u64, Error> {
    ///     let tracks = api.items::<Track>().without_hooks();
    ///     let empty = tracks.filter(Track::SECONDS.eq(0));
    ///     empty.update_all().set(Track::SECONDS, None).await
    /// }
    /// ```
    ///
    /// Its errors are those of [`Items::update`], except that no item is no error, and those of
    /// [`delete_all`](Self::delete_all).
    pub fn update_all(mut self) -> Update<R, S, Found>
    where
        S: BulkSink,
    {
        let found = self.resolve_all();
        Update::new(self.source, found)
    }

    /// Deletes all items of the query, and returns their number. Outside of a transaction 1,000 are deleted at a time,
    /// between which others write; the batches before a failure stay deleted, and [`Error::rows_stored`] counts them.
    ///
    /// # Errors
    ///
    /// Those of [`Items::delete`], [`Refused`](crate::ErrorKind::Refused) for a filter with a value that the attribute
    /// cannot have, and [`Configuration`](crate::ErrorKind::Configuration) for a query with an order or an offset.
    pub fn delete_all(mut self) -> WriteFuture<S::Writing, u64>
    where
        S: BulkSink,
    {
        let change = ItemChange::DeleteAll(self.resolve_all());
        write::<R, S, _>(self.source, change, |written| Ok(written.rows))
    }
}

impl<R: ApiResource, S: Sink> IntoFuture for Update<R, S, Found> {
    type Output = Result<u64, Error>;
    type IntoFuture = WriteFuture<S::Writing, u64>;

    fn into_future(self) -> Self::IntoFuture {
        let change = ItemChange::UpdateAll(self.of, self.record);
        write::<R, S, _>(self.sink, change, |written| Ok(written.rows))
    }
}

/// The typed keys of new items.
fn keys<R: ApiResource>(written: Written) -> Result<Vec<R::Key>, Error> {
    let keys = written.keys.into_iter().map(R::Key::from_key);
    let keys: Result<_, _> = keys.collect();
    keys.map_err(|error| Error::internal(format!("the database returned a key that {error}")))
}
