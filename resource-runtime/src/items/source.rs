//! The sources of items: whose rows and attributes are seen, and by which connection they are read.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use resource_model::error::{DatabaseResult, Error};
use resource_model::query::{Expected, ListQuery, RowQuery};
use resource_model::schema::{Operation, ResourceDefinition};
use resource_model::value::{Key, Record, RecordError, Values};

use super::projection::Wanted;
use super::transaction::{ReadTransaction, Transaction};
use crate::ApiResource;
use crate::authorization::{Caller, View};
use crate::boxed::BoxFuture;
use crate::store::{Database, DatabaseTransaction, Visited, Visitors};

/// A place to read items from. Only this crate has sources.
pub trait Source: Send {
    /// An item as this source yields it: `R` itself, or for a caller the part of it that they may see.
    type Item<R: ApiResource>: Send + 'static;

    /// The reader of this source.
    #[doc(hidden)]
    fn reader(&mut self) -> Reader<'_>;

    /// The item of values that were read or written.
    #[doc(hidden)]
    fn make<R: ApiResource>(values: &mut Values<'_>) -> Result<Self::Item<R>, RecordError>;

    /// Refuses an operation that the caller of this source may not use; returns the redaction of what they read, none
    /// where nothing is hidden.
    #[doc(hidden)]
    fn permit(&self, _: ResourceType, _: Operation) -> Result<Option<Redaction>, Error> {
        Ok(None)
    }
}

/// A resource without its type: the code of reads and writes that gets it is compiled once, not for each resource.
#[derive(Debug, Clone, Copy)]
pub struct ResourceType {
    pub(crate) id: TypeId,
    /// The name of the struct.
    pub(crate) name: &'static str,
    pub(crate) definition: &'static ResourceDefinition,
}

impl ResourceType {
    pub(super) fn of<R: ApiResource>() -> Self {
        Self {
            id: TypeId::of::<R>(),
            name: std::any::type_name::<R>(),
            definition: R::DEFINITION,
        }
    }
}

/// Takes out of a record what its caller may not see.
#[derive(Clone)]
#[allow(
    missing_debug_implementations,
    reason = "a function has nothing to show"
)]
pub struct Redaction {
    pub(crate) redact: Arc<dyn Fn(Record) -> DatabaseResult<Record> + Send + Sync>,
    /// True where no hook of the developer runs, which might block.
    pub(crate) runs_no_hook: bool,
}

/// A source that items can be written to.
pub trait Sink: Source {
    /// The future of a write.
    #[doc(hidden)]
    type Writing: Future<Output = Result<Written, Error>> + Send + Unpin;

    /// Makes a change.
    #[doc(hidden)]
    fn write(self, write: ItemWrite) -> Self::Writing;
}

/// A source of the developer's own code, which may leave out hooks, and ask for deleted items.
pub trait Privileged: Source {}

/// A source in a transaction that writes, where items can be locked.
pub trait Locking: Privileged {}

impl Locking for &mut Transaction {}
impl<S: Locking> Locking for WithDeleted<S> {}
impl<S: Locking> Locking for WithoutHooks<S> {}

/// A write by the developer's own code.
#[allow(missing_debug_implementations, reason = "the values may be secret")]
pub struct ItemWrite {
    pub(crate) resource: ResourceType,
    pub(crate) change: ItemChange,
    /// True where the validator and the hooks of the resource run.
    pub(crate) with_hooks: bool,
    /// The caller of the system: one who sees deleted items writes them like others, and a deletion removes the row.
    pub(crate) caller: Caller,
}

/// The change of a write.
pub(crate) enum ItemChange {
    /// A new item with these values.
    Create(Record),
    /// New values of the item with this key, where it has the expected ones still.
    Update(Key, Record, Expected),
    /// The deletion of the item with this key, where it has the expected values still.
    Delete(Key, Expected),
    /// New items with these values.
    CreateAll(Vec<Record>),
    /// New values of the items that the query finds.
    UpdateAll(Result<ListQuery, Error>, Record),
    /// The deletion of the items that the query finds.
    DeleteAll(Result<ListQuery, Error>),
    /// An item with these values: a new one, or the one that has the same values of these columns.
    Upsert(Record, Vec<Wanted>),
}

/// The result of a write; what its kind does not return is empty.
#[derive(Default)]
#[allow(missing_debug_implementations, reason = "the values may be secret")]
pub struct Written {
    /// The record of a stored item.
    pub(crate) item: Option<Record>,
    /// The keys of new items, in their order.
    pub(crate) keys: Vec<Key>,
    /// The number of changed items.
    pub(crate) rows: u64,
}

impl Written {
    /// The record of a stored item.
    pub(super) fn into_item(self) -> Result<Record, Error> {
        self.item
            .ok_or_else(|| Error::internal("a write returned no item"))
    }
}

/// The writes of items, which the operations implement.
pub(crate) trait ItemWriter: fmt::Debug + Send + Sync {
    /// Makes a change by the steps of every write, `within` a transaction where there is one, which a failure rolls
    /// back.
    fn write<'write>(
        &'write self,
        write: ItemWrite,
        within: Option<&'write mut Transaction>,
    ) -> BoxFuture<'write, Result<Written, Error>>;
}

/// The developer's own code outside of any transaction, from which no row and no attribute is hidden.
#[derive(Debug, Clone, Copy)]
pub struct System<'api> {
    database: &'api Database,
    writer: &'api dyn ItemWriter,
}

impl<'api> System<'api> {
    pub(crate) const fn new(database: &'api Database, writer: &'api dyn ItemWriter) -> Self {
        Self { database, writer }
    }
}

impl Source for System<'_> {
    type Item<R: ApiResource> = R;

    fn reader(&mut self) -> Reader<'_> {
        Reader::of_database(self.database, &Caller::System)
    }

    fn make<R: ApiResource>(values: &mut Values<'_>) -> Result<R, RecordError> {
        R::from_values(values)
    }
}

impl Privileged for System<'_> {}

impl<'api> Sink for System<'api> {
    type Writing = BoxFuture<'api, Result<Written, Error>>;

    fn write(self, write: ItemWrite) -> Self::Writing {
        self.writer.write(write, None)
    }
}

/// A source whose writes leave out the validator and the hooks of their resource.
#[derive(Debug, Clone, Copy)]
pub struct WithoutHooks<S>(pub(super) S);

impl<S: Privileged> Source for WithoutHooks<S> {
    type Item<R: ApiResource> = S::Item<R>;

    fn reader(&mut self) -> Reader<'_> {
        self.0.reader()
    }

    fn make<R: ApiResource>(values: &mut Values<'_>) -> Result<S::Item<R>, RecordError> {
        S::make::<R>(values)
    }
}

impl<S: Privileged> Privileged for WithoutHooks<S> {}

impl<S: Privileged + Sink> Sink for WithoutHooks<S> {
    type Writing = S::Writing;

    fn write(self, write: ItemWrite) -> Self::Writing {
        self.0.write(ItemWrite {
            with_hooks: false,
            ..write
        })
    }
}

/// A source that has the items that were deleted softly, too.
#[derive(Debug, Clone, Copy)]
pub struct WithDeleted<S>(pub(super) S);

impl<S: Privileged> Source for WithDeleted<S> {
    type Item<R: ApiResource> = S::Item<R>;

    fn reader(&mut self) -> Reader<'_> {
        Reader {
            caller: &Caller::SystemWithDeleted,
            ..self.0.reader()
        }
    }

    fn make<R: ApiResource>(values: &mut Values<'_>) -> Result<S::Item<R>, RecordError> {
        S::make::<R>(values)
    }
}

impl<S: Privileged> Privileged for WithDeleted<S> {}

impl<S: Privileged + Sink> Sink for WithDeleted<S> {
    type Writing = S::Writing;

    fn write(self, write: ItemWrite) -> Self::Writing {
        self.0.write(ItemWrite {
            caller: Caller::SystemWithDeleted,
            ..write
        })
    }
}

impl Source for &mut Transaction {
    type Item<R: ApiResource> = R;

    fn reader(&mut self) -> Reader<'_> {
        Reader {
            connection: Connection::Transaction(self),
            caller: &Caller::System,
        }
    }

    fn make<R: ApiResource>(values: &mut Values<'_>) -> Result<R, RecordError> {
        R::from_values(values)
    }
}

impl<'transaction> Sink for &'transaction mut Transaction {
    type Writing = BoxFuture<'transaction, Result<Written, Error>>;

    fn write(self, write: ItemWrite) -> Self::Writing {
        let writer = Arc::clone(&self.writer);
        Box::pin(async move { writer.write(write, Some(self)).await })
    }
}

impl Privileged for &mut Transaction {}

impl Source for &mut ReadTransaction {
    type Item<R: ApiResource> = R;

    fn reader(&mut self) -> Reader<'_> {
        Reader {
            connection: Connection::Snapshot(&mut self.0),
            caller: &Caller::System,
        }
    }

    fn make<R: ApiResource>(values: &mut Values<'_>) -> Result<R, RecordError> {
        R::from_values(values)
    }
}

impl Privileged for &mut ReadTransaction {}

/// The reads of a source, without the type of the resource: they are compiled once.
#[derive(Debug)]
pub struct Reader<'source> {
    connection: Connection<'source>,
    /// The caller whose rows and attributes are seen.
    pub(super) caller: &'source Caller,
}

/// The place where the rows of a source are read.
#[derive(Debug)]
enum Connection<'source> {
    /// Any connection of the pool.
    Pool(&'source Database),
    /// The connection of a transaction, which the read begins if necessary.
    Transaction(&'source mut Transaction),
    /// The connection of a transaction that only reads.
    Snapshot(&'source mut DatabaseTransaction),
}

/// The future of a read.
type Reading<'read> = BoxFuture<'read, DatabaseResult<Visited>>;

impl<'source> Reader<'source> {
    /// The reader of a caller's rows, by any connection of the pool.
    pub(crate) const fn of_database(database: &'source Database, caller: &'source Caller) -> Self {
        Self {
            connection: Connection::Pool(database),
            caller,
        }
    }

    /// Lends the row of an item with all its columns; locks it where `for_update` is set.
    pub(super) fn item<'read>(
        self,
        definition: &'static ResourceDefinition,
        key: &'read Key,
        for_update: bool,
        visitors: Visitors,
    ) -> Reading<'read>
    where
        'source: 'read,
    {
        let query = RowQuery::WholeItem {
            view: View::new(definition, self.caller),
            key,
            for_update,
        };
        Box::pin(async move {
            let transaction = match self.connection {
                Connection::Pool(database) => return database.lend_item(query, visitors).await,
                Connection::Transaction(transaction) => transaction.begin().await?,
                Connection::Snapshot(transaction) => transaction,
            };
            let mut visitor = visitors();
            transaction.lend_item(query, &mut *visitor).await?;
            Ok((visitor, 0))
        })
    }

    /// Lends the rows of a list; returns their total, of the same snapshot, if it `is_counted`.
    pub(super) fn list<'read>(
        self,
        query: &'read ListQuery,
        definition: &'static ResourceDefinition,
        is_counted: bool,
        visitors: Visitors,
    ) -> Reading<'read>
    where
        'source: 'read,
    {
        let view = View::new(definition, self.caller);
        Box::pin(async move {
            let transaction = match self.connection {
                Connection::Pool(database) => {
                    return database.lend_page(view, query, visitors).await;
                }
                Connection::Transaction(transaction) => transaction.begin().await?,
                Connection::Snapshot(transaction) => transaction,
            };
            let mut visitor = visitors();
            let read = transaction.lend_page(view, query, is_counted, &mut *visitor);
            let total = read.await?;
            Ok((visitor, total))
        })
    }
}
