//! The report of tolerable differences between a database and the definitions.

use std::fmt;

/// The differences that [`Api::check_schema`](crate::Api::check_schema) found and the service can live
/// with, each a sentence with its remedy.
///
/// ```
/// use resource_runtime::{Api, ApiResource, Database};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Setting", url = "/settings", version = "1.0")]
/// struct Setting {
///     id: i64,
///     #[resource(index)]
///     name: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file = std::env::temp_dir().join(format!("report-{}.db", std::process::id()));
/// # let url = format!("sqlite://{}", file.display());
/// let older = rusqlite::Connection::open(&file)?;
/// older.execute_batch("CREATE TABLE settings (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL)")?;
///
/// let api = Api::builder().resource::<Setting>().build(Database::connect(&url).await?)?;
/// let report = api.check_schema().await?;
/// assert_eq!(report.differences().len(), 1);
/// assert!(report.to_string().contains(r#"`CREATE INDEX "settings.name" ON "settings" ("name")`"#));
///
/// // It makes indexes, too, where they are missing.
/// api.create_missing_tables().await?;
/// assert!(api.check_schema().await?.is_empty());
/// # std::fs::remove_file(&file)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaReport {
    differences: Vec<String>,
}

impl SchemaReport {
    pub(crate) const fn new(differences: Vec<String>) -> Self {
        Self { differences }
    }

    /// The differences, each a sentence.
    #[must_use]
    pub fn differences(&self) -> &[String] {
        &self.differences
    }

    /// Tells that the tables are as the definitions need them.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }
}

/// A line for each difference.
impl fmt::Display for SchemaReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.differences.join("\n"))
    }
}
