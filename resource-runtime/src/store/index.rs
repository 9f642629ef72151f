//! Indexes that a table has, alike on every database.

use resource_model::schema::StoredUnique;

/// An index with what it holds of each row.
pub(super) struct Index {
    pub(super) is_primary_key: bool,
    pub(super) is_unique: bool,
    pub(super) is_partial: bool,
    pub(super) parts: Vec<Part>,
}

pub(super) struct Part {
    /// None for an expression.
    pub(super) column: Option<String>,
    /// True where values are ordered as statements order them.
    pub(super) is_usual: bool,
}

impl Index {
    /// The columns whose values no two rows share.
    pub(super) fn unique(&self) -> StoredUnique {
        let columns = self.parts.iter().filter_map(|part| part.column.clone());
        StoredUnique {
            columns: columns.collect(),
            has_expression: self.parts.iter().any(|part| part.column.is_none()),
            has_collation: self.parts.iter().any(|part| !part.is_usual),
            has_condition: self.is_partial,
        }
    }

    fn first_columns(&self) -> Vec<String> {
        let usual = self.parts.iter().take_while(|part| part.is_usual);
        usual.map_while(|part| part.column.clone()).collect()
    }
}

/// The columns that rows are found by in each index: those before an expression or another order.
/// An index on some rows alone finds only those.
pub(super) fn finding(indexes: &[Index]) -> Vec<Vec<String>> {
    let whole = indexes.iter().filter(|index| !index.is_partial);
    whole.map(Index::first_columns).collect()
}
