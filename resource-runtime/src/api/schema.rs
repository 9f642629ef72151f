//! The tables of an API: their creation, their SQL, and their comparison with those in the database.

use std::pin::pin;
use std::time::Duration;

use resource_model::error::{DatabaseFailure, DatabaseResult, Error};
use resource_model::schema::Identifier;
#[cfg(feature = "cli")]
use resource_sql::Statement;
use resource_sql::{self, Dialect};
use tokio::time::timeout;

use super::Api;
use crate::boxed::BoxFuture;
use crate::catalogue::{self, Difference, SchemaReport};
use crate::http::Mount;
use crate::store::TransactionKind;

/// The time after which a step is logged for whoever waits for it.
const LONG: Duration = Duration::from_secs(1);

/// The differences between a database and the definitions, in sentences.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The differences that would make some request fail, each with its table.
    pub(crate) fatal: Vec<(Identifier, String)>,
    pub(crate) tolerable: Vec<(Identifier, String)>,
    /// The stored values that do not fit, and the tables that were not read for them.
    #[cfg(feature = "cli")]
    pub(crate) values: Vec<(Identifier, String)>,
    /// The statements that add what is missing.
    #[cfg(feature = "cli")]
    pub(crate) additions: Vec<Statement>,
    /// Those of them that instances of before can run on, too.
    #[cfg(feature = "cli")]
    pub(crate) expansions: Vec<Statement>,
    /// The fatal differences that remain after the expansions.
    #[cfg(feature = "cli")]
    pub(crate) remaining: Vec<String>,
}

impl Api {
    /// Creates the tables and indexes that the database lacks, in one transaction; what is there
    /// already is left as it is, and [`check_schema`](Self::check_schema) shows whether it fits.
    /// Any number of processes may do so at once, and no time limit of requests applies. While an
    /// index is made on a table that is in use, writes to the table wait for it.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable), [`Conflict`](crate::ErrorKind::Conflict) or
    /// [`Internal`](crate::ErrorKind::Internal): the database cannot be written, for instance.
    pub async fn create_missing_tables(&self) -> Result<(), Error> {
        self.create_boxed().await
    }

    /// The statements that make the tables and their indexes, for a migration: each ends with a
    /// semicolon and a newline, and a table that another references stands before it. Where tables
    /// reference each other in a circle, the last statements close it on PostgreSQL.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database, Dialect};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting {
    ///     id: i64,
    ///     #[resource(max_length = 50, unique)]
    ///     name: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), resource_runtime::Error> {
    /// # let file = std::env::temp_dir().join(format!("schema-sql-{}.db", std::process::id()));
    /// # let url = format!("sqlite://{}", file.display());
    /// let database = Database::connect(&url).await?;
    /// let api = Api::builder().resource::<Setting>().build(database)?;
    /// assert_eq!(api.schema_sql(Dialect::Sqlite), r#"CREATE TABLE "settings" (
    ///   "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    ///   "name" TEXT NOT NULL CHECK (length("name") <= 50),
    ///   UNIQUE ("name")
    /// ) STRICT;
    /// "#);
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn schema_sql(&self, dialect: Dialect) -> String {
        resource_sql::schema_sql(dialect, &self.parts.tables)
    }

    /// The statements that rebuild a table of SQLite as the definitions need it, where no `ALTER TABLE` can: one with
    /// another type, limit, key or constraint. They keep all rows, indexes and triggers, and change nothing unless these
    /// are there again and every reference leads to a row. Run them with `sqlite3 -bail`, or as a migration, while no
    /// service is running, and make a backup before. The guide
    /// [`resources`](crate::guides::resources#rebuild-a-table) shows them.
    ///
    /// # Errors
    ///
    /// [`Configuration`](crate::ErrorKind::Configuration): a table that the API does not have or others made, one that is
    /// missing or lacks a column, and one with a column that no version knows. Others: a database that does not answer.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting {
    ///     id: i64,
    ///     #[resource(max_length = 80)]
    ///     name: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let file = std::env::temp_dir().join(format!("rebuild-{}.db", std::process::id()));
    /// # let url = format!("sqlite://{}", file.display());
    /// let older = rusqlite::Connection::open(&file)?;
    /// older.execute_batch(
    ///     "CREATE TABLE settings (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (length(name) <= 50))",
    /// )?;
    ///
    /// let api = Api::builder().resource::<Setting>().build(Database::connect(&url).await?)?;
    /// assert!(api.check_schema().await.is_err());
    /// older.execute_batch(&api.rebuild_sql("settings").await?)?;
    /// assert!(api.check_schema().await?.is_empty());
    /// # std::fs::remove_file(&file)?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn rebuild_sql(&self, table: &str) -> Result<String, Error> {
        let (database, tables) = (&self.parts.database, &self.parts.tables);
        let stored = database.stored_tables(tables).await?;
        let stored = stored.iter().map(Option::as_ref);
        let tables: Vec<_> = tables.iter().zip(stored).collect();
        let rebuilt = catalogue::rebuild(database.dialect(), &tables, table);
        rebuilt
            .map(|statements| statements.into_parts().0)
            .map_err(Error::configuration)
    }

    /// Compares the tables in the database with what the registered definitions need. Call it
    /// before serving: a service on a table that lacks a column fails at the first request.
    ///
    /// Tolerable differences are in the report and in the log, as warnings: an index that is missing, a
    /// column that may be null where every version requires a value, a primary key that may be assigned a
    /// second time, a sequence that is behind the keys of the rows, a constraint that ends the transaction,
    /// a trigger, and a unique set that only the table has. Wider limits and further columns are no difference at
    /// all, nor is anything that only a write would notice where no client writes.
    ///
    /// SQLite itself enforces no lengths, ranges and names of an enum, only the checks of a table.
    /// Those of the forms `length("name") <= 50`, `"age" BETWEEN 0 AND 150`, `"age" >= 0`,
    /// `CAST("price" AS REAL) <= 99.5`, `"colour" IN ('red', 'green')` and `"colour" = 'red'` are
    /// understood; others are ignored. PostgreSQL enforces lengths and ranges by its types,
    /// too: one that rounds, like `numeric(10, 2)` or `timestamptz(3)`, is another type.
    ///
    /// # Errors
    ///
    /// [`Configuration`](crate::ErrorKind::Configuration):
    /// every difference that would make a request fail, or do what it should not, each with its
    /// remedy: a table or column that is missing or of another type, a column that the database
    /// computes, a limit that is narrower, a key or a unique set that is missing, a foreign key or
    /// a constraint that changes other rows instead of refusing a write, or refuses it late, a
    /// collation of its own, a column that no version has but that wants a value, policies that hide rows, a
    /// privilege that an operation needs. For a table that others made, the remedy changes the model.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "2.0")]
    /// struct Setting {
    ///     id: i64,
    ///     #[resource(max_length = 80)]
    ///     name: String,
    ///     value: Option<String>,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let file = std::env::temp_dir().join(format!("check-schema-{}.db", std::process::id()));
    /// # let url = format!("sqlite://{}", file.display());
    /// let older = rusqlite::Connection::open(&file)?;
    /// older.execute_batch(
    ///     "CREATE TABLE settings (
    ///          id INTEGER PRIMARY KEY,
    ///          name VARCHAR(50) NOT NULL CHECK (length(name) <= 50)
    ///      )",
    /// )?;
    ///
    /// let api = Api::builder().resource::<Setting>().build(Database::connect(&url).await?)?;
    /// let error = api.check_schema().await.unwrap_err();
    /// assert_eq!(error.problems(), [
    ///     "`settings.name` holds at most 50 characters, but `Setting` 2.0 allows 80; \
    ///      rebuild the table by the statements that the command `check --rebuild settings` prints",
    ///     "the table `settings` lacks the column `value`; \
    ///      add it with `ALTER TABLE \"settings\" ADD COLUMN \"value\" TEXT`",
    /// ]);
    /// # std::fs::remove_file(&file)?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn check_schema(&self) -> Result<SchemaReport, Error> {
        self.check_boxed().await
    }

    fn create_boxed(&self) -> BoxFuture<'_, Result<(), Error>> {
        // Boxed, so that this large future is compiled here, and not in each service.
        Box::pin(async move {
            let (database, tables) = (&self.parts.database, &self.parts.tables);
            // The tables are those of a service that writes.
            if self.parts.settings.is_read_only {
                return Ok(());
            }
            let dialect = database.dialect();
            // Usually nothing is missing, which is found without a transaction and its lock.
            let stored = database.stored_tables(tables).await?;
            if resource_sql::create_missing(dialect, tables, &stored).is_empty() {
                return Ok(());
            }
            // An index on a large table takes longer than any request may.
            let begun = async {
                let begun = database.begin_with(TransactionKind::SchemaChange);
                let mut transaction = begun.await?;
                // The lock of creation comes first, so that processes that start together
                // create one after the other.
                for statement in resource_sql::begin_creation(dialect) {
                    transaction.execute(statement).await?;
                }
                Ok::<_, Error>(transaction)
            };
            let waits = "waits for another process that changes the tables or writes to them";
            let mut transaction = logged_if_long(begun, waits).await?;
            // Other processes may have created tables while this transaction waited for the lock.
            let stored = transaction.driver.stored_tables(tables).await?;
            // Planned anew, from what is stored now that the lock is held.
            for statement in resource_sql::create_missing(dialect, tables, &stored) {
                let first_line = statement.text().lines().next().unwrap_or_default();
                let runs = format!("runs `{first_line}`, which may take a while on a large table");
                let created = logged_if_long(transaction.execute(statement), &runs);
                created.await.map_err(uncreated)?;
            }
            // All or nothing: an interrupted start leaves no table without its indexes.
            transaction.commit_changes().await?;
            Ok(())
        })
    }

    fn check_boxed(&self) -> BoxFuture<'_, Result<SchemaReport, Error>> {
        Box::pin(async move {
            let Comparison {
                fatal, tolerable, ..
            } = self.compare_schema().await?;
            // The readiness check need not compare the tables again after a service has done so at its start.
            self.parts.readiness.note_schema(fatal.is_empty());
            // Logged also beside an error, which holds the fatal differences alone.
            for (_, difference) in &tolerable {
                tracing::warn!("{difference}");
            }
            let is_fit = fatal.is_empty();
            let told = if is_fit { tolerable } else { fatal };
            let sentences = told.into_iter().map(|(_, sentence)| sentence).collect();
            if is_fit {
                Ok(SchemaReport::new(sentences))
            } else {
                Err(Error::of_problems(sentences))
            }
        })
    }

    /// Compares as [`check_schema`](Self::check_schema) does, and reports to the caller alone, without log
    /// entries.
    pub(crate) async fn compare_schema(&self) -> DatabaseResult<Comparison> {
        // One look at the catalogue of the database serves differences and additions alike.
        let (database, tables) = (&self.parts.database, &self.parts.tables);
        let stored = database.stored_tables(tables).await?;
        let stored = stored.iter().map(Option::as_ref);
        let tables: Vec<_> = tables.iter().zip(stored).collect();
        let dialect = database.dialect();
        // Additions matter on the command line alone, which prints them beside the differences.
        let mut comparison = Comparison {
            fatal: Vec::new(),
            tolerable: Vec::new(),
            #[cfg(feature = "cli")]
            values: Vec::new(),
            #[cfg(feature = "cli")]
            additions: catalogue::additions(dialect, &tables, true),
            #[cfg(feature = "cli")]
            expansions: catalogue::additions(dialect, &tables, false),
            #[cfg(feature = "cli")]
            remaining: Vec::new(),
        };
        // Definitions give the differences their words: which version needs what.
        let definitions: Vec<_> = self.parts.mounts.iter().map(Mount::definition).collect();
        // Only fatal differences end a start, or fail the readiness check.
        let mut differences = catalogue::differences(dialect, &definitions, tables.iter().copied());
        differences.extend(catalogue::unfit_defaults(database, &definitions, &tables).await?);
        for (table, difference) in differences {
            match difference {
                Difference::Lacking(sentence) => comparison.fatal.push((table, sentence)),
                Difference::Fatal(sentence) => {
                    #[cfg(feature = "cli")]
                    comparison.remaining.push(sentence.clone());
                    comparison.fatal.push((table, sentence));
                }
                Difference::Unfilled {
                    sentence,
                    #[cfg(feature = "cli")]
                    remaining,
                    ..
                } => {
                    #[cfg(feature = "cli")]
                    comparison.remaining.push(remaining);
                    comparison.fatal.push((table, sentence));
                }
                Difference::Tolerable(sentence) => comparison.tolerable.push((table, sentence)),
            }
        }
        Ok(comparison)
    }

    /// Adds the sentences about stored values that do not fit, and about the tables that were not read for them: a column
    /// of another type, or a missing one, would fail the read.
    #[cfg(feature = "cli")]
    pub(crate) async fn compare_values(&self, comparison: &mut Comparison) -> DatabaseResult<()> {
        let definitions: Vec<_> = self.parts.mounts.iter().map(Mount::definition).collect();
        for table in &self.parts.tables {
            let name = table.name;
            let sentences = if comparison.fatal.iter().any(|(it, _)| *it == name) {
                let name = name.as_str();
                vec![format!(
                    "the values in `{name}` were not read, since the table differs as told above; run this again \
                     without these differences"
                )]
            } else {
                let found = catalogue::unfit_values(&self.parts.database, table, &definitions);
                let reads = format!("reads the values in `{}`", name.as_str());
                logged_if_long(found, &reads).await?
            };
            let sentences = sentences.into_iter().map(|it| (name, it));
            comparison.values.extend(sentences);
        }
        Ok(())
    }
}

/// Awaits a step for which somebody may wait, and logs what it does once that takes long. A warning, as a log at its usual
/// level is the only sign of life before the service listens.
async fn logged_if_long<T>(step: impl Future<Output = T>, what: &str) -> T {
    let mut step = pin!(step);
    if let Ok(done) = timeout(LONG, &mut step).await {
        return done;
    }
    tracing::warn!("{what}");
    step.await
}

/// The error of a table or an index that cannot be created: often the role may write rows, and nothing else.
fn uncreated(failure: DatabaseFailure) -> Error {
    match failure {
        DatabaseFailure::Internal(cause) => Error::configuration(format!(
            "the service cannot create what the database lacks ({cause}); let its role create tables, let another \
             role run the statements that `check --sql` prints and start by `--no-create`, or mark tables of others by `existing`"
        )),
        other => other.into(),
    }
}
