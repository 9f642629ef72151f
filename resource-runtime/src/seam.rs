//! The interface for packages with rows of their own in the database of an API, like
//! `resource-authorization-server`. It is not a stable API: typed access will replace it.
//!
//! A row is a struct with `#[derive(ApiResource)]` that no API serves, so that both databases have the same
//! tables and statements. Its primary key is a text that the package assigns.

use std::collections::HashSet;
use std::future::Future;

use axum::Router;
use resource_model::error::{DatabaseResult, Error};
pub use resource_model::error::{did_you_mean, panic_text, truncate_for_display};
use resource_model::query::{LockMode, RowChange, RowQuery};
use resource_model::schema::{Attribute, Kind};
use resource_model::value::{Key, Value};

use crate::authorization::View;
use crate::http;
pub use crate::http::extract::{Undecodable, form_decoded};
use crate::http::middleware::{Caching, MiddlewareSettings, VariesBy};
use crate::items::Items;
use crate::store::{Isolation, Row, RowVisitor, Transaction};
use crate::{ApiResource, Column, Database, ErrorKind, FieldValue, Operand};

/// Attempts of a transaction that conflicts with others, the first included.
const ATTEMPTS: usize = 3;

/// Rows that one statement deletes at most.
const BATCH: i64 = 1000;

/// Wraps further routes in the middleware of an API: request ids, a log line for each request, a response if a
/// handler panics, and no caching.
pub fn with_middleware(routes: Router, varies_by_origin: bool) -> Router {
    let varies_by = VariesBy {
        origin: varies_by_origin,
        ..VariesBy::default()
    };
    let settings = MiddlewareSettings::new(None, Caching::none(varies_by));
    http::with_middleware(routes, settings)
}

/// The steps of a transaction, which may be retried as a whole.
pub trait TransactionScript: Sync {
    /// The result of the steps.
    type Outcome: Send;

    /// Executes the steps; an error rolls them back.
    fn run(
        &self,
        rows: &mut RowTransaction,
    ) -> impl Future<Output = Result<Self::Outcome, Error>> + Send;
}

/// The rows of a package in a database.
#[derive(Debug, Clone)]
pub struct Rows {
    database: Database,
}

/// A transaction on typed rows.
#[derive(Debug)]
pub struct RowTransaction {
    transaction: Transaction,
}

impl Rows {
    /// The rows in a database.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }

    /// The database.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.database
    }

    /// Runs a script in a transaction, with retries if it conflicts with another transaction.
    pub async fn perform<S: TransactionScript>(&self, script: &S) -> Result<S::Outcome, Error> {
        let mut attempts = 1;
        loop {
            match self.perform_once(script).await {
                // The failed attempt was rolled back as a whole, so its steps can be repeated.
                Err(error) if error.kind() == ErrorKind::Conflict && attempts < ATTEMPTS => {
                    tracing::debug!(%error, "a transaction is retried");
                    attempts += 1;
                }
                result => return result,
            }
        }
    }

    async fn perform_once<S: TransactionScript>(&self, script: &S) -> Result<S::Outcome, Error> {
        // Scripts lock the rows that they read, so they need no snapshot of the whole transaction.
        let transaction = self.database.begin_with(Isolation::ReadCommitted).await?;
        let mut rows = RowTransaction { transaction };
        // An error drops the transaction before the commit, which rolls it back.
        let outcome = script.run(&mut rows).await?;
        rows.transaction.commit_changes().await?;
        Ok(outcome)
    }

    /// Inserts a row.
    pub async fn insert<R: ApiResource>(&self, row: &R) -> Result<(), Error> {
        self.perform(&Insertion(row)).await
    }

    /// The row with this primary key.
    pub async fn get<R: ApiResource<Key = String>>(&self, key: &str) -> Result<Option<R>, Error> {
        Items::new(&self.database).get(key).await
    }

    /// All rows, in the order of their primary keys.
    pub async fn list<R: ApiResource>(&self) -> Result<Vec<R>, Error> {
        // Only small tables are listed, so one page holds all rows.
        Items::new(&self.database).limit(u64::MAX).all().await
    }

    /// The primary keys of the rows whose `column` is at least `bound`.
    pub async fn keys_from<R: ApiResource, T>(
        &self,
        column: Column<R, T>,
        bound: i64,
    ) -> Result<HashSet<String>, Error> {
        let Some(attribute) = column.attribute() else {
            return Ok(HashSet::new());
        };
        let query = RowQuery::KeysFrom {
            definition: R::DEFINITION,
            attribute,
            bound: Value::Integer(bound),
        };
        let collector = || TextKeys(HashSet::new());
        let (TextKeys(keys), _) = self.database.read(query, collector).await?;
        Ok(keys)
    }

    /// Deletes the rows whose `column` is below `bound`, in batches.
    pub async fn delete_below<R: ApiResource, T>(
        &self,
        column: Column<R, T>,
        bound: i64,
    ) -> Result<(), Error> {
        let Some(attribute) = column.attribute() else {
            return Ok(());
        };
        let (dialect, bound) = (self.database.dialect(), Value::Integer(bound));
        let batch = resource_sql::delete_below(dialect, R::DEFINITION, attribute, bound, BATCH);
        self.delete_batches(batch).await
    }

    /// Deletes all rows but the last `most` in the order of `newest`; rows with an empty `mark` are deleted first.
    pub async fn delete_beyond<R: ApiResource, M, N>(
        &self,
        mark: Column<R, M>,
        newest: Column<R, N>,
        most: i64,
    ) -> Result<(), Error> {
        let (Some(mark), Some(newest)) = (mark.attribute(), newest.attribute()) else {
            return Ok(());
        };
        // An empty mark is no bytes at all, which sorts its rows to the end.
        let mark = (mark, Value::Bytes(Vec::new()));
        let dialect = self.database.dialect();
        let batch = resource_sql::delete_beyond(dialect, R::DEFINITION, mark, newest, most, BATCH);
        self.delete_batches(batch).await
    }

    /// Executes the statement until it deletes less than a batch; none, for a resource without a key, does nothing.
    async fn delete_batches(&self, batch: Option<resource_sql::Statement>) -> Result<(), Error> {
        let Some(batch) = batch else {
            return Ok(());
        };
        loop {
            // One transaction for each batch, so that other writers wait for one batch at most.
            let mut transaction = self.database.begin_single()?;
            let deleted = transaction.execute(batch.clone()).await?;
            transaction.commit_changes().await?;
            // A batch that is not full was the last one.
            if deleted < BATCH.unsigned_abs() {
                return Ok(());
            }
        }
    }
}

impl RowTransaction {
    /// Inserts a row.
    pub async fn insert<R: ApiResource>(&mut self, row: &R) -> Result<(), Error> {
        Ok(self.transaction.store(row).await.map(drop)?)
    }

    /// The row with this primary key, locked until the transaction ends.
    pub async fn get_for_update<R: ApiResource<Key = String>>(
        &mut self,
        key: &str,
    ) -> Result<Option<R>, Error> {
        let items = self.transaction.items::<R>();
        items.get_for_update(key).await
    }

    /// The rows whose `column` is `value`.
    pub async fn find_by<R: ApiResource, T: FieldValue, V: Operand<T>>(
        &mut self,
        column: Column<R, T>,
        value: V,
    ) -> Result<Vec<R>, Error> {
        let items = self.transaction.items::<R>().filter(column.eq(value));
        items.limit(u64::MAX).all().await
    }

    /// Replaces the row with the same primary key.
    pub async fn update<R: ApiResource>(&mut self, row: &R) -> Result<(), Error> {
        let mut record = row.to_record();
        let mut attributes = R::ATTRIBUTES.iter();
        let key = attributes.position(Attribute::is_primary_key);
        // The key selects the row, so it is taken out of the values to write.
        let Some(key) = key.and_then(|index| record.take(index)) else {
            return Ok(());
        };
        let update = RowChange::Update {
            view: View::unrestricted(R::DEFINITION),
            key: &Key::from(key),
            record,
            of_other_versions: Vec::new(),
            targets: Vec::new(),
        };
        Ok(self.transaction.change(update).await.map(drop)?)
    }

    /// Deletes the row with this primary key.
    pub async fn delete<R: ApiResource>(&mut self, key: &str) -> Result<(), Error> {
        let deletion = RowChange::Delete {
            view: View::unrestricted(R::DEFINITION),
            key: &text_key(key),
        };
        Ok(self.transaction.change(deletion).await.map(drop)?)
    }

    /// Locks the table against other writers until the transaction ends.
    pub async fn lock_table<R: ApiResource>(&mut self) -> Result<(), Error> {
        // Exclusive mode also keeps out transactions that lock single rows for an update.
        let locked = self
            .transaction
            .lock_table(R::DEFINITION, LockMode::Exclusive);
        Ok(locked.await?)
    }
}

/// The script that inserts one row.
struct Insertion<'row, R>(&'row R);

impl<R: ApiResource> TransactionScript for Insertion<'_, R> {
    type Outcome = ();

    async fn run(&self, rows: &mut RowTransaction) -> Result<(), Error> {
        rows.insert(self.0).await
    }
}

/// Collects the first column of each row, a text key.
struct TextKeys(HashSet<String>);

impl RowVisitor for TextKeys {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        // Keys are texts that the package assigns, so no other value is one of its keys.
        if let Value::Text(key) = row.value(0)?.keep(Kind::Text) {
            self.0.insert(key);
        }
        Ok(())
    }
}

fn text_key(key: &str) -> Key {
    Key::from(Value::Text(key.to_owned()))
}
