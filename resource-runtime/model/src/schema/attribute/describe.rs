use std::any::TypeId;

use super::{Attribute, Bound, OfType, Reference};
use crate::schema::definition_of;
use crate::{ApiResource, FieldValue, Value};

impl OfType {
    const fn of<T: FieldValue>() -> Self {
        Self {
            kind: T::KIND,
            nullable: T::NULLABLE,
            names: T::NAMES,
            normalise: T::normalise,
        }
    }
}

impl Reference {
    const fn to<R: ApiResource>() -> Self {
        Self {
            target: definition_of::<R>,
            target_type: TypeId::of::<R>(),
        }
    }
}

/// What the derive calls to describe a field.
impl Attribute {
    /// An attribute named `name` with the kind and nullability of `T`.
    #[must_use]
    pub const fn of<T: FieldValue>(name: &'static str) -> Self {
        Self {
            name,
            description: "",
            column: name,
            of: const { &OfType::of::<T>() },
            primary_key: false,
            assigned: false,
            unique: false,
            index: false,
            read_only: false,
            write_only: false,
            redacted: false,
            owner: false,
            read_scope: None,
            write_scope: None,
            min_length: None,
            max_length: None,
            min: None,
            max: None,
            reference: None,
            referenced: None,
            default: None,
            default_on_update: None,
        }
    }

    /// Means this, as Markdown.
    #[must_use]
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = text;
        self
    }

    /// Stored in the column `column` instead of one named like the attribute.
    #[must_use]
    pub const fn column(mut self, column: &'static str) -> Self {
        self.column = column;
        self
    }

    /// Identifies an item.
    #[must_use]
    pub const fn primary_key(mut self) -> Self {
        self.primary_key = true;
        self
    }

    /// Given to new items by the client: a primary key that the database does not assign.
    #[must_use]
    pub const fn assigned(mut self) -> Self {
        self.assigned = true;
        self
    }

    /// At least `characters` Unicode scalar values long; of bytes, their number.
    #[must_use]
    pub const fn min_length(mut self, characters: u32) -> Self {
        self.min_length = Some(characters);
        self
    }

    /// At most `characters` Unicode scalar values long; of bytes, their number.
    #[must_use]
    pub const fn max_length(mut self, characters: u32) -> Self {
        self.max_length = Some(characters);
        self
    }

    /// At least `value`.
    #[must_use]
    pub const fn min(mut self, value: i64) -> Self {
        self.min = Some(Bound::Integer(value));
        self
    }

    /// At most `value`.
    #[must_use]
    pub const fn max(mut self, value: i64) -> Self {
        self.max = Some(Bound::Integer(value));
        self
    }

    /// At least `value`, for doubles.
    #[must_use]
    pub const fn min_real(mut self, value: f64) -> Self {
        self.min = Some(Bound::Real(value));
        self
    }

    /// At most `value`, for doubles.
    #[must_use]
    pub const fn max_real(mut self, value: f64) -> Self {
        self.max = Some(Bound::Real(value));
        self
    }

    /// No two items share a value.
    #[must_use]
    pub const fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    /// Found fast: filters and orders on it use an index.
    #[must_use]
    pub const fn index(mut self) -> Self {
        self.index = true;
        self
    }

    /// Holds the primary key of an item of `R`.
    #[must_use]
    pub const fn references<R: ApiResource>(mut self) -> Self {
        self.reference = Some(const { &Reference::to::<R>() });
        self
    }

    /// Holds the attribute `attribute` of an item of `R`: one part of a key of several.
    #[must_use]
    pub const fn references_attribute<R: ApiResource>(self, attribute: &'static str) -> Self {
        let mut referring = self.references::<R>();
        referring.referenced = Some(attribute);
        referring
    }

    /// Returned to clients, refused from them.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Taken from clients, never returned.
    #[must_use]
    pub const fn write_only(mut self) -> Self {
        self.write_only = true;
        self
    }

    /// Returned to clients only where the validator's format hook leaves it, and unknown to
    /// filters and orders.
    #[must_use]
    pub const fn redacted(mut self) -> Self {
        self.redacted = true;
        self
    }

    /// What an update that changes something sets when the client names no value.
    #[must_use]
    pub const fn default_on_update(mut self, value: fn() -> Value) -> Self {
        self.default_on_update = Some(value);
        self
    }

    /// What a new item gets when the client names no value.
    #[must_use]
    pub const fn default(mut self, value: fn() -> Value) -> Self {
        self.default = Some(value);
        self
    }
}
