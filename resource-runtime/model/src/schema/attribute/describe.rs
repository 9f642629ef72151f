//! Builder methods of an attribute, which the derive calls to describe a field.

use std::any::TypeId;
use std::hash::{BuildHasher, RandomState};
use std::time::SystemTime;

use super::{Attribute, Bound, Example, Reference};
use crate::schema::evolution::{Approval, Deprecation};
use crate::schema::{ReferentialAction, Storage, definition_of};
use crate::value::FieldType;
use crate::{ApiResource, FieldValue, Value};

impl Reference {
    /// A reference to the primary key of an item of `R`. The database refuses to delete that item.
    #[must_use]
    pub const fn to<R: ApiResource>() -> Self {
        Self {
            target: definition_of::<R>,
            target_type: TypeId::of::<R>(),
            attribute: None,
            on_delete: None,
        }
    }

    /// Points at the attribute of this name, as one part of a composite foreign key does.
    #[must_use]
    pub const fn attribute(mut self, name: &'static str) -> Self {
        self.attribute = Some(name);
        self
    }

    /// Has the database do this with the item when the one that it refers to is deleted.
    #[must_use]
    pub const fn on_delete(mut self, action: ReferentialAction) -> Self {
        self.on_delete = Some(action);
        self
    }
}

/// Builder methods, which the derive calls to describe a field.
impl Attribute {
    /// An attribute named `name` with the kind and nullability of `T`.
    #[must_use]
    pub const fn of<T: FieldValue>(name: &'static str) -> Self {
        Self::new(name, T::TYPE)
    }

    /// An attribute named `name` with the kind and nullability of a type.
    #[must_use]
    #[doc(hidden)]
    pub const fn new(name: &'static str, of: &'static FieldType) -> Self {
        Self {
            name,
            description: "",
            column: None,
            of,
            storage: &Storage::OURS,
            primary_key: false,
            assigned: false,
            unique: false,
            index: false,
            read_only: false,
            write_only: false,
            redacted: false,
            owner: false,
            revision: false,
            deleted_at: None,
            read_scope: None,
            write_scope: None,
            min_length: None,
            max_length: None,
            truncated: false,
            readable_by: None,
            declared: None,
            min: None,
            max: None,
            references: &[],
            computed: false,
            default_of_database: false,
            default: None,
            default_on_update: None,
            example: None,
            approvals: &[],
            deprecation: None,
        }
    }

    setters! {
        /// Sets the description, as Markdown.
        description(text: &'static str) => description = text;

        /// Stores values in the column `column` instead of one named like the attribute.
        column(column: &'static str) => column = Some(column);

        /// Makes the attribute the primary key, or one part of it where several are marked.
        primary_key() => primary_key = true;

        /// Has the client give the primary key to new items, instead of the database; parts of a key of several are always
        /// assigned.
        assigned() => assigned = true;

        /// Sets the least length, in Unicode scalar values of a text or in bytes.
        min_length(characters: u32) => min_length = Some(characters);

        /// Sets the greatest length, in Unicode scalar values of a text or in bytes.
        max_length(characters: u32) => max_length = Some(characters);

        /// Has answers hold no more than the first characters of a stored text, as many as bodies may name.
        truncate() => truncated = true;

        /// Sets the least value.
        min(value: i64) => min = Some(Bound::Integer(value));

        /// Sets the greatest value.
        max(value: i64) => max = Some(Bound::Integer(value));

        /// Sets the least value, for floating-point numbers and decimals.
        min_real(value: f64) => min = Some(Bound::Real(value));

        /// Sets the greatest value, for floating-point numbers and decimals.
        max_real(value: f64) => max = Some(Bound::Real(value));

        /// Holds values in these forms, each of a database.
        stored(storage: &'static Storage) => storage = storage;

        /// Forbids that two items share a value.
        unique() => unique = true;

        /// Adds an index, which filters and orders on the attribute use.
        index() => index = true;

        /// Leaves the value to the database alone.
        computed() => computed = true;

        /// Leaves the value of a new item that names none to the database.
        default_of_database() => default_of_database = true;

        /// Returns the attribute to clients and refuses it in their bodies.
        read_only() => read_only = true;

        /// Takes the attribute from clients and never returns it.
        write_only() => write_only = true;

        /// Holds the moment at which an item was deleted; null in an item that was not. `value` makes the value of a
        /// moment.
        soft_delete(value: fn(SystemTime) -> Value) => deleted_at = Some(value);

        /// Returns the attribute only where the validator's format hook leaves it, and hides it from filters
        /// and orders.
        redacted() => redacted = true;

        /// Sets the value of an update that changes something and names none itself.
        default_on_update(value: fn() -> Value) => default_on_update = Some(value);

        /// Holds an attribute of another item, for each of `references`.
        references(references: &'static [Reference]) => references = references;

        /// Shows this value as an example in descriptions of the API.
        example(example: Example) => example = Some(example);

        /// Has clients know that they should no longer use it.
        deprecated(deprecation: &'static Deprecation) => deprecation = Some(deprecation);

        /// Breaks these rules about the version that this one follows.
        breaks(approvals: &'static [Approval]) => approvals = approvals;

        /// Sets the value of a new item that names none.
        default(value: fn() -> Value) => default = Some(value);
    }

    /// Takes no wider limits in bodies than `R`, an older version with the same column, while that is registered.
    #[must_use]
    pub const fn held_back_for<R: ApiResource>(mut self) -> Self {
        self.readable_by = Some(definition_of::<R>);
        self
    }

    /// Holds the revision of an item: a number that each write changes, and that no client sets.
    #[must_use]
    pub const fn revision(mut self) -> Self {
        self.revision = true;
        self.default = Some(fresh_revision);
        self.default_on_update = Some(fresh_revision);
        self
    }
}

/// A random revision, so that no item has one again, not even a new item of an old key. It is exact in a double, which
/// is all that some clients have for numbers.
fn fresh_revision() -> Value {
    // The keys of each thread begin at random and count up, and their hashes are as good as random.
    let random = RandomState::new().hash_one(());
    Value::Integer(i64::try_from(random % MAX_REVISION).unwrap_or_default() + 1)
}

const MAX_REVISION: u64 = (1 << 53) - 1;
