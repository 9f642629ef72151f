//! The definition of a resource: one version of it as data, with its table, attributes, operations and access.

use super::constant::{is_alike, is_equal};
use super::evolution::{Approval, Deprecation};
use super::{
    Access, ApiResource, Attribute, Collection, DefinitionOf, ErasedValidator, Guard, Identifier,
    Operation, Ownership, Peculiarity, Subresource, Version, definition_of,
};
use crate::value::{Key, Record, Value, key_part, key_segment};

/// The definition of one version of a resource, with all that the service knows about it.
#[derive(Debug, Clone, Copy)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is one key of `#[resource(…)]`, independent of the others"
)]
pub struct ResourceDefinition {
    name: &'static str,
    description: &'static str,
    collection: &'static str,
    version: Version,
    table: &'static str,
    schema: Option<&'static str>,
    existing: bool,
    view: bool,
    ignored: &'static [&'static str],
    accepted: &'static [Peculiarity],
    columns: &'static str,
    attributes: &'static [Attribute],
    converted: bool,
    subresources: &'static [Subresource],
    collections: &'static [Collection],
    unique: &'static [&'static [&'static str]],
    indexes: &'static [&'static [&'static str]],
    default_limit: Option<u32>,
    max_limit: Option<u32>,
    may_be_uncounted: bool,
    allows_all: bool,
    requires_idempotency_key: bool,
    operations: &'static [Operation],
    validator: Option<fn() -> ErasedValidator>,
    guard: Option<Guard>,
    ownership: Option<Ownership>,
    requires_if_match: bool,
    cache_control: Option<&'static str>,
    upserts: bool,
    follows: Option<DefinitionOf>,
    approvals: &'static [Approval],
    deprecation: Option<Deprecation>,
}

/// Queries of the stages of a request.
impl ResourceDefinition {
    getters! {
        /// The name of the resource, for people: `Person`.
        name() -> &'static str => name;

        /// The description of an item, as Markdown; empty where the struct has no doc comment.
        meaning() -> &'static str => description;

        /// The path segment of the collection, without a slash: `persons`.
        collection() -> &'static str => collection;

        /// The version of the API that this definition belongs to.
        version() -> Version => version;

        /// The attributes in declaration order.
        all_attributes() -> &'static [Attribute] => attributes;

        /// The operations that clients can use.
        offered_operations() -> &'static [Operation] => operations;

        /// Tests whether statements read some column by an expression.
        #[doc(hidden)]
        is_converted() -> bool => converted;

        /// The related resources in declaration order.
        all_subresources() -> &'static [Subresource] => subresources;

        /// The collections in declaration order.
        all_collections() -> &'static [Collection] => collections;

        /// Tests whether every change has to name the state of the item that it is about.
        requires_if_match() -> bool => requires_if_match;

        /// The `Cache-Control` of items and lists, where it is not that of the service.
        cache_control() -> Option<&'static str> => cache_control;

        /// Tests whether others made the table, so that the service changes nothing of it but rows.
        is_existing() -> bool => existing;

        /// Tests whether items are rows of a view or of the like, which clients can only read.
        is_view() -> bool => view;

        /// The columns of the table that no attribute has on purpose.
        #[doc(hidden)]
        ignored_columns() -> &'static [&'static str] => ignored;

        /// The peculiarities of the table that the resource lives with.
        #[doc(hidden)]
        accepted() -> &'static [Peculiarity] => accepted;

        /// The version that this one follows.
        #[doc(hidden)]
        follows() -> Option<DefinitionOf> => follows;

        /// The deprecation, where clients should use another version.
        deprecation() -> Option<Deprecation> => deprecation;

        /// The breaks of the version that this one follows, as `breaks(…)` approves them.
        approvals() -> &'static [Approval] => approvals;

        /// Tests whether an update creates an item that is missing.
        upserts() -> bool => upserts;

        /// Tests whether requests for new items need an idempotency key.
        #[doc(hidden)]
        requires_idempotency_key() -> bool => requires_idempotency_key;

        /// The columns, as the derive lists them for a statement.
        #[doc(hidden)]
        column_list() -> &'static str => columns;

        /// The attributes whose values are unique together.
        #[doc(hidden)]
        unique_sets() -> &'static [&'static [&'static str]] => unique;

        /// The attributes that have an index together.
        #[doc(hidden)]
        index_sets() -> &'static [&'static [&'static str]] => indexes;

        /// Tests whether clients may leave out the total of a list.
        #[doc(hidden)]
        may_be_uncounted() -> bool => may_be_uncounted;

        /// Tests whether clients may read all items at once.
        #[doc(hidden)]
        allows_all() -> bool => allows_all;
    }

    /// The attributes that clients may read, in declaration order.
    pub fn readable_attributes(&self) -> impl Iterator<Item = &'static Attribute> + Clone + use<> {
        self.attributes
            .iter()
            .filter(|attribute| !attribute.is_write_only())
    }

    /// The attributes that clients may filter and order by: readable ones that no format hook redacts.
    #[doc(hidden)]
    pub fn queryable_attributes(&self) -> impl Iterator<Item = &'static Attribute> + Clone + use<> {
        self.readable_attributes()
            // A filter on a redacted attribute would let a client guess its value by trying.
            .filter(|attribute| !attribute.is_redacted())
    }

    /// The position and description of the attribute named `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(usize, &'static Attribute)> {
        position(self.attributes, |it| it.name() == name)
    }

    /// The attribute that is stored in `column`.
    pub(crate) fn stored_in(&self, column: Identifier) -> Option<&'static Attribute> {
        let mut attributes = self.attributes.iter();
        // The derive refuses two attributes in one column, so that the first is the only one.
        attributes.find(|attribute| attribute.identifier() == column)
    }

    /// The subresource of this name, and its place among the others.
    #[doc(hidden)]
    pub fn find_subresource(&self, name: &str) -> Option<(usize, &'static Subresource)> {
        // No two subresources of a resource have the same name, which the derive checks.
        position(self.subresources, |it| it.name() == name)
    }

    /// The collection of this name, and its place among the others.
    #[doc(hidden)]
    pub fn find_collection(&self, name: &str) -> Option<(usize, &'static Collection)> {
        position(self.collections, |it| it.name() == name)
    }

    /// The key that a text spells; `None` where no item can have it. A key of several parts is read from a segment of a
    /// path as it was sent, one part from what that stands for.
    #[doc(hidden)]
    pub fn key_of(&self, text: &str) -> Option<Key> {
        if let Some(key) = self.only_key() {
            return key.spelled(text).map(Key::from);
        }
        let segment = key_segment(text)?;
        let mut parts = segment.split(',');
        let mut next = |attribute: &Attribute| attribute.spelled(&key_part(parts.next()?)?);
        let mut attributes = self.key_attributes();
        let first = next(attributes.next()?)?;
        let rest = attributes.map(next).collect::<Option<_>>()?;
        // Another number of parts is no key: least of all one of which a proxy has decoded a comma.
        parts.next().is_none().then(|| Key::of(first, rest))
    }

    /// Tests whether an item can have this key: other keys, as of a text with U+0000, would be an error of the database.
    #[doc(hidden)]
    pub fn can_have(&self, key: &Key) -> bool {
        let mut of_key = self.values_of(key);
        of_key.all(|(_, attribute, value)| attribute.violation(value).is_none())
    }

    /// The attributes whose values together find an item, in declaration order.
    #[doc(hidden)]
    pub fn key_attributes(&self) -> impl Iterator<Item = &'static Attribute> + use<> {
        let attributes = self.attributes.iter();
        attributes.filter(|attribute| attribute.is_primary_key())
    }

    /// The attribute that is the whole primary key; `None` where the key has several parts.
    #[doc(hidden)]
    pub fn only_key(&self) -> Option<&'static Attribute> {
        let mut key = self.key_attributes();
        key.next().filter(|_| key.next().is_none())
    }

    /// Tests whether the primary key has several parts.
    #[doc(hidden)]
    pub fn has_composite_key(&self) -> bool {
        self.key_attributes().nth(1).is_some()
    }

    /// The positions and descriptions of the key attributes, each with its value in a key.
    #[doc(hidden)]
    pub fn values_of<'key>(
        &self,
        key: &'key Key,
    ) -> impl Iterator<Item = (usize, &'static Attribute, &'key Value)> + use<'key> {
        let attributes = self.attributes.iter().enumerate();
        let of_key = attributes.filter(|(_, attribute)| attribute.is_primary_key());
        let values = of_key.zip(key.values());
        values.map(|((index, attribute), value)| (index, attribute, value))
    }

    /// The record with the values of a key, for the attributes that are `wanted`.
    #[doc(hidden)]
    #[must_use]
    pub fn with_key(
        &self,
        mut record: Record,
        key: &Key,
        wanted: fn(&Attribute) -> bool,
    ) -> Record {
        for (index, attribute, value) in self.values_of(key) {
            if wanted(attribute) {
                record.set(index, value.clone());
            }
        }
        record
    }

    /// The position and description of the attribute that holds the moment of a deletion; `None` where a deletion
    /// removes the row.
    #[must_use]
    pub fn deletion_attribute(&self) -> Option<(usize, &'static Attribute)> {
        position(self.attributes, Attribute::holds_deletion)
    }

    /// The position and description of the attribute that each write changes; `None` where there is none.
    #[must_use]
    pub fn revision_attribute(&self) -> Option<(usize, &'static Attribute)> {
        position(self.attributes, Attribute::is_revision)
    }

    /// Tests whether the database sets values of items that no record holds: other than the key.
    #[doc(hidden)]
    pub fn has_values_of_database(&self) -> bool {
        let mut attributes = self.attributes.iter();
        attributes
            .any(|it| it.is_computed() || it.has_default_of_database() || it.has_text_of_database())
    }

    /// Tests whether items have entity tags: those that can be read, and have a revision, or nothing that clients could
    /// guess by a digest.
    #[must_use]
    pub fn has_tags(&self) -> bool {
        let is_hidden = |it: &Attribute| {
            !it.holds_deletion() && (it.is_secret() || it.scopes_to_read().is_some())
        };
        self.operations.contains(&Operation::Retrieve)
            && (self.revision_attribute().is_some() || !self.attributes.iter().any(is_hidden))
    }

    /// Tests whether the resource lives with this peculiarity of its table.
    #[doc(hidden)]
    pub fn accepts(&self, peculiarity: Peculiarity) -> bool {
        self.accepted.contains(&peculiarity)
    }

    /// The name of the table.
    #[doc(hidden)]
    pub const fn table_identifier(&self) -> Identifier {
        Identifier::new(self.table).within(self.schema)
    }

    /// Tests whether the struct names a validator.
    pub(super) const fn has_validator(&self) -> bool {
        self.validator.is_some()
    }

    /// Tests in short whether both promise the same beside their attributes; false where that takes a longer look.
    #[allow(
        clippy::redundant_pattern_matching,
        reason = "a call costs the compiler twice as much as a pattern"
    )]
    pub(crate) const fn is_declared_as(&self, other: &Self) -> bool {
        is_alike!(self, other, ResourceDefinition {
            same: may_be_uncounted allows_all requires_idempotency_key requires_if_match upserts;
            absent: default_limit max_limit validator guard ownership;
            empty: subresources collections unique;
            variants: operations;
            text: name collection;
            free: description version table schema existing view ignored accepted columns attributes converted indexes
                cache_control follows approvals deprecation;
        })
    }

    /// Follows the version `R`, and keeps what that promises.
    #[must_use]
    pub const fn following<R: ApiResource>(mut self) -> Self {
        self.follows = Some(definition_of::<R>);
        self
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

    /// The default and the greatest size of a page in an API with this cap.
    #[doc(hidden)]
    #[must_use]
    pub fn page_sizes(&self, api_cap: u32) -> (u32, u32) {
        // The cap of the resource takes the place of the API's, also where it is the greater one.
        let max = self.max_limit.unwrap_or(api_cap);
        // A resource or an API with a low cap has pages of that size by default.
        (self.default_limit.unwrap_or(DEFAULT_LIMIT.min(max)), max)
    }
}

/// Builder methods of access control, which the derive calls.
impl ResourceDefinition {
    setters! {
        /// Restricts the operations to the callers that `guard` admits.
        guard(guard: Guard) => guard = Some(guard);

        /// Makes items belong to callers; one of the attributes holds the owner.
        owner(ownership: Ownership) => ownership = Some(ownership);
    }
}

/// Access control.
impl ResourceDefinition {
    getters! {
        /// The guard that the resource declares; `None` where it declares none.
        declared_guard() -> Option<Guard> => guard;

        /// The rule by which items belong to callers; `None` where the resource has no owner rule.
        ownership() -> Option<Ownership> => ownership;
    }

    /// The callers that may use `operation`: nobody where the resource declares no guard.
    #[doc(hidden)]
    pub fn access(&self, operation: Operation) -> Access {
        // A resource without a guard is closed rather than open, so that a forgotten rule lets nobody in.
        let guard = self.guard.as_ref();
        guard.map_or(Access::Nobody, |guard| guard.access(operation))
    }

    /// The position and description of the attribute that holds the owner of an item.
    #[must_use]
    pub fn owner_attribute(&self) -> Option<(usize, &'static Attribute)> {
        // The registry refuses a second owner attribute, so that the first is the only one.
        position(self.attributes, Attribute::is_owner)
    }
}

/// Builder methods of the description, which the derive calls.
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
            schema: None,
            existing: false,
            view: false,
            ignored: &[],
            accepted: &[],
            columns: "",
            attributes: &[],
            converted: false,
            subresources: &[],
            collections: &[],
            unique: &[],
            indexes: &[],
            default_limit: None,
            max_limit: None,
            may_be_uncounted: false,
            allows_all: false,
            requires_idempotency_key: false,
            operations: &Operation::ALL,
            validator: None,
            guard: None,
            ownership: None,
            requires_if_match: false,
            cache_control: None,
            upserts: false,
            follows: None,
            approvals: &[],
            deprecation: None,
        }
    }

    setters! {
        /// Sets the description of an item, as Markdown.
        description(text: &'static str) => description = text;

        /// Stores items in the table `table` instead of one named like the collection.
        table(table: &'static str) => table = table;

        /// Names the schema of the table, where a database has schemas.
        schema(schema: &'static str) => schema = Some(schema);

        /// Leaves the table to the others that made it.
        existing() => existing = true;

        /// Reads rows of a view or of the like, which others made.
        view() => view = true;

        /// Leaves these columns of the table out on purpose.
        ignored(columns: &'static [&'static str]) => ignored = columns;

        /// Lives with these peculiarities of the table.
        accept(peculiarities: &'static [Peculiarity]) => accepted = peculiarities;

        /// The SQL list of the columns that clients may read, in declaration order.
        columns(columns: &'static str) => columns = columns;

        /// The related resources that responses may hold expanded.
        subresources(subresources: &'static [Subresource]) => subresources = subresources;

        /// The related resources whose items refer to an item.
        collections(collections: &'static [Collection]) => collections = collections;

        /// Sets of attributes whose values together are unique.
        unique(sets: &'static [&'static [&'static str]]) => unique = sets;

        /// Sets of attributes that have an index together.
        indexes(sets: &'static [&'static [&'static str]]) => indexes = sets;

        /// Refuses requests for new items without an idempotency key.
        require_idempotency_key() => requires_idempotency_key = true;

        /// The operations that clients can use; all of them by default.
        operations(operations: &'static [Operation]) => operations = operations;

        /// Lets an update create an item that is missing, under the key that its client chose.
        upsert() => upserts = true;

        /// The number of items on a page when the client names no `limit`.
        default_limit(items: u32) => default_limit = Some(items);

        /// Checks items with the validator that `make` makes, unless one is registered with the resource.
        validator(make: fn() -> ErasedValidator) => validator = Some(make);

        /// Refuses changes that do not name the state of the item that they are about.
        require_if_match() => requires_if_match = true;

        /// Sends this `Cache-Control` with items and lists.
        cache(control: &'static str) => cache_control = Some(control);

        /// Has clients know that they should use another version.
        deprecated(deprecation: Deprecation) => deprecation = Some(deprecation);

        /// Breaks these rules about the version that this one follows.
        breaks(approvals: &'static [Approval]) => approvals = approvals;

        /// The greatest `limit` a client may name.
        max_limit(items: u32) => max_limit = Some(items);

        /// Lets clients leave out the total of a list.
        uncounted() => may_be_uncounted = true;

        /// Lets clients read all items at once, by `limit=all`.
        allow_all() => allows_all = true;
    }
}

/// Builder methods that look into the attributes.
impl ResourceDefinition {
    /// The attributes in declaration order.
    #[must_use]
    pub const fn attributes(mut self, attributes: &'static [Attribute]) -> Self {
        self.attributes = attributes;
        let mut rest = attributes;
        while let [attribute, others @ ..] = rest {
            self.converted |= attribute.storage().is_converted();
            rest = others;
        }
        self
    }

    /// Gives the values of the developer's own code the digits that are stored.
    #[doc(hidden)]
    pub fn adjust(&self, record: &mut Record) {
        for (index, attribute) in self.attributes.iter().enumerate() {
            // The digits of a time are no more than those that were checked.
            if attribute.storage().digits.is_some()
                && let Some(value) = record.take(index)
            {
                record.set(index, attribute.adjusted(value));
            }
        }
    }
}

/// The number of items on a page when neither the client nor the resource names one.
const DEFAULT_LIMIT: u32 = 10;

/// The first member of this kind, and its place among the others.
fn position<T>(members: &'static [T], is: impl Fn(&T) -> bool) -> Option<(usize, &'static T)> {
    members.iter().enumerate().find(|(_, member)| is(member))
}
