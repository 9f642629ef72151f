use super::{Bound, Identifier, Kind};

/// A table as all definitions that share it need it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    pub(crate) name: Identifier,
    pub(crate) columns: Vec<Column>,
    pub(crate) unique: Vec<Vec<Identifier>>,
    pub(crate) foreign_keys: Vec<ForeignKey>,
}

/// A column with the widest limits of the attributes that share it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: Identifier,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    pub(crate) primary_key: bool,
    pub(crate) min_length: Option<u32>,
    pub(crate) max_length: Option<u32>,
    pub(crate) min: Option<Bound>,
    pub(crate) max: Option<Bound>,
}

/// Columns that hold the key of a row of another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForeignKey {
    pub(crate) columns: Vec<Identifier>,
    pub(crate) target: Identifier,
    pub(crate) target_columns: Vec<Identifier>,
}
