//! The schema of a table as it was read from a database, to be compared with the one that definitions need.

use super::{Bound, Identifier, ReferentialAction};

/// A table as it exists in a database, in terms common to all databases. Names are spelled as in the
/// definitions, where the database treats both spellings as one name.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is one property of a table, independent of the others"
)]
pub struct StoredTable {
    /// The name.
    pub name: String,
    /// True for a table, false for a view or anything else that has the name.
    pub is_table: bool,
    /// The comment that its author left in the database.
    pub comment: Option<String>,
    /// The names of the triggers.
    pub triggers: Vec<String>,
    /// The statements of the indexes, then those of the triggers, where the database keeps them as texts.
    pub parts: Vec<String>,
    /// True where policies decide which rows a role sees (row-level security).
    pub has_row_security: bool,
    /// The columns.
    pub columns: Vec<StoredColumn>,
    /// The names of the columns of the primary key.
    pub primary_key: Vec<String>,
    /// True where the database gives a key to a row that names none.
    pub assigns_key: bool,
    /// True where the database may assign the key of a deleted row again.
    pub assigns_key_again: bool,
    /// The sequence of the keys, where its next value is not above all keys that rows have already.
    pub behind: Option<StoredSequence>,
    /// The sets of unique columns.
    pub unique: Vec<StoredUnique>,
    /// The columns of every index in its order, those of keys and unique sets among them.
    pub indexes: Vec<Vec<String>>,
    /// The first columns of the indexes by code point.
    pub ordered: Vec<String>,
    /// The foreign keys.
    pub foreign_keys: Vec<StoredForeignKey>,
    /// The clauses that decide conflicts.
    pub conflicts: Vec<StoredConflict>,
    /// The column of the key in which a row has null.
    pub null_key: Option<String>,
    /// True where rows of other tables are among its own (`INHERITS`).
    pub has_heirs: bool,
    /// True where policies hide rows from the role of the service.
    pub hides_rows: bool,
    /// True where a policy reads a setting of the session, or calls a function that may.
    pub reads_session: bool,
    /// The privileges that the role lacks, each with the columns; one on the table as a whole has none.
    pub refused: Vec<(Privilege, Vec<String>)>,
    /// The writes that do not do what a statement says, each of one column or of all, with the reason in words.
    pub broken: Vec<(Privilege, Option<String>, String)>,
}

/// A privilege of a role on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privilege {
    /// To read.
    Select,
    /// To insert.
    Insert,
    /// To draw the default of a column from its sequence.
    Sequence,
    /// To update.
    Update,
    /// To delete.
    Delete,
}

impl StoredTable {
    /// The column of this name.
    pub fn column(&self, name: Identifier) -> Option<&StoredColumn> {
        // Names were spelled as in the definitions when the table was read, so that they are compared as they
        // are.
        self.columns.iter().find(|it| it.name == name.as_str())
    }

    /// Tests whether an index, whatever its name, begins with these columns.
    pub fn finds_by(&self, columns: &[Identifier]) -> bool {
        // A longer index serves as well, because its first columns alone find the rows.
        let mut indexes = self.indexes.iter();
        indexes.any(|stored| {
            // A shorter index has fewer names, and so is not equal.
            let stored = stored.iter().take(columns.len());
            stored.eq(columns.iter().map(|column| column.as_str()))
        })
    }

    /// Tests whether the table has all of these columns.
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
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own, which the database reports"
)]
pub struct StoredColumn {
    /// The name.
    pub name: String,
    /// The type as it was declared, for people.
    pub declared_type: String,
    /// The type as a definition's columns are declared with it; none for a column that keeps
    /// values of every type as they are.
    pub stored_as: Option<&'static str>,
    /// The collation by which texts are compared.
    pub collation: String,
    /// True where that collation takes no two different texts as equal.
    pub has_exact_collation: bool,
    /// True where null may be stored.
    pub nullable: bool,
    /// True where the column gets a value in a new row that does not name it.
    pub has_default: bool,
    /// True where that value is the same in each row, which a default of a key must not be.
    pub has_constant_default: bool,
    /// The expression of that value as it is stored, where it may be evaluated without a write.
    pub default: Option<String>,
    /// True where the database computes the value and takes no other (a generated column).
    pub is_generated: bool,
    /// The least length of a text.
    pub min_length: Option<u32>,
    /// The greatest length of a text.
    pub max_length: Option<u32>,
    /// The least value.
    pub min: Option<Bound>,
    /// The greatest value.
    pub max: Option<Bound>,
    /// The only texts that are accepted.
    pub names: Option<Vec<String>>,
    /// The type below all domains, as the catalogue of PostgreSQL knows it.
    pub base: Option<StoredType>,
    /// The comment that its author left in the database.
    pub comment: Option<String>,
}

/// A type of PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredType {
    /// The schema, where the search path does not lead to the type.
    pub schema: Option<String>,
    /// The name in the catalogue, like `int4`.
    pub name: String,
    /// The type as it would be declared, with its modifier: `numeric(10,2)`.
    pub declared: String,
    /// The type as a definition's columns are declared with it.
    pub stored_as: &'static str,
    /// The values of an enum in their order; empty for any other type.
    pub labels: Vec<String>,
}

/// A unique constraint or index: columns whose values no two rows share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredUnique {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// True where the value of an expression is compared, too.
    pub has_expression: bool,
    /// True where a column is compared with another collation than in statements.
    pub has_collation: bool,
    /// True where only rows that meet a condition are compared (a partial index).
    pub has_condition: bool,
    /// The column that is null in the compared rows, where that is the whole condition.
    pub where_null: Option<String>,
}

impl StoredUnique {
    /// Tests whether nothing but the columns is compared, in all rows in which the column `deleted` is null.
    pub fn is_of_living(&self, deleted: Option<Identifier>) -> bool {
        let is_whole = self.has_condition == deleted.is_some() && !self.has_expression;
        let where_null = deleted.map(Identifier::as_str);
        is_whole && !self.has_collation && self.where_null.as_deref() == where_null
    }

    /// Tests whether nothing but the columns is compared, in all rows.
    pub const fn is_plain(&self) -> bool {
        // Any of these lets two rows share values that a definition calls unique, or refuses values that it
        // permits.
        !(self.has_expression || self.has_collation || self.has_condition)
    }
}

/// The reaction of a table to a write that breaks a constraint, where it does more than refuse it
/// (`ON CONFLICT`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredConflict {
    /// The columns of the constraint.
    pub columns: Vec<String>,
    /// The reaction, in the words of the table's declaration.
    pub clause: String,
    /// True where the write is refused all the same.
    pub is_refused: bool,
}

/// Columns that hold the key of a row of another table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredForeignKey {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The name of the table that is pointed at.
    pub target: String,
    /// The schema of that table, where a database has schemas.
    pub target_schema: Option<String>,
    /// True where the search path finds that table by its name alone.
    pub is_target_visible: bool,
    /// The names of its columns.
    pub target_columns: Vec<String>,
    /// The change of the row when the row it points at is deleted; none where that is refused.
    pub on_delete: Option<ReferentialAction>,
    /// The columns that this change sets, where that is not all of them.
    pub set_on_delete: Vec<String>,
    /// The change of the row when the row it points at gets another key.
    pub on_update: Option<ReferentialAction>,
    /// True where it points at the primary key of the other table.
    pub is_to_primary_key: bool,
    /// True where a write that breaks the foreign key is refused only when its transaction ends, as far as
    /// the database reports it.
    pub is_deferred: bool,
}
