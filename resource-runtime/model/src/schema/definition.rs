use super::{
    Access, Attribute, ErasedValidator, Guard, Identifier, Operation, Ownership, Subresource,
    Version,
};

/// All that the service knows about one version of a resource.
#[derive(Debug, Clone, Copy)]
pub struct ResourceDefinition {
    name: &'static str,
    description: &'static str,
    collection: &'static str,
    version: Version,
    table: &'static str,
    columns: &'static str,
    attributes: &'static [Attribute],
    subresources: &'static [Subresource],
    unique: &'static [&'static [&'static str]],
    indexes: &'static [&'static [&'static str]],
    default_limit: Option<u32>,
    max_limit: Option<u32>,
    operations: &'static [Operation],
    validator: Option<fn() -> ErasedValidator>,
    guard: Option<Guard>,
    ownership: Option<Ownership>,
}

/// What the stages of a request ask of a definition.
impl ResourceDefinition {
    /// The name of the resource, for people: `Person`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What an item of it is, as Markdown; empty where nothing is said of it.
    #[must_use]
    pub const fn meaning(&self) -> &'static str {
        self.description
    }

    /// The path segment of the collection, without a slash: `persons`.
    #[must_use]
    pub const fn collection(&self) -> &'static str {
        self.collection
    }

    /// The version of the API that this definition belongs to.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// The attributes in declaration order.
    #[must_use]
    pub const fn all_attributes(&self) -> &'static [Attribute] {
        self.attributes
    }

    /// What clients can do with the resource.
    #[must_use]
    pub const fn offered_operations(&self) -> &'static [Operation] {
        self.operations
    }

    /// The related resources in declaration order.
    #[must_use]
    pub const fn all_subresources(&self) -> &'static [Subresource] {
        self.subresources
    }

    /// The attributes that clients may read, in declaration order.
    pub fn readable_attributes(&self) -> impl Iterator<Item = &'static Attribute> + Clone + use<> {
        self.attributes
            .iter()
            .filter(|attribute| !attribute.is_write_only())
    }

    /// The attributes that clients may filter and order by: those that no format hook redacts.
    #[doc(hidden)]
    pub fn queryable_attributes(&self) -> impl Iterator<Item = &'static Attribute> + Clone + use<> {
        self.readable_attributes()
            .filter(|attribute| !attribute.is_redacted())
    }

    /// The position and description of the attribute named `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(usize, &'static Attribute)> {
        self.attributes
            .iter()
            .enumerate()
            .find(|(_, attribute)| attribute.name() == name)
    }

    /// The subresource of this name, and its place among the others.
    #[doc(hidden)]
    pub fn find_subresource(&self, name: &str) -> Option<(usize, &'static Subresource)> {
        self.subresources
            .iter()
            .enumerate()
            .find(|(_, subresource)| subresource.name() == name)
    }

    /// The attributes whose values together find an item, in declaration order.
    #[doc(hidden)]
    pub fn key_attributes(&self) -> impl Iterator<Item = &'static Attribute> + use<> {
        let attributes = self.attributes.iter();
        attributes.filter(|attribute| attribute.is_primary_key())
    }

    /// The primary key of a resource that has one attribute for it, as all have today.
    #[doc(hidden)]
    pub fn primary_key(&self) -> Option<&'static Attribute> {
        self.key_attributes().next()
    }

    /// The name of the table.
    #[doc(hidden)]
    pub const fn table_identifier(&self) -> Identifier {
        Identifier::new(self.table)
    }

    /// The columns, as the derive lists them for a statement.
    #[doc(hidden)]
    pub const fn column_list(&self) -> &'static str {
        self.columns
    }

    /// The attributes whose values are unique together.
    #[doc(hidden)]
    pub const fn unique_sets(&self) -> &'static [&'static [&'static str]] {
        self.unique
    }

    /// The attributes that have an index together.
    #[doc(hidden)]
    pub const fn index_sets(&self) -> &'static [&'static [&'static str]] {
        self.indexes
    }

    /// The validator of the resource.
    #[doc(hidden)]
    pub fn make_validator(&self) -> Option<ErasedValidator> {
        self.validator.map(|make| make())
    }

    /// The default and the greatest size of a page, where they differ from those of the service.
    #[doc(hidden)]
    pub const fn limits(&self) -> (Option<u32>, Option<u32>) {
        (self.default_limit, self.max_limit)
    }
}

/// What the derive calls to say who may do what.
impl ResourceDefinition {
    /// Its operations are for those whom `guard` names.
    #[must_use]
    pub const fn guard(mut self, guard: Guard) -> Self {
        self.guard = Some(guard);
        self
    }

    /// Its items belong to callers; one of the attributes is the owner.
    #[must_use]
    pub const fn owner(mut self, ownership: Ownership) -> Self {
        self.ownership = Some(ownership);
        self
    }
}

/// Who may do what.
impl ResourceDefinition {
    /// Who may use which operation; `None` where the resource says nothing of it.
    #[must_use]
    pub const fn declared_guard(&self) -> Option<Guard> {
        self.guard
    }

    /// Who may use `operation`: nobody where the resource says nothing of it.
    #[doc(hidden)]
    pub fn access(&self, operation: Operation) -> Access {
        let guard = self.guard.as_ref();
        guard.map_or(Access::Nobody, |guard| guard.access(operation))
    }

    /// To whom items belong; `None` where they belong to nobody.
    #[must_use]
    pub const fn ownership(&self) -> Option<Ownership> {
        self.ownership
    }

    /// The position and description of the attribute that holds the owner of an item.
    #[must_use]
    pub fn owner_attribute(&self) -> Option<(usize, &'static Attribute)> {
        let mut attributes = self.attributes.iter().enumerate();
        attributes.find(|(_, attribute)| attribute.is_owner())
    }
}

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
