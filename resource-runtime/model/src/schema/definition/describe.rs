use super::ResourceDefinition;
use crate::schema::{Attribute, ErasedValidator, Operation, Subresource, Version};

/// What the derive calls to describe a struct.
impl ResourceDefinition {
    /// The resource `name`, served at `<version>/<collection>`, without attributes yet.
    #[must_use]
    pub const fn new(name: &'static str, collection: &'static str, version: Version) -> Self {
        Self {
            name,
            description: "",
            collection,
            version,
            table: collection,
            columns: "",
            attributes: &[],
            subresources: &[],
            unique: &[],
            indexes: &[],
            default_limit: None,
            max_limit: None,
            operations: &Operation::ALL,
            validator: None,
            guard: None,
            ownership: None,
        }
    }

    /// An item of it is this, as Markdown.
    #[must_use]
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = text;
        self
    }

    /// Stored in the table `table`.
    #[must_use]
    pub const fn table(mut self, table: &'static str) -> Self {
        self.table = table;
        self
    }

    /// The SQL list of the columns that clients may read, in declaration order.
    #[must_use]
    pub const fn columns(mut self, columns: &'static str) -> Self {
        self.columns = columns;
        self
    }

    /// The attributes in declaration order.
    #[must_use]
    pub const fn attributes(mut self, attributes: &'static [Attribute]) -> Self {
        self.attributes = attributes;
        self
    }

    /// The related resources that answers may hold expanded.
    #[must_use]
    pub const fn subresources(mut self, subresources: &'static [Subresource]) -> Self {
        self.subresources = subresources;
        self
    }

    /// Sets of attributes whose values together are unique.
    #[must_use]
    pub const fn unique(mut self, sets: &'static [&'static [&'static str]]) -> Self {
        self.unique = sets;
        self
    }

    /// Sets of attributes that are found fast together.
    #[must_use]
    pub const fn indexes(mut self, sets: &'static [&'static [&'static str]]) -> Self {
        self.indexes = sets;
        self
    }

    /// What clients can do with it; everything by default.
    #[must_use]
    pub const fn operations(mut self, operations: &'static [Operation]) -> Self {
        self.operations = operations;
        self
    }

    /// Items a page holds when the client names no `limit`.
    #[must_use]
    pub const fn default_limit(mut self, items: u32) -> Self {
        self.default_limit = Some(items);
        self
    }

    /// Checked by the validator that `make` makes, unless one is registered with the resource.
    #[must_use]
    pub const fn validator(mut self, make: fn() -> ErasedValidator) -> Self {
        self.validator = Some(make);
        self
    }

    /// The greatest `limit` a client may name.
    #[must_use]
    pub const fn max_limit(mut self, items: u32) -> Self {
        self.max_limit = Some(items);
        self
    }
}
