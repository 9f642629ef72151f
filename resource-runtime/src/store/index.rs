//! Indexes of stored tables, in one form for all databases.

use resource_model::schema::StoredUnique;

/// An index with its parts.
pub(super) struct Index {
    pub(super) is_primary_key: bool,
    pub(super) is_unique: bool,
    pub(super) is_partial: bool,
    /// The column that a partial index tests for null, where that is its whole condition.
    pub(super) where_null: Option<String>,
    pub(super) parts: Vec<Part>,
}

/// A column or an expression of an index.
pub(super) struct Part {
    /// None for an expression.
    pub(super) column: Option<String>,
    /// True if statements can use the index, whether ascending or descending: it compares values by their collation,
    /// and on PostgreSQL is a B-tree of the default operator class. True for an expression, too.
    pub(super) has_default_order: bool,
    /// True if it compares texts by code point.
    pub(super) is_by_code_point: bool,
}

impl Index {
    /// The index as a unique constraint.
    pub(super) fn unique(&self) -> StoredUnique {
        let columns = self.parts.iter().filter_map(|part| part.column.clone());
        StoredUnique {
            // Expressions have no name; the flag below tells that the columns are not all there is.
            columns: columns.collect(),
            has_expression: self.parts.iter().any(|part| part.column.is_none()),
            has_collation: self.parts.iter().any(|part| !part.has_default_order),
            has_condition: self.is_partial,
            where_null: self.where_null.clone(),
        }
    }

    fn lookup_columns(&self) -> Vec<String> {
        let usable = self.parts.iter().take_while(|part| part.has_default_order);
        usable.map_while(|part| part.column.clone()).collect()
    }
}

/// The columns whose texts an index orders by code point.
pub(super) fn ordered_columns(indexes: &[Index]) -> Vec<String> {
    let complete = indexes.iter().filter(|index| !index.is_partial);
    let first = complete.filter_map(|index| index.parts.first());
    let ordered = first.filter(|part| part.is_by_code_point);
    ordered.filter_map(|part| part.column.clone()).collect()
}

/// The columns by which each index finds rows: those before an expression or another order. Partial indexes are
/// left out, since they find only some rows.
pub(super) fn lookup_columns(indexes: &[Index]) -> Vec<Vec<String>> {
    let complete = indexes.iter().filter(|index| !index.is_partial);
    complete.map(Index::lookup_columns).collect()
}
