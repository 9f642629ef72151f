use resource_model::schema::Kind;

/// The collation that a SQLite connection is given for decimals: a name and an order that the
/// command line of SQLite knows, too.
pub const DECIMAL: &str = "decimal";

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
pub enum Dialect {
    /// SQLite 3.37 or newer, which knows `STRICT` tables.
    Sqlite,
    /// PostgreSQL 13 or newer.
    Postgres,
}

impl Dialect {
    /// The dialect of the database that a URL names.
    pub fn of_url(url: &str) -> Self {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("postgres" | "postgresql") => Self::Postgres,
            _ => Self::Sqlite,
        }
    }

    /// Whether a statement changes nearly everything of a table that is there; else it is made anew.
    pub const fn alters_tables(self) -> bool {
        match self {
            Self::Sqlite => false,
            Self::Postgres => true,
        }
    }

    /// Whether a placeholder names its value by a number, so that two may name the same.
    pub(super) const fn has_numbered_placeholders(self) -> bool {
        match self {
            Self::Sqlite => false,
            Self::Postgres => true,
        }
    }

    /// Whether the type of a column keeps its values to the range of its kind.
    pub(super) const fn has_ranges(self) -> bool {
        match self {
            Self::Sqlite => false,
            Self::Postgres => true,
        }
    }

    /// Whether decimals compare as numbers without a cast.
    pub(super) const fn has_decimals(self) -> bool {
        match self {
            Self::Sqlite => false,
            Self::Postgres => true,
        }
    }

    /// Whether names may also be quoted with a backtick or in brackets.
    pub const fn has_foreign_quotes(self) -> bool {
        match self {
            Self::Sqlite => true,
            Self::Postgres => false,
        }
    }

    /// The type that columns of this kind are declared with.
    pub const fn column_type(self, kind: Kind) -> &'static str {
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
            (Self::Postgres, kind) => postgres_type(kind),
        }
    }

    /// What stands behind a placeholder: values that travel as text become what their column is.
    pub(super) const fn cast(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Postgres, Kind::Decimal) => "::numeric",
            (Self::Postgres, Kind::Uuid) => "::uuid",
            (Self::Postgres, Kind::Date) => "::date",
            (Self::Postgres, Kind::Time) => "::time",
            (Self::Postgres, Kind::LocalDateTime) => "::timestamp",
            (Self::Postgres, Kind::Timestamp) => "::timestamptz",
            (Self::Postgres, Kind::Json) => "::jsonb",
            (Self::Sqlite | Self::Postgres, _) => "",
        }
    }

    /// What stands behind a column of `kind` where its values are compared or ordered: SQLite
    /// stores decimals as text, and is given a collation that knows them for numbers.
    pub(super) const fn collation(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Sqlite, Kind::Decimal) => " COLLATE decimal",
            (Self::Sqlite | Self::Postgres, _) => "",
        }
    }

    /// What stands behind a column of `kind` where two values that its own collation takes for one
    /// must stay two. An index serves the comparison where the column has the usual collation.
    pub(super) const fn exact_collation(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Sqlite, Kind::Text) => " COLLATE BINARY",
            (Self::Postgres, Kind::Text) => " COLLATE \"C\"",
            (Self::Sqlite | Self::Postgres, _) => "",
        }
    }

    /// The collation that compares texts by code point.
    pub const fn text_collation(self) -> &'static str {
        match self {
            Self::Sqlite => "BINARY",
            Self::Postgres => "C",
        }
    }

    /// A key that is never given twice, not even after its item was deleted: a client may still
    /// hold the old item's URL.
    pub(super) const fn assigned_key(self) -> &'static str {
        match self {
            Self::Sqlite => " PRIMARY KEY AUTOINCREMENT",
            Self::Postgres => " GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
        }
    }

    /// What keeps the database from looking for indexes inside the condition that follows. SQLite's
    /// search for them takes time exponential in the depth of an `OR` within an `OR`.
    pub(super) const fn taken_as_a_whole(self) -> &'static str {
        match self {
            Self::Sqlite => "+",
            Self::Postgres => "",
        }
    }

    /// What stands behind a table's columns: on SQLite, that columns keep to their types.
    pub(super) const fn table_options(self) -> &'static str {
        match self {
            Self::Sqlite => " STRICT",
            Self::Postgres => "",
        }
    }

    /// Whether a table may reference one that is made later.
    pub(super) const fn references_forwards(self) -> bool {
        matches!(self, Self::Sqlite)
    }

    /// Whether what is unique is so by an index of its own: a constraint of PostgreSQL has one that
    /// orders null as the greatest value, which serves no order of a list.
    pub(super) const fn has_indexes_for_unique(self) -> bool {
        matches!(self, Self::Postgres)
    }

    /// The bytes that a name has at most.
    pub(super) const fn longest_name(self) -> usize {
        match self {
            Self::Sqlite => usize::MAX,
            Self::Postgres => 63,
        }
    }

    /// What orders null as the smallest value, in an order and in an index that serves it. SQLite
    /// does so by itself.
    pub(super) const fn nulls(self, descending: bool) -> &'static str {
        match (self, descending) {
            (Self::Sqlite, _) => "",
            (Self::Postgres, false) => " NULLS FIRST",
            (Self::Postgres, true) => " NULLS LAST",
        }
    }

    /// What keeps a row that is read from being changed by others before it is written.
    pub(super) const fn for_update(self) -> &'static str {
        match self {
            // The one writer holds the lock of the whole file.
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }
}

const fn postgres_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "boolean",
        Kind::SmallInteger => "smallint",
        Kind::Integer => "integer",
        Kind::BigInteger => "bigint",
        Kind::Real => "real",
        Kind::Double => "double precision",
        Kind::Decimal => "numeric",
        Kind::Text => "text",
        Kind::Bytes => "bytea",
        Kind::Uuid => "uuid",
        Kind::Date => "date",
        Kind::Time => "time",
        Kind::LocalDateTime => "timestamp",
        Kind::Timestamp => "timestamptz",
        Kind::Json => "jsonb",
    }
}
