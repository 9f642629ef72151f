#[cfg(feature = "metrics")]
use super::PoolUse;
use super::backend::Backend;
use super::{DatabaseOptions, Diverting, RowVisitor, Transaction};
use crate::boxed::Boxed;
use crate::error::{DatabaseFailure, Error};
use crate::plan::{Dialect, PageQuery, Statement};
use crate::schema::{Identifier, StoredTable, Table};

/// An open database; clones share its connections.
#[derive(Debug, Clone)]
pub struct Database {
    /// None where an API is only described.
    backend: Option<Backend>,
}

impl Database {
    /// Opens the database that `url` names: a SQLite file, `sqlite://<path>`, or, with the feature
    /// `postgres`, one of a PostgreSQL server, `postgres://<user>:<password>@<host>:<port>/<database>`.
    ///
    /// A SQLite file is created where it is missing, unless the URL says `mode=rw`, or `mode=ro` for one
    /// that takes no writes; its owner alone may read it. It is in WAL mode with foreign keys enforced; one connection writes, several read. Any
    /// number of processes may open the same file. When the last clone is dropped, what was written is
    /// brought from the WAL into the file, which waits for reads and writes under way, up to 20 seconds.
    ///
    /// A PostgreSQL server is reached through a pool of [`connections`](DatabaseOptions::connections)
    /// that outlives its restarts. Of the URL's parameters, `sslmode=verify-full` asks for TLS and
    /// a certificate that the machine's roots vouch for, or the file that `sslrootcert` names, and
    /// `options` holds settings of the session: `options=-c%20search_path%3Dshop`.
    ///
    /// # Errors
    ///
    /// An unknown scheme; a SQLite database in memory (each connection would see one of its own),
    /// or a file that cannot be opened; a server that cannot be reached within
    /// [`acquire_timeout`](DatabaseOptions::acquire_timeout) or refuses who connects, a
    /// database of it that is not encoded in UTF8, and a connection pooler before it that breaks
    /// prepared statements or keeps settings of the URL from it.
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

    /// How to connect to the SQLite file at `url` by means of one's own, for instance to migrate its
    /// tables: with references enforced, and with the order of decimals that their indexes need. Where
    /// the URL says `mode=rwc`, a file that is missing is created, for its owner alone.
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
        super::sqlite::connect::for_others(url)
    }

    /// The path of the SQLite file that `url` names.
    #[cfg(all(feature = "sqlite", feature = "cli"))]
    pub(crate) fn sqlite_file(url: &str) -> Result<std::path::PathBuf, Error> {
        let file = super::sqlite::connect::parse(url)?;
        Ok(file.get_filename().to_owned())
    }

    /// Begins a transaction for code of one's own that serves no request: what makes the first
    /// items, imports some, or looks up who logs in.
    ///
    /// It is as if no other ran beside it. On SQLite it keeps all other writers waiting until it
    /// ends, so do what takes long before, and commit an import in batches: writes of clients have their
    /// turn between two of them. On PostgreSQL it is serializable: where two get into
    /// each other's way one of them fails, and can be tried again from its beginning.
    ///
    /// # Errors
    ///
    /// The database is not reachable, or not free in time.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database, Error};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting {
    ///     id: i64,
    ///     name: String,
    /// }
    ///
    /// async fn first_setting(database: &Database) -> Result<(), Error> {
    ///     let mut transaction = database.begin().await?;
    ///     let theme = "theme".to_owned();
    ///     let present: Vec<Setting> = transaction.find_by(SettingField::Name, &theme).await?;
    ///     if present.is_empty() {
    ///         let key = transaction.insert(&Setting { id: 0, name: theme }).await?;
    ///         println!("the new setting is {key:?}");
    ///     }
    ///     transaction.commit().await
    /// }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Error> {
    /// # let file = std::env::temp_dir().join(format!("begin-{}.db", std::process::id()));
    /// # let database = Database::connect(&format!("sqlite://{}", file.display())).await?;
    /// # Api::builder().resource::<Setting>().build(database.clone())?.create_missing_tables().await?;
    /// # first_setting(&database).await?;
    /// # let mut transaction = database.begin().await?;
    /// # assert_eq!(transaction.get::<Setting>(&1_i64).await?.unwrap().name, "theme");
    /// # drop((transaction, database));
    /// # for end in ["", "-wal", "-shm"] {
    /// #     let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    /// # }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn begin(&self) -> Result<Transaction, Error> {
        Ok(self.begin_isolated().await?)
    }

    pub(super) fn open<'open>(
        url: &'open str,
        options: &'open DatabaseOptions,
    ) -> Boxed<'open, Result<Self, Error>> {
        Box::pin(async move {
            let backend = Backend::open(url, options).await?;
            Ok(Self {
                backend: Some(backend),
            })
        })
    }

    /// What stands in for a database where an API is described and nothing of it is served.
    #[cfg(feature = "cli")]
    pub(crate) const fn absent() -> Self {
        Self { backend: None }
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        match &self.backend {
            #[cfg(feature = "postgres")]
            Some(Backend::Postgres(_)) => Dialect::Postgres,
            #[cfg(feature = "sqlite")]
            Some(Backend::Sqlite(_)) => Dialect::Sqlite,
            None => Dialect::Sqlite,
        }
    }

    /// How far its connections are used.
    #[cfg(feature = "metrics")]
    pub(crate) fn pools(&self) -> Vec<PoolUse> {
        match &self.backend {
            #[cfg(feature = "postgres")]
            Some(Backend::Postgres(postgres)) => vec![postgres.pool_use()],
            #[cfg(feature = "sqlite")]
            Some(Backend::Sqlite(sqlite)) => sqlite.pool_use().into(),
            None => Vec::new(),
        }
    }

    fn backend(&self) -> Result<&Backend, DatabaseFailure> {
        let absent = || DatabaseFailure::Unavailable(String::from("there is no database"));
        self.backend.as_ref().ok_or_else(absent)
    }

    /// Lends the row that `statement` finds by its key to a `visitor`; `None` when there is none.
    pub(crate) async fn read_item<V: RowVisitor>(
        &self,
        statement: Statement,
        visitor: impl Fn() -> V,
    ) -> Result<Option<V>, DatabaseFailure> {
        let (visitor, rows) = self.read_rows(statement, visitor).await?;
        match rows {
            0 => Ok(None),
            1 => Ok(Some(visitor)),
            several => Err(DatabaseFailure::ambiguous(several)),
        }
    }

    /// Lends the rows that `statement` finds to a `visitor`; answers how many there were.
    pub(crate) async fn read_rows<V: RowVisitor>(
        &self,
        statement: Statement,
        visitor: impl Fn() -> V,
    ) -> Result<(V, u64), DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => Box::pin(postgres.lend_rows(statement, visitor)).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.readers().lend_rows(statement, visitor).await,
        }
    }

    /// Lends the rows of a page to a `visitor`, and answers the total of the same snapshot.
    pub(crate) async fn read_page<V: RowVisitor>(
        &self,
        read: PageQuery,
        visitor: impl Fn() -> V,
    ) -> Result<(V, u64), DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => Box::pin(postgres.page(read, visitor)).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.readers().page(read, visitor).await,
        }
    }

    /// Whether `statement` finds any row.
    pub(crate) async fn finds(&self, statement: Statement) -> Result<bool, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => postgres.finds(statement).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.readers().finds(statement).await,
        }
    }

    /// Tests that the database answers where it is expected: a SQLite file is looked for at its path.
    pub(crate) async fn answers(&self, sign_of_life: Statement) -> Result<bool, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => postgres.finds(sign_of_life).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.answers(sign_of_life).await,
        }
    }

    /// Fails where the database answers and takes no writes.
    pub(crate) async fn takes_writes(&self) -> Result<(), DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => postgres.takes_writes().await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.takes_writes().await,
        }
    }

    /// The writes of which a trigger of the table may drop the row or store it elsewhere. Those of
    /// SQLite are undone with a write that stored nothing.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "SQLite need not be asked"),
        allow(clippy::unused_async, reason = "PostgreSQL is asked")
    )]
    pub(crate) async fn diverting(&self, table: Identifier) -> Result<Diverting, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => postgres.diverting(table).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(_) => Ok(Diverting::default()),
        }
    }

    /// Each of these tables as the database has it; `None` where it is missing.
    pub(crate) async fn stored_tables(
        &self,
        needed: &[Table],
    ) -> Result<Vec<Option<StoredTable>>, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => postgres.stored_tables(needed).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.readers().stored_tables(needed.to_vec()).await,
        }
    }

    /// Begins a transaction that may write.
    pub(crate) async fn begin_write(&self) -> Result<Transaction, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => postgres.begin().await.map(Transaction::on_postgres),
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.begin().await.map(Transaction::on_sqlite),
        }
    }

    /// Begins a transaction whose statements may take as long as they take.
    pub(crate) async fn begin_patient(&self) -> Result<Transaction, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => {
                let patient = postgres.patient();
                patient.begin().await.map(Transaction::on_postgres)
            }
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.begin().await.map(Transaction::on_sqlite),
        }
    }

    /// Begins a transaction that is as if no other such one ran beside it; else it fails, and may be
    /// tried again.
    pub(crate) async fn begin_isolated(&self) -> Result<Transaction, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => postgres
                .begin_isolated()
                .await
                .map(Transaction::on_postgres),
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => sqlite.begin().await.map(Transaction::on_sqlite),
        }
    }

    /// Begins a transaction of one statement that writes.
    pub(crate) fn begin_single(&self) -> Result<Transaction, DatabaseFailure> {
        match self.backend()? {
            #[cfg(feature = "postgres")]
            Backend::Postgres(postgres) => Ok(Transaction::on_postgres(postgres.single())),
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(sqlite) => Ok(Transaction::on_sqlite(sqlite.single())),
        }
    }
}
