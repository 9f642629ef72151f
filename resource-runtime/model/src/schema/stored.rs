use super::{Bound, Identifier};

/// A table as a database has it, in words that suit every database. Names are spelled as the
/// definitions do, where the database takes both spellings for one.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTable {
    /// Whether it is a table, rather than a view or something else that has the name.
    pub is_table: bool,
    /// The columns.
    pub columns: Vec<StoredColumn>,
    /// The names of the columns of the primary key.
    pub primary_key: Vec<String>,
    /// Whether the database gives a key to a row that names none.
    pub assigns_key: bool,
    /// Whether it may be one that a row had which is deleted by now.
    pub assigns_key_again: bool,
    /// What keys are drawn from, where its next value is one that a row has already, or a lower one.
    pub behind: Option<StoredSequence>,
    /// The sets of unique columns.
    pub unique: Vec<StoredUnique>,
    /// The columns of every index in its order, those of keys and unique sets among them.
    pub indexes: Vec<Vec<String>>,
    /// The foreign keys.
    pub foreign_keys: Vec<StoredForeignKey>,
    /// The clauses that decide conflicts.
    pub conflicts: Vec<StoredConflict>,
}

impl StoredTable {
    /// The column of this name.
    pub fn column(&self, name: Identifier) -> Option<&StoredColumn> {
        self.columns.iter().find(|it| it.name == name.as_str())
    }

    /// Whether an index, whatever its name, begins with these columns.
    pub fn finds_by(&self, columns: &[Identifier]) -> bool {
        let mut indexes = self.indexes.iter();
        indexes.any(|stored| {
            let stored = stored.iter().take(columns.len());
            stored.eq(columns.iter().map(|column| column.as_str()))
        })
    }

    /// Whether the table has all of these columns.
    pub fn has(&self, columns: &[Identifier]) -> bool {
        columns.iter().all(|name| self.column(*name).is_some())
    }
}

/// A sequence of PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSequence {
    /// The schema.
    pub schema: String,
    /// The name.
    pub name: String,
}

/// A column with the limits that the database itself keeps its values to.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredColumn {
    /// The name.
    pub name: String,
    /// The type as it was declared, for people.
    pub declared_type: String,
    /// The type as a definition's columns are declared with it; none for a column that keeps
    /// values of every type as they are.
    pub stored_as: Option<&'static str>,
    /// How texts are compared.
    pub collation: String,
    /// Null may be stored.
    pub nullable: bool,
    /// Whether a row that does not name the column has a value in it.
    pub has_default: bool,
    /// Whether the database computes the value, and takes no other.
    pub is_generated: bool,
    /// The least length of a text.
    pub min_length: Option<u32>,
    /// The greatest length of a text.
    pub max_length: Option<u32>,
    /// The least value.
    pub min: Option<Bound>,
    /// The greatest value.
    pub max: Option<Bound>,
    /// The only texts that are taken.
    pub names: Option<Vec<String>>,
}

/// Columns that no two rows share the values of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredUnique {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Whether the value of an expression counts besides.
    pub has_expression: bool,
    /// Whether a column is compared otherwise than statements compare it.
    pub has_collation: bool,
    /// Whether only the rows count that a condition is true of.
    pub has_condition: bool,
}

impl StoredUnique {
    /// Whether it is about nothing but the columns, in all rows.
    pub const fn is_plain(&self) -> bool {
        !(self.has_expression || self.has_collation || self.has_condition)
    }
}

/// What a table does with a write that breaks a constraint, where it does more than to refuse it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredConflict {
    /// The columns of the constraint.
    pub columns: Vec<String>,
    /// What it does, in the words of the table's declaration.
    pub clause: String,
    /// Whether the write is refused all the same.
    pub is_refused: bool,
}

/// Columns that hold the key of a row of another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredForeignKey {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The name of the table that is pointed at.
    pub target: String,
    /// The names of its columns.
    pub target_columns: Vec<String>,
    /// What becomes of the row, in the words of SQL, when the other is deleted; none where that is
    /// refused.
    pub on_delete: Option<String>,
    /// The same when the other gets another key.
    pub on_update: Option<String>,
    /// Whether a write that breaks it is refused only when its transaction ends, as far as the
    /// database tells.
    pub is_deferred: bool,
}
