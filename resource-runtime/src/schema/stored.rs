use super::{Bound, Identifier};

/// A table as a database has it, in words that suit every database. Names are spelled as the
/// definitions do, where the database takes both spellings for one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredTable {
    /// Whether it is a table, rather than a view or something else that has the name.
    pub(crate) is_table: bool,
    pub(crate) columns: Vec<StoredColumn>,
    pub(crate) primary_key: Vec<String>,
    /// Whether the database gives a key to a row that names none.
    pub(crate) assigns_key: bool,
    /// Whether it may be one that a row had which is deleted by now.
    pub(crate) assigns_key_again: bool,
    /// What keys are drawn from, where its next value is one that a row has already, or a lower one.
    pub(crate) behind: Option<StoredSequence>,
    pub(crate) unique: Vec<StoredUnique>,
    /// The columns of every index in its order, those of keys and unique sets among them.
    pub(crate) indexes: Vec<Vec<String>>,
    pub(crate) foreign_keys: Vec<StoredForeignKey>,
    pub(crate) conflicts: Vec<StoredConflict>,
}

impl StoredTable {
    pub(crate) fn column(&self, name: Identifier) -> Option<&StoredColumn> {
        self.columns.iter().find(|it| it.name == name.as_str())
    }

    /// Whether an index, whatever its name, begins with these columns.
    pub(crate) fn finds_by(&self, columns: &[Identifier]) -> bool {
        let mut indexes = self.indexes.iter();
        indexes.any(|stored| {
            let stored = stored.iter().take(columns.len());
            stored.eq(columns.iter().map(|column| column.as_str()))
        })
    }

    /// Whether the table has all of these columns.
    pub(crate) fn has(&self, columns: &[Identifier]) -> bool {
        columns.iter().all(|name| self.column(*name).is_some())
    }
}

/// A sequence of PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredSequence {
    pub(crate) schema: String,
    pub(crate) name: String,
}

/// A column with the limits that the database itself keeps its values to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredColumn {
    pub(crate) name: String,
    /// The type as it was declared, for people.
    pub(crate) declared_type: String,
    /// The type as a definition's columns are declared with it; none for a column that keeps
    /// values of every type as they are.
    pub(crate) stored_as: Option<&'static str>,
    /// How texts are compared.
    pub(crate) collation: String,
    pub(crate) nullable: bool,
    /// Whether a row that does not name the column has a value in it.
    pub(crate) has_default: bool,
    /// Whether the database computes the value, and takes no other.
    pub(crate) is_generated: bool,
    pub(crate) min_length: Option<u32>,
    pub(crate) max_length: Option<u32>,
    pub(crate) min: Option<Bound>,
    pub(crate) max: Option<Bound>,
    /// The only texts that are taken.
    pub(crate) names: Option<Vec<String>>,
}

/// Columns that no two rows share the values of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StoredUnique {
    pub(crate) columns: Vec<String>,
    /// Whether the value of an expression counts besides.
    pub(crate) has_expression: bool,
    /// Whether a column is compared otherwise than statements compare it.
    pub(crate) has_collation: bool,
    /// Whether only the rows count that a condition is true of.
    pub(crate) has_condition: bool,
}

impl StoredUnique {
    /// Whether it is about nothing but the columns, in all rows.
    pub(crate) const fn is_plain(&self) -> bool {
        !(self.has_expression || self.has_collation || self.has_condition)
    }
}

/// What a table does with a write that breaks a constraint, where it does more than to refuse it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredConflict {
    /// The columns of the constraint.
    pub(crate) columns: Vec<String>,
    /// What it does, in the words of the table's declaration.
    pub(crate) clause: String,
    /// Whether the write is refused all the same.
    pub(crate) is_refused: bool,
}

/// Columns that hold the key of a row of another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredForeignKey {
    pub(crate) columns: Vec<String>,
    pub(crate) target: String,
    pub(crate) target_columns: Vec<String>,
    /// What becomes of the row, in the words of SQL, when the other is deleted; none where that is
    /// refused.
    pub(crate) on_delete: Option<String>,
    /// The same when the other gets another key.
    pub(crate) on_update: Option<String>,
    /// Whether a write that breaks it is refused only when its transaction ends, as far as the
    /// database tells.
    pub(crate) is_deferred: bool,
}
