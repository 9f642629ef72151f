//! The two sides of a comparison, and the names of their parts in messages.

use std::fmt::Display;

use resource_model::schema::{
    Attribute, Column, Identifier, Operation, ResourceDefinition, StoredColumn, StoredTable, Table,
};
use resource_sql::Dialect;

/// The two sides of a comparison: a table as the definitions need it, and as the database has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableComparison<'all> {
    pub(super) dialect: Dialect,
    pub(super) definitions: &'all [&'static ResourceDefinition],
    pub(super) needed: &'all Table,
    pub(super) stored: &'all StoredTable,
}

/// The two sides of a column that the database has.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnComparison<'all> {
    pub(super) sides: TableComparison<'all>,
    pub(super) needed: &'all Column,
    pub(super) stored: &'all StoredColumn,
}

impl ColumnComparison<'_> {
    /// The name of the column in messages: `settings.name`.
    pub(super) fn place(&self) -> String {
        self.sides.place(self.needed.name)
    }

    /// The first version whose attribute in the column passes the test, as messages name it.
    pub(super) fn version(&self, passes: impl Fn(&Attribute) -> bool) -> String {
        let (sides, column) = (self.sides, self.needed.name);
        sides.version_where(|it| attribute_in(it, column, &passes).is_some())
    }

    /// Tests whether a client, or the service for one, may write the column.
    pub(super) fn is_written(&self) -> bool {
        let writes = [Operation::Create, Operation::Update];
        let is_left = |_: &_, it: &Attribute| it.is_computed() || it.is_left_key();
        self.sides.needed.offers(&writes)
            && !self.sides.is_some_attribute(self.needed.name, is_left)
    }
}

impl<'all> TableComparison<'all> {
    /// The two sides of a column; none where the database lacks it.
    pub(super) fn column(self, needed: &'all Column) -> Option<ColumnComparison<'all>> {
        let (sides, stored) = (self, self.stored.column(needed.name)?);
        Some(ColumnComparison {
            sides,
            needed,
            stored,
        })
    }

    pub(super) fn table(&self) -> &'static str {
        self.needed.name.as_str()
    }

    /// The name of a column in messages: `settings.name`.
    pub(super) fn place(&self, column: Identifier) -> String {
        format!("`{}.{}`", self.table(), column.as_str())
    }

    /// The attribute in the column of that version.
    pub(super) fn attribute_where(
        &self,
        column: Identifier,
        passes: impl Fn(&Attribute) -> bool,
    ) -> Option<&'static Attribute> {
        // The first version that fits is enough: one name tells a developer where to look.
        let mut sharing = self.sharing();
        sharing.find_map(|definition| attribute_in(definition, column, &passes))
    }

    /// Tests whether the attribute of some version in the column passes the test.
    pub(super) fn is_some_attribute(
        &self,
        column: Identifier,
        passes: impl Fn(&ResourceDefinition, &Attribute) -> bool,
    ) -> bool {
        self.sharing().any(|definition| {
            attribute_in(definition, column, |it| passes(definition, it)).is_some()
        })
    }

    /// The first version in this table that passes the test, as messages name it.
    pub(super) fn version_where(
        &self,
        passes: impl Fn(&'static ResourceDefinition) -> bool,
    ) -> String {
        let version = self.sharing().find(|definition| passes(definition));
        version.map_or_else(
            // Every rule of a table comes from one of its versions; without one, the sentence stays whole.
            || String::from("a registered version"),
            |definition| format!("`{}` {}", definition.name(), definition.version()),
        )
    }

    /// The versions in this table.
    pub(super) fn sharing(&self) -> impl Iterator<Item = &'static ResourceDefinition> {
        // Versions share a table; definitions of other tables have no part in its rules.
        let definitions = self.definitions.iter().copied();
        definitions.filter(|definition| definition.table_identifier() == self.needed.name)
    }
}

/// The attribute of a version in a column.
pub(super) fn attribute_in(
    definition: &'static ResourceDefinition,
    column: Identifier,
    passes: impl Fn(&Attribute) -> bool,
) -> Option<&'static Attribute> {
    // Columns have the name of their identifier, which may differ from that of the attribute.
    let mut attributes = definition.all_attributes().iter();
    attributes.find(|attribute| attribute.identifier() == column && passes(attribute))
}

/// Tests whether the columns are those of a stored set, in whatever order.
pub(super) fn is_same(needed: &[Identifier], stored: &[String]) -> bool {
    needed.len() == stored.len() && is_within(needed, stored)
}

/// Tests whether a stored set has the columns, and perhaps others.
pub(super) fn is_within(needed: &[Identifier], stored: &[String]) -> bool {
    let mut needed = needed.iter();
    needed.all(|column| stored.iter().any(|it| it == column.as_str()))
}

/// Names as messages list them: `country`, `code`.
pub(super) fn listed(names: impl IntoIterator<Item = impl Display>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// Columns as messages list them.
pub(super) fn columns(columns: &[Identifier]) -> String {
    listed(columns.iter().map(|column| column.as_str()))
}
