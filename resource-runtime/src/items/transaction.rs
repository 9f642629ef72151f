//! Transactions of the developer's code and of writes with hooks: reads, writes and hooks that are committed together,
//! and reads of one snapshot.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use resource_model::error::{DatabaseFailure, DatabaseResult, Error};
use resource_model::query::LockMode;
use resource_model::schema::ResourceDefinition;
use tracing::Instrument as _;

use super::{ItemWriter, Items};
use crate::ApiResource;
use crate::boxed::BoxFuture;
use crate::locked::locked;
use crate::store::{Database, DatabaseTransaction, Isolation, TransactionKind};

/// Hooks that write items whose hooks write items, and so on, at most.
const MAX_DEPTH: usize = 8;

/// A transaction: what is read and written in it is committed together or not at all. Dropping it before the commit
/// rolls it back.
///
/// [`Api::transaction`](crate::Api::transaction) runs code in a transaction, and [`Api::begin`](crate::Api::begin)
/// begins one. Validators and hooks get the transaction of their write from
/// [`WriteContext::items`](crate::WriteContext::items) and
/// [`WriteContext::database`](crate::WriteContext::database).
///
/// A statement or a write that fails rolls the transaction back, and all that follows fails: hand errors on by `?`.
pub struct Transaction {
    database: Database,
    pub(super) writer: Arc<dyn ItemWriter>,
    isolation: Isolation,
    /// The table to lock before anything is read.
    lock: Option<(&'static ResourceDefinition, LockMode)>,
    /// Begun when it is first needed.
    begun: Option<DatabaseTransaction>,
    /// Hooks that follow the commit, in the order of their writes.
    after: Vec<HookAfter>,
    /// Number of writes whose hooks are running, each within a hook of the one before.
    depth: usize,
    attempts: Arc<Attempts>,
}

/// A hook that follows the commit.
type HookAfter = Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send + Sync>;

/// The state that all attempts of a transaction share.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    /// The resources that they have read or written.
    touched: Mutex<Vec<&'static ResourceDefinition>>,
    is_committed: AtomicBool,
}

impl Attempts {
    /// Tests whether an attempt was committed, after which none may follow.
    pub(crate) fn is_committed(&self) -> bool {
        self.is_committed.load(Ordering::Acquire)
    }

    fn add(&self, definition: &'static ResourceDefinition) {
        let mut touched = locked(&self.touched);
        let table = definition.table_identifier();
        if touched.iter().all(|it| it.table_identifier() != table) {
            touched.push(definition);
        }
    }

    /// The resources in the order of their tables, in which every transaction locks them.
    fn in_order(&self) -> Vec<&'static ResourceDefinition> {
        let mut touched = locked(&self.touched).clone();
        touched.sort_by_key(|it| it.table_identifier());
        touched
    }
}

/// The proof that a transaction was committed, with the value that it returns.
#[derive(Debug)]
pub struct Committed<T>(T);

impl<T> Committed<T> {
    /// The value that was handed to [`Transaction::commit`].
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl Transaction {
    /// A transaction that begins when it is first needed.
    pub(crate) fn new(database: &Database, writer: Arc<dyn ItemWriter>) -> Self {
        Self {
            database: database.clone(),
            writer,
            isolation: Isolation::Serializable,
            lock: None,
            begun: None,
            after: Vec::new(),
            depth: 0,
            attempts: Arc::default(),
        }
    }

    /// Sets the lock of the table, taken before anything is read, unless the transaction is begun already.
    pub(crate) const fn lock_first(
        &mut self,
        definition: &'static ResourceDefinition,
        mode: LockMode,
    ) {
        self.lock = Some((definition, mode));
    }

    /// Sets the isolation, and notes the resources that are read and written from now on, for a further attempt.
    pub(crate) fn attempt(self, isolation: Isolation, attempts: &Arc<Attempts>) -> Self {
        Self {
            isolation,
            attempts: Arc::clone(attempts),
            ..self
        }
    }

    /// Begins the transaction, unless that is done already. Without another isolation, no concurrent write may change
    /// what it has read.
    pub(crate) async fn begin(&mut self) -> DatabaseResult<&mut DatabaseTransaction> {
        self.begun_at(self.isolation, self.lock).await
    }

    /// Begins the transaction, and locks the tables of all resources that earlier attempts have touched against other
    /// writers.
    pub(crate) async fn begin_exclusive(&mut self) -> DatabaseResult<()> {
        let touched = self.attempts.in_order();
        let transaction = self.begin().await?;
        for definition in touched {
            transaction
                .lock_table(definition, LockMode::Exclusive)
                .await?;
        }
        Ok(())
    }

    /// The transaction that was begun, at its isolation; one that begins here is read committed and locks no table.
    pub(crate) async fn begun_or_read_committed(
        &mut self,
    ) -> DatabaseResult<&mut DatabaseTransaction> {
        self.begun_at(Isolation::ReadCommitted, None).await
    }

    async fn begun_at(
        &mut self,
        isolation: Isolation,
        lock: Option<(&'static ResourceDefinition, LockMode)>,
    ) -> DatabaseResult<&mut DatabaseTransaction> {
        match &mut self.begun {
            // All changes belong to one transaction, which keeps the isolation that it began with.
            Some(transaction) => Ok(transaction),
            none => {
                let kind = TransactionKind::Write(isolation);
                let mut transaction = self.database.begin_with(kind).await?;
                // Before the first read: a waiter then holds no snapshot that a write could invalidate.
                if let Some((definition, mode)) = lock {
                    transaction.lock_table(definition, mode).await?;
                }
                // Stored only once the lock is held: a failure drops the transaction, which rolls it back.
                Ok(none.insert(transaction))
            }
        }
    }

    pub(crate) const fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// The transaction for the last change before the commit; a single statement where none is begun.
    pub(crate) fn begun_or_single(&mut self) -> DatabaseResult<&mut DatabaseTransaction> {
        match &mut self.begun {
            Some(transaction) => Ok(transaction),
            none => Ok(none.insert(self.database.begin_single()?)),
        }
    }

    /// Rolls back because of `failure`, which later statements report.
    pub(crate) fn roll_back(&mut self, failure: DatabaseFailure) {
        if let Some(transaction) = &mut self.begun {
            transaction.rolled_back_by(failure);
        }
    }

    /// Calls `hook` once the transaction is committed.
    pub(crate) fn after_commit(
        &mut self,
        hook: impl FnOnce() -> BoxFuture<'static, ()> + Send + Sync + 'static,
    ) {
        self.after.push(Box::new(hook));
    }

    /// Enters the hooks of a write; fails where hooks write items without an end.
    pub(crate) fn enter_hooks(&mut self) -> DatabaseResult<()> {
        if self.depth >= MAX_DEPTH {
            return Err(DatabaseFailure::internal(format!(
                "hooks write items whose hooks write items, {MAX_DEPTH} deep; write the innermost by `without_hooks()`"
            )));
        }
        self.depth += 1;
        Ok(())
    }

    /// Leaves the hooks of a write.
    pub(crate) const fn leave_hooks(&mut self) {
        self.depth -= 1;
    }

    /// Commits, and calls the hooks that follow.
    pub(crate) async fn commit_changes(self) -> DatabaseResult<()> {
        if self.depth > 0 {
            let failure = "the future of a write was dropped while its hooks ran";
            return Err(DatabaseFailure::internal(failure));
        }
        if let Some(transaction) = self.begun {
            transaction.commit_changes().await?;
            self.attempts.is_committed.store(true, Ordering::Release);
        }
        for hook in self.after {
            hook().await;
        }
        Ok(())
    }

    /// The items of `R` as the transaction sees them, with its own changes; no row and no attribute is hidden. Writes
    /// run the model's checks, validators and hooks, in this transaction; hooks *after* wait for its commit.
    ///
    /// ```
    /// # use resource_runtime::{ApiResource, HookResult, Messages, Validator, WriteContext};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Note", url = "/notes", version = "1.0")]
    /// # struct Note { id: i64, author: String }
    /// /// A rule about several items: at most three notes of one author.
    /// async fn check_number(
    ///     note: &Note,
    ///     context: &mut WriteContext<'_, Note>,
    ///     messages: &mut Messages<Note>,
    /// ) -> HookResult {
    ///     let notes = context.database().await?.items::<Note>();
    ///     if notes.filter(Note::AUTHOR.eq(&note.author)).count().await? >= 3 {
    ///         messages.about(Note::AUTHOR, "has three notes already");
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn items<R: ApiResource>(&mut self) -> Items<R, &mut Self> {
        self.attempts.add(R::DEFINITION);
        Items::new(self)
    }

    /// The connection of a transaction on SQLite, for your own SQL; `None` on another database.
    ///
    /// Leave `COMMIT` and `ROLLBACK` out of your SQL: `commit` and drop send them, or the service does for a hook. If
    /// your SQL does so, or makes the database do so, the service executes no further statement and the commit fails;
    /// statements that you still send on the same connection commit by themselves. The connection is closed
    /// afterwards (on PostgreSQL its session is reset), so that your settings reach no other request. `None` once a
    /// statement has ended the transaction.
    ///
    /// ```
    /// use resource_runtime::{HookError, Transaction, sqlx};
    ///
    /// async fn notes(transaction: &mut Transaction) -> Result<i64, HookError> {
    ///     let connection = transaction.sqlite().ok_or_else(|| HookError::failed("no SQLite"))?;
    ///     let count = sqlx::query_scalar("SELECT COUNT(*) FROM notes");
    ///     Ok(count.fetch_one(connection).await?)
    /// }
    /// ```
    #[cfg(feature = "sqlite")]
    pub fn sqlite(&mut self) -> Option<&mut sqlx::SqliteConnection> {
        self.begun.as_mut()?.driver.sqlite()
    }

    /// The connection of a transaction on PostgreSQL, as [`sqlite`](Self::sqlite) is on SQLite.
    #[cfg(feature = "postgres")]
    pub fn postgres(&mut self) -> Option<&mut sqlx::PgConnection> {
        self.begun.as_mut()?.driver.postgres()
    }

    /// Commits the transaction, and calls the hooks *after* of its writes; returns `value` as
    /// [`Api::transaction`](crate::Api::transaction) wants it.
    ///
    /// # Errors
    ///
    /// Those of a write, for constraints that are deferred, and
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown), the only one after which changes may be durable. Where
    /// the error of an earlier statement was ignored, that error again, or
    /// [`Internal`](crate::ErrorKind::Internal).
    pub async fn commit<T>(self, value: T) -> Result<Committed<T>, Error> {
        if self.after.is_empty() {
            self.commit_changes().await?;
        } else {
            // In a task of its own: the hooks follow even if the client of a handler disconnects meanwhile.
            let committed = tokio::spawn(self.commit_changes().in_current_span()).await;
            committed.map_err(DatabaseFailure::outcome_unknown)??;
        }
        Ok(Committed(value))
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Transaction")
            .field("begun", &self.begun)
            .finish_non_exhaustive()
    }
}

/// Reads of one snapshot: none of them sees a change that was committed after the first. Dropping it ends it.
///
/// [`Api::read`](crate::Api::read) begins it. It keeps no writer waiting, and has no methods that write.
#[derive(Debug)]
pub struct ReadTransaction(pub(crate) DatabaseTransaction);

impl ReadTransaction {
    /// The items of `R` as the snapshot has them; no row and no attribute is hidden.
    pub const fn items<R: ApiResource>(&mut self) -> Items<R, &mut Self> {
        Items::new(self)
    }

    /// The connection of the snapshot on SQLite, for queries of your own, such as sums and groups; `None` on another
    /// database, and once a statement has ended the snapshot. The transaction is read-only. Leave `COMMIT` and `ROLLBACK`
    /// out: what follows them is outside of it, and later reads of items fail. The connection is closed afterwards (on
    /// PostgreSQL its session is reset), so that your settings reach no other request.
    ///
    /// ```
    /// # use resource_runtime::{Api, sqlx};
    /// async fn longest(api: &Api) -> Result<Option<i64>, Box<dyn std::error::Error + Send + Sync>> {
    ///     let mut snapshot = api.read().await?;
    ///     let connection = snapshot.sqlite().ok_or("no SQLite")?;
    ///     Ok(sqlx::query_scalar("SELECT MAX(seconds) FROM tracks").fetch_one(connection).await?)
    /// }
    /// ```
    #[cfg(feature = "sqlite")]
    pub fn sqlite(&mut self) -> Option<&mut sqlx::SqliteConnection> {
        self.0.driver.sqlite()
    }

    /// The connection of the snapshot on PostgreSQL, as [`sqlite`](Self::sqlite) is on SQLite.
    #[cfg(feature = "postgres")]
    pub fn postgres(&mut self) -> Option<&mut sqlx::PgConnection> {
        self.0.driver.postgres()
    }
}
