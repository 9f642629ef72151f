use crate::schema::Kind;

/// The collation that a SQLite connection is given for decimals: a name and an order that the
/// command line of SQLite knows, too.
pub(crate) const DECIMAL: &str = "decimal";

/// A database's variety of SQL: the words in which the databases differ.
///
/// ```
/// use resource_runtime::{Api, ApiResource, Dialect};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Setting", url = "/settings", version = "1.0")]
/// struct Setting { id: i64 }
///
/// # fn main() -> Result<(), resource_runtime::Error> {
/// let sql = Api::builder().resource::<Setting>().schema_sql(Dialect::Sqlite)?;
/// assert!(sql.ends_with("STRICT;\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// SQLite 3.37 or newer, which knows `STRICT` tables.
    Sqlite,
}

impl Dialect {
    /// The type that columns of this kind are declared with.
    pub(crate) const fn column_type(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (
                Self::Sqlite,
                Kind::Boolean | Kind::SmallInteger | Kind::Integer | Kind::BigInteger,
            ) => "INTEGER",
            (Self::Sqlite, Kind::Real | Kind::Double) => "REAL",
            (Self::Sqlite, Kind::Bytes) => "BLOB",
            (
                Self::Sqlite,
                Kind::Text
                | Kind::Decimal
                | Kind::Uuid
                | Kind::Date
                | Kind::Time
                | Kind::LocalDateTime
                | Kind::Timestamp
                | Kind::Json,
            ) => "TEXT",
        }
    }

    /// What stands behind a column of `kind` where its values are compared or ordered: SQLite
    /// stores decimals as text, and is given a collation that knows them for numbers.
    pub(super) const fn collation(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Sqlite, Kind::Decimal) => " COLLATE decimal",
            (Self::Sqlite, _) => "",
        }
    }

    /// The collation that compares texts by code point.
    pub(crate) const fn text_collation(self) -> &'static str {
        match self {
            Self::Sqlite => "BINARY",
        }
    }

    /// A key that is never given twice, not even after its item was deleted: a client may still
    /// hold the old item's URL.
    pub(super) const fn assigned_key(self) -> &'static str {
        match self {
            Self::Sqlite => " PRIMARY KEY AUTOINCREMENT",
        }
    }

    /// What keeps the database from looking for indexes inside the condition that follows. SQLite's
    /// search for them takes time exponential in the depth of an `OR` within an `OR`.
    pub(super) const fn taken_as_a_whole(self) -> &'static str {
        match self {
            Self::Sqlite => "+",
        }
    }

    /// What stands behind a table's columns: on SQLite, that columns keep to their types.
    pub(super) const fn table_options(self) -> &'static str {
        match self {
            Self::Sqlite => " STRICT",
        }
    }
}
