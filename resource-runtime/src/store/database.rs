//! The public handle of a database, and the typed reads of operations.

use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult, Error};
use resource_model::query::{ListQuery, Lookup, RowQuery};
#[cfg(feature = "catalogue")]
use resource_model::schema::Identifier;
use resource_model::schema::{StoredTable, Table};
use resource_sql::{self, Dialect};

#[cfg(feature = "sqlite")]
use super::Durability;
#[cfg(feature = "metrics")]
use super::PoolStats;
use super::driver::{Driver, ReadKind, TransactionKind, Visited, Visitors};
#[cfg(feature = "postgres")]
use super::postgres::PostgresDatabase;
use super::row::no_values;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteDatabase;
use super::{DatabaseOptions, DatabaseTransaction, RowVisitor, restored};
use crate::authorization::View;
use crate::boxed::BoxFuture;

/// An open database; clones share its connections.
#[derive(Debug, Clone)]
pub struct Database {
    /// None where an API is only described and never served.
    driver: Option<Arc<dyn Driver>>,
    /// True where writes are refused before they begin.
    pub(crate) is_read_only: bool,
}

impl Database {
    /// Opens the database that `url` names: a SQLite file, `sqlite://<path>`, or, with the feature
    /// `postgres`, one of a PostgreSQL server, `postgres://<user>:<password>@<host>:<port>/<database>`.
    ///
    /// A missing SQLite file is created, readable by its owner alone, unless the URL has `mode=rw`, or `mode=ro`
    /// for a file that takes no writes. The file is in WAL mode with foreign keys enforced; one connection writes
    /// at a time, several read. Any number of processes may open the same file. Dropping the last clone
    /// checkpoints the WAL into the file, and waits up to 20 seconds for running reads and writes.
    ///
    /// A PostgreSQL server is reached through a pool of [`connections`](DatabaseOptions::connections) that
    /// survives restarts of the server. Of the URL's parameters, `sslmode=verify-full` demands TLS with a
    /// certificate that the machine's roots, or those in the file of `sslrootcert`, have signed, and `options`
    /// has settings of the session: `options=-c%20search_path%3Dshop`. The URL may name
    /// [several hosts](crate::guides::databases#several-hosts), of which one that suits serves:
    /// `postgres://shop@db1,db2/shop?target_session_attrs=read-write`.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable): no server that suits can be reached within
    /// [`acquire_timeout`](DatabaseOptions::acquire_timeout).
    ///
    /// [`Configuration`](crate::ErrorKind::Configuration): an unknown scheme or parameter; a SQLite database in memory (each
    /// connection would have its own), or a file that cannot be opened; a server that refuses the role or its
    /// password, a database with another encoding than UTF8, and a connection pooler that breaks prepared
    /// statements or does not pass settings of the URL on to the server.
    ///
    /// ```
    /// use resource_runtime::Database;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), resource_runtime::Error> {
    /// # let folder = std::env::temp_dir().join(format!("resource-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// # std::env::set_current_dir(&folder).unwrap();
    /// let database = Database::connect("sqlite://settings.db").await?;
    /// # drop(database);
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// ```no_run
    /// use resource_runtime::Database;
    ///
    /// # async fn example() -> Result<(), resource_runtime::Error> {
    /// let url = "postgres://shop@db.example.com/shop?sslmode=verify-full";
    /// let database = Database::connect(url).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn connect(url: &str) -> Result<Self, Error> {
        Self::options().connect(url).await
    }

    /// Creates a database of SQLite for a test: a file in the system's folder of temporary files, which is removed with
    /// the last clone. A power cut may lose its writes.
    ///
    /// It is no database in memory, whose readers would wait for an open write, as those of a file do not.
    ///
    /// # Errors
    ///
    /// [`Configuration`](crate::ErrorKind::Configuration): the folder takes no files.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting { id: i64 }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), resource_runtime::Error> {
    /// let database = Database::temporary().await?;
    /// let api = Api::builder().resource::<Setting>().build(database)?;
    /// api.create_missing_tables().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "sqlite")]
    pub async fn temporary() -> Result<Self, Error> {
        let options = Self::options().durability(Durability::ProcessCrash);
        let driver = Arc::new(SqliteDatabase::temporary(&options).await?);
        Ok(Self {
            driver: Some(driver),
            is_read_only: false,
        })
    }

    /// Settings to change before connecting.
    ///
    /// ```no_run
    /// use resource_runtime::{Database, Durability};
    ///
    /// # async fn example() -> Result<(), resource_runtime::Error> {
    /// let database = Database::options()
    ///     .durability(Durability::ProcessCrash)
    ///     .connect("sqlite://settings.db")
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn options() -> DatabaseOptions {
        DatabaseOptions::new()
    }

    /// The options to open the SQLite file at `url` on a connection of your own, for instance for migrations:
    /// they enforce foreign keys, and have the collation of decimals that indexes need. If the URL has
    /// `mode=rwc`, a missing file is created, readable by its owner alone.
    ///
    /// # Errors
    ///
    /// A URL that [`connect`](Self::connect) refuses, and a file that cannot be created.
    ///
    /// ```
    /// use resource_runtime::{Database, sqlx};
    /// use sqlx::Connection as _;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let file = std::env::temp_dir().join(format!("options-{}.db", std::process::id()));
    /// # let url = format!("sqlite://{}?mode=rwc", file.display());
    /// let options = Database::sqlite_options(&url)?;
    /// let mut connection = sqlx::SqliteConnection::connect_with(&options).await?;
    /// let table = "CREATE TABLE wares (price TEXT); CREATE INDEX dear ON wares (price COLLATE decimal)";
    /// sqlx::raw_sql(table).execute(&mut connection).await?;
    /// # connection.close().await?;
    /// # std::fs::remove_file(&file)?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "sqlite")]
    pub fn sqlite_options(url: &str) -> Result<sqlx::sqlite::SqliteConnectOptions, Error> {
        super::sqlite::connect::options_for_application(url)
    }

    /// The path of the SQLite file that `url` names.
    #[cfg(all(feature = "sqlite", feature = "cli"))]
    pub(crate) fn sqlite_file(url: &str) -> Result<std::path::PathBuf, Error> {
        let file = super::sqlite::connect::parse(url)?;
        Ok(file.get_filename().to_owned())
    }

    /// Opens the database with the driver of the URL's scheme.
    pub(super) fn open<'open>(
        url: &'open str,
        options: &'open DatabaseOptions,
    ) -> BoxFuture<'open, Result<Self, Error>> {
        Box::pin(async move {
            // By the text before the colon alone: each driver parses the rest of the URL by its own rules.
            let driver: Arc<dyn Driver> = match url.split_once(':').map(|(scheme, _)| scheme) {
                #[cfg(feature = "postgres")]
                Some("postgres" | "postgresql") => {
                    Arc::new(PostgresDatabase::open(url, options).await?)
                }
                #[cfg(feature = "sqlite")]
                Some("sqlite") => Arc::new(SqliteDatabase::open(url, options).await?),
                _ => return Err(unknown_scheme(url)),
            };
            Ok(Self {
                driver: Some(driver),
                is_read_only: false,
            })
        })
    }

    /// The driver, for writes.
    fn writing_driver(&self) -> DatabaseResult<&Arc<dyn Driver>> {
        if self.is_read_only {
            let cause = "the API was built with `read_only`";
            return Err(DatabaseFailure::unavailable(cause));
        }
        self.driver()
    }

    /// A placeholder for commands that describe an API without serving it.
    #[cfg(feature = "cli")]
    pub(crate) const fn absent() -> Self {
        Self {
            driver: None,
            is_read_only: false,
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        let driver = self.driver.as_ref();
        driver.map_or(Dialect::Sqlite, |driver| driver.dialect())
    }

    /// Statistics of the connection pools.
    #[cfg(feature = "metrics")]
    pub(crate) fn pools(&self) -> Vec<PoolStats> {
        let driver = self.driver.as_ref();
        driver.map(|driver| driver.pools()).unwrap_or_default()
    }

    /// The driver, for what it does as it is asked.
    pub(crate) fn driver(&self) -> DatabaseResult<&Arc<dyn Driver>> {
        // Only `absent()` has no driver, whose commands send nothing to a database.
        let absent = || DatabaseFailure::unavailable(String::from("there is no database"));
        self.driver.as_ref().ok_or_else(absent)
    }

    /// Lends the row of one item to a visitor; none if there is no such item.
    pub(crate) async fn read_item<V: RowVisitor>(
        &self,
        query: RowQuery<'_>,
        visitor: impl Fn() -> V + Send + Sync + 'static,
    ) -> DatabaseResult<Option<V>> {
        let (visitor, rows) = typed(self.lend_item(query, erased(visitor)).await?)?;
        Ok((rows > 0).then_some(visitor))
    }

    /// Lends the row of one item to a visitor; returns the number of rows, at most one, or one for each
    /// item of its collection.
    pub(crate) async fn lend_item(
        &self,
        query: RowQuery<'_>,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        let driver = self.driver()?;
        let repeats =
            matches!(query, RowQuery::Item { selection: Some(it), .. } if it.repeats_items());
        let kind = if resource_sql::has_few_keys(&query) {
            ReadKind::FewKeys
        } else {
            ReadKind::Item
        };
        let statement = resource_sql::select(driver.dialect(), query);
        match driver.read(statement, kind, visitors).await? {
            // The table lacks the unique key that the definition has.
            (_, several) if several > 1 && !repeats => Err(DatabaseFailure::ambiguous(several)),
            found => Ok(found),
        }
    }

    /// Lends the rows of a page to a visitor, and returns the total of the same snapshot, or the number of rows where the
    /// query is not counted. The future borrows nothing.
    pub(crate) fn page<V: RowVisitor, F: Fn() -> V + Send + Sync + 'static>(
        &self,
        view: View<'_>,
        query: &ListQuery,
        visitor: F,
    ) -> impl Future<Output = DatabaseResult<(V, u64)>> + Send + use<V, F> {
        let page = self.lend_page(view, query, erased(visitor));
        async move { typed(page.await?) }
    }

    /// Lends the rows of a page as [`page`](Self::page) does, to a visitor without its type.
    pub(crate) fn lend_page(
        &self,
        view: View<'_>,
        query: &ListQuery,
        visitors: Visitors,
    ) -> impl Future<Output = DatabaseResult<Visited>> + Send + use<> {
        // The statement is written first: a body that streams outlives the view and the query.
        let page = self.driver().map(|driver| {
            let page = resource_sql::page(driver.dialect(), view, query);
            (Arc::clone(driver), page)
        });
        let is_counted = query.is_counted;
        async move {
            let (driver, page) = page?;
            match page.rows {
                Some(rows) if !is_counted => driver.read(rows, ReadKind::List, visitors).await,
                None if !is_counted => Ok((visitors(), 0)),
                _ => driver.page(page, visitors).await,
            }
        }
    }

    /// Tests whether the lookup finds a row.
    pub(crate) async fn exists(&self, lookup: Lookup<'_>) -> DatabaseResult<bool> {
        let driver = self.driver()?;
        let statement = resource_sql::exists(driver.dialect(), lookup);
        let (_, rows) = driver.read(statement, ReadKind::Item, no_values()).await?;
        Ok(rows > 0)
    }

    /// The stored table for each of `tables`; none where it is missing.
    pub(crate) async fn stored_tables(
        &self,
        tables: &[Table],
    ) -> DatabaseResult<Vec<Option<StoredTable>>> {
        self.driver()?.stored_tables(tables).await
    }

    /// Reads the tables and views that the database has, by name, with their columns, keys and constraints: for tools
    /// that write models of a database which is there already. On PostgreSQL they are those of the first schema of the
    /// search path, without partitions and without what extensions have made.
    ///
    /// Every release may tell more of a table.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable): a database that does not answer.
    ///
    /// ```
    /// use resource_runtime::Database;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("catalogue-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # std::env::set_current_dir(&folder)?;
    /// # rusqlite::Connection::open("music.db")?
    /// #     .execute_batch("CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name NVARCHAR(120))")?;
    /// let database = Database::connect("sqlite://music.db?mode=rw").await?;
    /// let tables = database.catalogue().await?;
    /// let artist = tables.iter().find(|table| table.name == "Artist").ok_or("no artists")?;
    /// assert_eq!(artist.primary_key, ["ArtistId"]);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "catalogue")]
    pub async fn catalogue(&self) -> Result<Vec<StoredTable>, Error> {
        let mut stored = Vec::new();
        for name in self.catalogue_names().await? {
            // A table that was dropped meanwhile is none.
            stored.extend(self.catalogue_of(&name).await?);
        }
        Ok(stored)
    }

    /// Reads the names of the tables and views that [`catalogue`](Self::catalogue) tells of.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable): a database that does not answer.
    #[cfg(feature = "catalogue")]
    pub async fn catalogue_names(&self) -> Result<Vec<String>, Error> {
        Ok(self.driver()?.table_names().await?)
    }

    /// Reads one table or view; none where it is missing.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable): a database that does not answer. Others: what cannot be read, like a
    /// view of SQLite whose table is gone.
    #[cfg(feature = "catalogue")]
    pub async fn catalogue_of(&self, table: &str) -> Result<Option<StoredTable>, Error> {
        // Names of tables are few, and live as long as the program, as those of definitions do.
        let name = Identifier::new(table.to_owned().leak());
        let mut table = Table::new(name, Vec::new());
        table.existing = true;
        let stored = self.stored_tables(&[table]).await?;
        Ok(stored.into_iter().next().flatten())
    }

    /// Tests whether the values in these columns identify each row of a table or view, so that they can be its key: they
    /// are never null, and no two rows share them. None where fewer than two rows tell nothing.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable): a database that does not answer. Others: rows that cannot be read.
    ///
    /// ```
    /// use resource_runtime::Database;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("identified-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # std::env::set_current_dir(&folder)?;
    /// # rusqlite::Connection::open("music.db")?.execute_batch(
    /// #     "CREATE VIEW Chart AS SELECT 1 AS Place, 7 AS Weeks UNION SELECT 2, 7")?;
    /// let database = Database::connect("sqlite://music.db?mode=rw").await?;
    /// assert_eq!(database.identifies("Chart", &["Place"]).await?, Some(true));
    /// assert_eq!(database.identifies("Chart", &["Weeks"]).await?, Some(false));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "catalogue")]
    pub async fn identifies(&self, table: &str, columns: &[&str]) -> Result<Option<bool>, Error> {
        let driver = self.driver()?;
        let dialect = driver.dialect();
        // Names live as long as the program, as those of definitions do.
        let identifier = |name: &str| Identifier::new(name.to_owned().leak());
        let table = identifier(table);
        let columns: Vec<Identifier> = columns.iter().map(|name| identifier(name)).collect();
        let rows = async |statement| {
            let read = driver.read(statement, ReadKind::List, no_values()).await;
            read.map(|(_, rows)| rows)
        };
        if rows(resource_sql::two_rows(dialect, table)).await? < 2 {
            return Ok(None);
        }
        let unidentified = resource_sql::unidentified_row(dialect, table, &columns);
        Ok(Some(rows(unidentified).await? == 0))
    }

    pub(crate) async fn begin_with(
        &self,
        kind: TransactionKind,
    ) -> DatabaseResult<DatabaseTransaction> {
        let driver = match kind {
            TransactionKind::Snapshot => self.driver()?,
            _ => self.writing_driver()?,
        };
        let transaction = driver.begin(kind).await?;
        Ok(DatabaseTransaction::new(driver.dialect(), transaction))
    }

    /// Begins a transaction of one change.
    pub(crate) fn begin_single(&self) -> DatabaseResult<DatabaseTransaction> {
        let driver = self.writing_driver()?;
        Ok(DatabaseTransaction::new(
            driver.dialect(),
            driver.begin_single(),
        ))
    }
}

/// Erases the type of visitors: drivers are compiled once, not for each visitor.
fn erased<V: RowVisitor>(visitor: impl Fn() -> V + Send + Sync + 'static) -> Visitors {
    // The outer box is the factory, the inner one each visitor.
    Box::new(move || Box::new(visitor()))
}

/// Restores the type of the visitor that a driver returns.
fn typed<V: RowVisitor>((visitor, number): Visited) -> DatabaseResult<(V, u64)> {
    Ok((restored(visitor)?, number))
}

/// Length of the longest scheme that a message repeats; most secrets are longer.
const MAX_SCHEME: usize = 10;

/// The error of a URL without a known scheme.
fn unknown_scheme(url: &str) -> Error {
    let databases = [
        ("sqlite", cfg!(feature = "sqlite")),
        ("postgres", cfg!(feature = "postgres")),
    ];
    let mut missing = databases.iter().filter(|(_, is_enabled)| !is_enabled);
    // Compared with the text before any colon, which may be secret and is not repeated.
    let named = url.split_once(':').map_or("", |(named, _)| named);
    let missing = missing.find(|(database, _)| named.starts_with(database));
    let missing = missing.map(|(database, _)| *database);
    let scheme = scheme(url).or(missing).unwrap_or_default();
    let sqlite = cfg!(feature = "sqlite").then_some("`sqlite://<path of a file>`");
    let postgres = cfg!(feature = "postgres").then_some("`postgres://<host>/<database>`");
    let known: Vec<&str> = sqlite.into_iter().chain(postgres).collect();
    let known = known.join(" or ");
    // The usual reason is a feature that is off, not a wrong URL.
    let feature = missing.map_or_else(String::new, |missing| {
        format!(", or enable the feature `{missing}` of `resource-runtime`")
    });
    let problem = if scheme.is_empty() {
        "the URL of the database has no scheme".to_owned()
    } else {
        format!("no database answers to `{scheme}:`")
    };
    Error::configuration(format!("{problem}; write {known}{feature}"))
}

/// The text before `://` if it can only be a scheme. User names and passwords come before colons, too, and must
/// not get into a message.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once("://")?;
    let is_scheme_character =
        |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "+.-".contains(it);
    let is_scheme = scheme.len() <= MAX_SCHEME
        && scheme.starts_with(|it: char| it.is_ascii_lowercase())
        && scheme.chars().all(is_scheme_character);
    is_scheme.then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::unknown_scheme;

    #[test]
    fn url_without_a_scheme_is_not_repeated() {
        for url in [
            "secret",
            "ann:secret@host/shop",
            "//ann:secret@host",
            "a-long-secret://",
        ] {
            let error = unknown_scheme(url).to_string();
            assert!(error.contains("has no scheme; write `"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn an_unknown_scheme_is_named() {
        let error = unknown_scheme("mysql://ann:secret@host/shop").to_string();
        assert!(
            error.starts_with("no database answers to `mysql:`;"),
            "{error}"
        );
        assert!(!error.contains("secret"), "{error}");
    }
}
