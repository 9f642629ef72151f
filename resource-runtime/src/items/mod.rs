//! Typed access to items from Rust, by the same planner and the same steps as requests of clients.
//!
//! [`Api::items`](crate::Api::items) is the way in. The other types of this module are what its methods return, and
//! bounds of their arguments.

mod bulk;
mod projection;
mod query;
mod read;
mod source;
mod transaction;
mod write;

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{self, Poll};

pub use bulk::BulkSink;
pub use projection::Projection;
pub(crate) use projection::Wanted;
pub use query::{Limit, Limited, Page, Query, Select, Unlimited};
use read::{Collector, Rows, collector, item};
pub use resource_model::column::{Own, Reached};
use resource_model::error::{ApiError, DatabaseFailure, Error};
use resource_model::schema::ResourceDefinition;
use resource_model::value::{Key, RecordError};
pub(crate) use source::{ItemChange, ItemWriter};
#[doc(hidden)]
pub use source::{ItemWrite, Reader, Redaction, ResourceType, Written};
pub use source::{Locking, Privileged, Sink, Source, System, WithDeleted, WithoutHooks};
pub(crate) use transaction::Attempts;
pub use transaction::{Committed, ReadTransaction, Transaction};
pub use write::{Deletion, Update, WriteFuture};

use crate::failure::Failure;
use crate::store::misfit;
use crate::{ApiResource, Filter, KeyOperand, Order};

/// The items of a resource, as their source sees them: for [`Api::items`](crate::Api::items), all items with all
/// attributes.
///
/// ```
/// use resource_runtime::{Api, ApiResource, Database, Error};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Track", url = "/tracks", version = "1.0")]
/// struct Track {
///     id: i64,
///     name: String,
///     seconds: Option<i64>,
/// }
///
/// async fn long_tracks(api: &Api) -> Result<Vec<Track>, Error> {
///     let tracks = api.items::<Track>();
///     println!("{} tracks", tracks.count().await?);
///     let long = tracks.filter(Track::SECONDS.gt(600)).order_by(Track::NAME.asc());
///     long.limit(20).all().await
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// # let file = std::env::temp_dir().join(format!("items-{}.db", std::process::id()));
/// # let database = Database::connect(&format!("sqlite://{}", file.display())).await?;
/// # let api = Api::builder().resource::<Track>().build(database.clone())?;
/// # api.create_missing_tables().await?;
/// # assert!(long_tracks(&api).await?.is_empty());
/// # let echoes = Track { id: 0, name: "Echoes".into(), seconds: Some(1411) };
/// # api.items().insert(echoes).await?;
/// # assert_eq!(long_tracks(&api).await?[0].name, "Echoes");
/// # drop((api, database));
/// # for end in ["", "-wal", "-shm"] {
/// #     let _ = std::fs::remove_file(format!("{}{end}", file.display()));
/// # }
/// # Ok(())
/// # }
/// ```
pub struct Items<R, S> {
    source: S,
    resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource, S: Source> Items<R, S> {
    pub(crate) const fn new(source: S) -> Self {
        Self {
            source,
            resource: PhantomData,
        }
    }

    /// The item whose primary key is `key`; none if there is no such item.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable) where the database is not reachable or not free in time, and
    /// [`Internal`](crate::ErrorKind::Internal) where the stored item is no `R`.
    pub fn get(
        self,
        key: impl KeyOperand<R::Key>,
    ) -> impl Future<Output = Result<Option<S::Item<R>>, Error>> + Send {
        self.find(key.into_key(), false)
    }

    /// The item whose primary key is `key`, which has to be there: where a client names it, `?` answers 404.
    ///
    /// ```
    /// use resource_runtime::handlers::{Access, Partial, Path, Reply};
    /// use resource_runtime::{ApiResource, Error};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// struct Track { id: i64, #[resource(read_only, default = false)] is_played: bool }
    ///
    /// async fn play(access: Access, Path(id): Path<i64>) -> Result<Reply<Partial<Track>>, Error> {
    ///     // Whoever may not see the track is refused before the write.
    ///     access.items::<Track>().require(id).await?;
    ///     access.api().items::<Track>().update(id).set(Track::IS_PLAYED, true).await?;
    ///     Ok(Reply::ok(access.items::<Track>().require(id).await?))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::ErrorKind::NotFound) if there is no such item, in the words of the resource (the code 10001),
    /// and those of [`get`](Self::get).
    pub fn require(
        self,
        key: impl KeyOperand<R::Key>,
    ) -> impl Future<Output = Result<S::Item<R>, Error>> + Send {
        let key = key.into_key();
        let found = self.find(key.clone(), false);
        async move {
            let missing = || ApiError::no_such_item(R::DEFINITION.name(), &key.to_string());
            found.await?.ok_or_else(|| Failure::from(missing()).into())
        }
    }

    fn find(
        self,
        key: Key,
        for_update: bool,
    ) -> impl Future<Output = Result<Option<S::Item<R>>, Error>> + Send {
        let collector: Collector = || collector(S::make::<R>);
        let found = item(
            self.source,
            ResourceType::of::<R>(),
            key,
            for_update,
            collector,
        );
        TypedFuture(Box::pin(found), Rows::into_first)
    }

    /// The same items and those that were deleted, where `#[resource(soft_delete)]` keeps them. Of these items, an
    /// update may make a deletion undone, and a deletion removes the row.
    ///
    /// ```
    /// # use chrono::{DateTime, Utc};
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, #[resource(soft_delete)] deleted_at: Option<DateTime<Utc>> }
    /// async fn restore(api: &Api, track: i64) -> Result<(), Error> {
    ///     let tracks = api.items::<Track>().with_deleted();
    ///     tracks.update(track).set(Track::DELETED_AT, None).await
    /// }
    /// ```
    ///
    /// An update that makes a deletion undone fails as [`NotUnique`](crate::ErrorKind::NotUnique) where another item has
    /// got the same values of a unique set since, and as [`MissingReference`](crate::ErrorKind::MissingReference) while an
    /// item that it refers to is deleted, like a new item.
    pub fn with_deleted(self) -> Items<R, WithDeleted<S>>
    where
        S: Privileged,
    {
        Items::new(WithDeleted(self.source))
    }

    /// All items, to filter, order and limit.
    pub fn query(self) -> Query<R, S> {
        Query::new(self.source)
    }

    /// The items for which `filter` holds.
    pub fn filter(self, filter: Filter<R>) -> Query<R, S> {
        self.query().filter(filter)
    }

    /// The items in this order.
    pub fn order_by(self, order: Order<R>) -> Query<R, S> {
        self.query().order_by(order)
    }

    /// The first `items` items, in the order of their primary keys unless [`Query::order_by`] gives another.
    pub fn limit(self, items: u64) -> Query<R, S, Limit> {
        self.query().limit(items)
    }

    /// The item with the smallest primary key; none if there is no item.
    ///
    /// # Errors
    ///
    /// Those of [`Query::all`].
    pub fn first(self) -> impl Future<Output = Result<Option<S::Item<R>>, Error>> + Send {
        self.query().first()
    }

    /// Tests whether there is any item.
    ///
    /// # Errors
    ///
    /// Those of [`Query::all`].
    pub fn exists(self) -> impl Future<Output = Result<bool, Error>> + Send {
        self.query().exists()
    }

    /// The number of items.
    ///
    /// # Errors
    ///
    /// Those of [`Query::all`].
    pub fn count(self) -> impl Future<Output = Result<u64, Error>> + Send {
        self.query().count()
    }
}

impl<R: ApiResource, S: Locking> Items<R, S> {
    /// The item whose primary key is `key`, locked against writes of others until the transaction ends; behind
    /// [`with_deleted`](Self::with_deleted), a deleted one, too.
    ///
    /// # Errors
    ///
    /// Those of [`get`](Self::get), and [`Conflict`](crate::ErrorKind::Conflict) with another transaction.
    pub fn get_for_update(
        self,
        key: impl KeyOperand<R::Key>,
    ) -> impl Future<Output = Result<Option<S::Item<R>>, Error>> + Send {
        self.find(key.into_key(), true)
    }
}

impl<R, S: Clone> Clone for Items<R, S> {
    fn clone(&self) -> Self {
        Self {
            source: self.source.clone(),
            resource: PhantomData,
        }
    }
}

impl<R, S: Copy> Copy for Items<R, S> {}

impl<R: ApiResource, S> fmt::Debug for Items<R, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = R::DEFINITION.name();
        formatter.debug_tuple("Items").field(&resource).finish()
    }
}

/// The future of a read or a write, whose result becomes a `T`.
#[derive(Debug)]
#[must_use = "a future does nothing until it is awaited"]
pub struct TypedFuture<F, X, T>(F, fn(X) -> Result<T, Error>);

impl<F: Future<Output = Result<X, Error>> + Unpin, X, T> Future for TypedFuture<F, X, T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        // No combinators: this code is compiled for each resource.
        match Pin::new(&mut this.0).poll(context) {
            Poll::Ready(Ok(result)) => Poll::Ready((this.1)(result)),
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// The failure of a row that another program, or another version of the struct, has written.
/// The value of the attribute at this index is none.
pub(crate) fn unreadable(
    definition: &ResourceDefinition,
    index: usize,
    key: Option<Key>,
    error: &RecordError,
) -> DatabaseFailure {
    let table = definition.table_identifier();
    match definition.all_attributes().get(index) {
        Some(attribute) => misfit(table, attribute, key, error),
        None => DatabaseFailure::internal(format!("`{}`: {error}", table.as_str())),
    }
}
