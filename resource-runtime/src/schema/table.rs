use super::{Attribute, Bound, Identifier, Kind};

/// A table as all definitions that share it need it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    pub(crate) name: Identifier,
    pub(crate) columns: Vec<Column>,
    pub(crate) unique: Vec<Vec<Identifier>>,
    pub(crate) foreign_keys: Vec<ForeignKey>,
    pub(crate) indexes: Vec<Vec<Identifier>>,
}

impl Table {
    /// Whether rows are found by `columns` without an index of their own: as the primary key, or
    /// as the first columns of a unique set.
    pub(crate) fn finds_by(&self, columns: &[Identifier]) -> bool {
        self.is_key(columns) || self.unique.iter().any(|set| set.starts_with(columns))
    }

    /// Whether there is a column of this name.
    pub(crate) fn has(&self, column: Identifier) -> bool {
        self.columns.iter().any(|it| it.name == column)
    }

    /// Whether no two rows share the values of `columns`.
    pub(crate) fn is_unique(&self, columns: &[Identifier]) -> bool {
        let same = |set: &Vec<Identifier>| {
            set.len() == columns.len() && set.iter().all(|column| columns.contains(column))
        };
        self.is_key(columns) || self.unique.iter().any(same)
    }

    /// A table of its primary key alone.
    pub(crate) fn with_key(name: Identifier, key: &Attribute) -> Self {
        Self {
            name,
            columns: vec![Column::of(key)],
            unique: Vec::new(),
            foreign_keys: Vec::new(),
            indexes: Vec::new(),
        }
    }

    /// The column `name`.
    pub(crate) fn column(&self, name: Identifier) -> Option<&Column> {
        self.columns.iter().find(|it| it.name == name)
    }

    fn is_key(&self, columns: &[Identifier]) -> bool {
        let key = self.columns.iter().find(|column| column.primary_key);
        key.is_some_and(|key| columns == [key.name])
    }
}

/// A column with the widest limits of the attributes that share it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: Identifier,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    pub(crate) primary_key: bool,
    /// Whether the database assigns the primary key to new rows.
    pub(crate) assigned_by_database: bool,
    pub(crate) min_length: Option<u32>,
    pub(crate) max_length: Option<u32>,
    pub(crate) min: Option<Bound>,
    pub(crate) max: Option<Bound>,
    /// The texts that a value may be; empty where any will do.
    pub(crate) names: Vec<&'static str>,
}

impl Column {
    /// The column of one attribute alone.
    pub(crate) fn of(attribute: &Attribute) -> Self {
        let (min_length, max_length) = attribute.length_limits();
        let (min, max) = attribute.value_limits();
        Self {
            name: attribute.identifier(),
            kind: attribute.kind(),
            nullable: attribute.is_nullable(),
            primary_key: attribute.is_primary_key(),
            assigned_by_database: attribute.is_assigned_by_database(),
            min_length,
            max_length,
            min: min.map(|bound| bound.among(attribute.kind())),
            max: max.map(|bound| bound.among(attribute.kind())),
            names: attribute.names().to_vec(),
        }
    }
}

/// Columns that hold the key of a row of another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForeignKey {
    pub(crate) columns: Vec<Identifier>,
    pub(crate) target: Identifier,
    pub(crate) target_columns: Vec<Identifier>,
}
