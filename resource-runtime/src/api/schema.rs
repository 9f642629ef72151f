//! The tables of an API: made, and told as text.

use super::Api;
use crate::error::Error;
use crate::plan::{self, Dialect};

impl Api {
    /// Creates the tables and indexes that the database lacks, in one transaction; what is there
    /// already is left as it is.
    ///
    /// # Errors
    ///
    /// The database's own, for instance when it cannot be written.
    pub async fn create_missing_tables(&self) -> Result<(), Error> {
        let dialect = self.database.dialect();
        let mut transaction = self.database.begin().await?;
        for table in &self.tables {
            for statement in plan::create_missing_table(dialect, table) {
                transaction.change(statement).await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The statements that make the tables and their indexes, for a migration: each ends with a
    /// semicolon and a newline, and a table that another references stands before it.
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
        plan::schema_sql(dialect, &self.tables)
    }
}
