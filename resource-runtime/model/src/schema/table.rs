//! The tables, columns and foreign keys that definitions need, before they are compared with a database.

use super::constant::is_equal;
use super::{Attribute, Bound, Kind, Operation, Storage};
use crate::Value;

/// A table as all definitions that share it need it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name.
    pub name: Identifier,
    /// The columns.
    pub columns: Vec<Column>,
    /// The sets of unique columns.
    pub unique: Vec<Vec<Identifier>>,
    /// The foreign keys.
    pub foreign_keys: Vec<ForeignKey>,
    /// The columns of each index.
    pub indexes: Vec<Vec<Identifier>>,
    /// The column that is null in rows that are not deleted; unique sets are about those rows alone.
    pub deleted: Option<Identifier>,
    /// True where others made the table, and the service changes nothing of it but rows.
    pub existing: bool,
    /// True where it is a view or the like, which is only read.
    pub view: bool,
    /// The columns that no attribute has on purpose.
    pub ignored: Vec<&'static str>,
    /// The peculiarities that all definitions live with.
    pub accepted: &'static [Peculiarity],
    /// The operations that some definition offers.
    pub operations: Vec<Operation>,
}

/// A peculiarity of a table that others made, which a resource may live with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peculiarity {
    /// Foreign keys that are checked only at the commit.
    DeferredKeys,
    /// References without a foreign key.
    UnenforcedReferences,
    /// Policies that hide rows from the role of the service.
    RowSecurity,
}

impl Table {
    /// Tests whether rows are found by `columns` without an index of their own: as the primary key, or
    /// as the first columns of a unique set.
    pub fn finds_by(&self, columns: &[Identifier]) -> bool {
        // Databases index both by themselves; a set that has the columns only further behind does not find by
        // them.
        let mut complete = self.unique.iter().filter(|_| self.deleted.is_none());
        self.key().starts_with(columns) || complete.any(|set| set.starts_with(columns))
    }

    /// Tests whether the definitions live with this peculiarity.
    pub fn accepts(&self, peculiarity: Peculiarity) -> bool {
        self.accepted.contains(&peculiarity)
    }

    /// Tests whether some definition offers one of these operations.
    pub fn offers(&self, operations: &[Operation]) -> bool {
        operations.iter().any(|it| self.operations.contains(it))
    }

    /// Tests whether some definition writes rows.
    pub fn is_written(&self) -> bool {
        self.offers(&[Operation::Create, Operation::Update, Operation::Delete])
    }

    /// Tests whether there is a column of this name.
    pub fn has(&self, column: Identifier) -> bool {
        self.columns.iter().any(|it| it.name == column)
    }

    /// Tests whether no two rows, deleted ones included, share the values of `columns`.
    pub fn is_unique(&self, columns: &[Identifier]) -> bool {
        let same = |set: &Vec<Identifier>| {
            // The order of the columns matters to an index, but not to uniqueness.
            set.len() == columns.len() && set.iter().all(|column| columns.contains(column))
        };
        same(&self.key()) || (self.deleted.is_none() && self.unique.iter().any(same))
    }

    /// A table of its primary key alone.
    pub fn with_key(name: Identifier, key: &Attribute) -> Self {
        Self::new(name, vec![Column::of(key)])
    }

    /// A table of these columns and no constraints.
    pub const fn new(name: Identifier, columns: Vec<Column>) -> Self {
        Self {
            name,
            columns,
            unique: Vec::new(),
            foreign_keys: Vec::new(),
            indexes: Vec::new(),
            deleted: None,
            existing: false,
            view: false,
            ignored: Vec::new(),
            accepted: &[],
            operations: Vec::new(),
        }
    }

    /// The column `name`.
    pub fn column(&self, name: Identifier) -> Option<&Column> {
        self.columns.iter().find(|it| it.name == name)
    }

    /// The columns of the primary key.
    pub fn key(&self) -> Vec<Identifier> {
        let key = self.columns.iter().filter(|column| column.primary_key);
        key.map(|column| column.name).collect()
    }
}

/// A column with the widest limits of the attributes that share it.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name.
    pub name: Identifier,
    /// The kind of its values.
    pub kind: Kind,
    /// The forms in which it holds them.
    pub storage: Storage,
    /// True where null may be stored.
    pub nullable: bool,
    /// True for a column of the primary key.
    pub primary_key: bool,
    /// True where the database assigns the primary key to new rows.
    pub assigned_by_database: bool,
    /// The value in rows that do not name one, of a revision: those of other programs have one, too.
    pub default: Option<i64>,
    /// The value that rows get when the column is added: that of each new item, where it is the same.
    pub constant_default: Option<Value>,
    /// The least length of a text.
    pub min_length: Option<u32>,
    /// The greatest length of a text.
    pub max_length: Option<u32>,
    /// The least value.
    pub min: Option<Bound>,
    /// The greatest value.
    pub max: Option<Bound>,
    /// The texts that a value may be; empty where any text is allowed.
    pub names: Vec<&'static str>,
}

impl Column {
    /// The column of one attribute alone.
    pub fn of(attribute: &Attribute) -> Self {
        // The limits become constraints of the table, so that other writers of the database keep to them as
        // well.
        let (min_length, max_length) = attribute.length_limits();
        let (min, max) = attribute.value_limits();
        Self {
            name: attribute.identifier(),
            kind: attribute.kind(),
            storage: *attribute.storage(),
            nullable: attribute.is_nullable(),
            primary_key: attribute.is_primary_key(),
            assigned_by_database: attribute.is_assigned_by_database(),
            default: attribute.is_revision().then_some(0),
            constant_default: attribute.constant_default(),
            min_length,
            max_length,
            // The bounds are rounded as the values are, so that the table takes what the service takes.
            min: min.map(|bound| bound.among(attribute.kind())),
            max: max.map(|bound| bound.among(attribute.kind())),
            names: attribute.names().to_vec(),
        }
    }
}

/// Columns that hold the key of a row of another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// The columns that point.
    pub columns: Vec<Identifier>,
    /// The table that is pointed at.
    pub target: Identifier,
    /// The columns of its key.
    pub target_columns: Vec<Identifier>,
    /// The change of the row when the row it points at is deleted; none where that is refused.
    pub on_delete: Option<ReferentialAction>,
}

impl ForeignKey {
    /// Tests whether two keys point from the same columns at the same table, whatever they do.
    pub fn is_same(&self, other: &Self) -> bool {
        self.columns == other.columns && self.target == other.target
    }
}

/// The change of a row when the row it points at is deleted, or gets another key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferentialAction {
    /// The row is deleted, too, or gets the new key.
    Cascade,
    /// The columns of the key become null.
    SetNull,
    /// The columns of the key get their default.
    SetDefault,
}

impl ReferentialAction {
    const ALL: [Self; 3] = [Self::Cascade, Self::SetNull, Self::SetDefault];

    /// The action of these words of SQL; none where they refuse the write, as `RESTRICT` does.
    #[must_use]
    pub fn of_sql(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.sql() == words)
    }

    /// The action in SQL.
    #[must_use]
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Cascade => "CASCADE",
            Self::SetNull => "SET NULL",
            Self::SetDefault => "SET DEFAULT",
        }
    }

    /// The value of the key `on_delete`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cascade => "cascade",
            Self::SetNull => "set_null",
            Self::SetDefault => "set_default",
        }
    }
}

/// The name of a table or column as a definition spells it: known when the service was
/// compiled, never text of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier {
    name: &'static str,
    schema: Option<&'static str>,
}

impl Identifier {
    /// The identifier of a name that the developer wrote.
    pub const fn new(name: &'static str) -> Self {
        let schema = None;
        Self { name, schema }
    }

    /// The same name within a schema.
    #[must_use]
    pub const fn within(self, schema: Option<&'static str>) -> Self {
        Self { schema, ..self }
    }

    /// The name without quotes.
    pub const fn as_str(self) -> &'static str {
        self.name
    }

    /// Tests whether both name one table or column, at compile time, too.
    pub const fn is_same(self, other: Self) -> bool {
        let schema = match (self.schema, other.schema) {
            (Some(one), Some(other)) => is_equal(one, other),
            (None, None) => true,
            _ => false,
        };
        schema && is_equal(self.name, other.name)
    }

    /// The schema without quotes, where one is named.
    pub const fn schema(self) -> Option<&'static str> {
        self.schema
    }

    /// The name in quotes, behind its schema.
    pub fn quoted(self) -> String {
        let parts = self.schema.into_iter().chain([self.name]);
        let parts: Vec<String> = parts
            .map(|part| format!("\"{}\"", part.replace('"', "\"\"")))
            .collect();
        parts.join(".")
    }
}
