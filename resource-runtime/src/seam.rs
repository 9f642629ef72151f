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
use crate::items::Transaction;
use crate::store::{Isolation, Row, RowVisitor};
use crate::{Api, ApiResource, Column, FieldValue, Operand};

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
    api: Api,
}

/// A transaction on typed rows.
#[derive(Debug)]
pub struct RowTransaction {
    transaction: Transaction,
}

impl Rows {
    /// The rows in a database.
    #[must_use]
    pub const fn new(api: Api) -> Self {
        Self { api }
    }

    /// Runs a script in a transaction, with retries if it conflicts with another transaction.
    pub async fn perform<S: TransactionScript>(&self, script: &S) -> Result<S::Outcome, Error> {
        // Scripts lock the rows that they read, so they need no snapshot of the whole transaction.
        let steps = |transaction| async {
            let mut rows = RowTransaction { transaction };
            let outcome = script.run(&mut rows).await?;
            rows.transaction.commit(outcome).await
        };
        self.api
            .transaction_at(Isolation::ReadCommitted, steps)
            .await
    }

    /// Inserts a row.
    pub async fn insert<R: ApiResource>(&self, row: &R) -> Result<(), Error> {
        self.perform(&Insertion(row)).await
    }

    /// The row with this primary key.
    pub async fn get<R: ApiResource<Key = String>>(&self, key: &str) -> Result<Option<R>, Error> {
        self.api.items().get(key).await
    }

    /// All rows, in the order of their primary keys.
    pub async fn list<R: ApiResource>(&self) -> Result<Vec<R>, Error> {
        // Only small tables are listed, so one page holds all rows.
        self.api.items().limit(u64::MAX).all().await
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
        let (TextKeys(keys), _) = self.api.database.read(query, collector).await?;
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
        let (dialect, bound) = (self.api.database.dialect(), Value::Integer(bound));
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
        let dialect = self.api.database.dialect();
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
            let mut transaction = self.api.database.begin_single()?;
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
        let copy =
            R::from_record(row.to_record()).map_err(|error| Error::internal(error.to_string()))?;
        self.transaction
            .items::<R>()
            .without_hooks()
            .insert(copy)
            .await
            .map(drop)
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
        Ok(self
            .transaction
            .begin()
            .await?
            .change(update)
            .await
            .map(drop)?)
    }

    /// Deletes the row with this primary key.
    pub async fn delete<R: ApiResource>(&mut self, key: &str) -> Result<(), Error> {
        let deletion = RowChange::Delete {
            view: View::unrestricted(R::DEFINITION),
            key: &text_key(key),
        };
        Ok(self
            .transaction
            .begin()
            .await?
            .change(deletion)
            .await
            .map(drop)?)
    }

    /// Locks the table against other writers until the transaction ends.
    pub async fn lock_table<R: ApiResource>(&mut self) -> Result<(), Error> {
        // Exclusive mode also keeps out transactions that lock single rows for an update.
        let transaction = self.transaction.begin().await?;
        Ok(transaction
            .lock_table(R::DEFINITION, LockMode::Exclusive)
            .await?)
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
