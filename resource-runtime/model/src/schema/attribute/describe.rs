//! Builder methods of an attribute, which the derive calls to describe a field.

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

/// Builder methods, which the derive calls to describe a field.
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

    /// Sets the description, as Markdown.
    #[must_use]
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = text;
        self
    }

    /// Stores values in the column `column` instead of one named like the attribute.
    #[must_use]
    pub const fn column(mut self, column: &'static str) -> Self {
        self.column = column;
        self
    }

    /// Makes the attribute the primary key.
    #[must_use]
    pub const fn primary_key(mut self) -> Self {
        self.primary_key = true;
        self
    }

    /// Has the client give the primary key to new items, instead of the database.
    #[must_use]
    pub const fn assigned(mut self) -> Self {
        self.assigned = true;
        self
    }

    /// Sets the least length, in Unicode scalar values of a text or in bytes.
    #[must_use]
    pub const fn min_length(mut self, characters: u32) -> Self {
        self.min_length = Some(characters);
        self
    }

    /// Sets the greatest length, in Unicode scalar values of a text or in bytes.
    #[must_use]
    pub const fn max_length(mut self, characters: u32) -> Self {
        self.max_length = Some(characters);
        self
    }

    /// Sets the least value.
    #[must_use]
    pub const fn min(mut self, value: i64) -> Self {
        self.min = Some(Bound::Integer(value));
        self
    }

    /// Sets the greatest value.
    #[must_use]
    pub const fn max(mut self, value: i64) -> Self {
        self.max = Some(Bound::Integer(value));
        self
    }

    /// Sets the least value, for floating-point numbers and decimals.
    #[must_use]
    pub const fn min_real(mut self, value: f64) -> Self {
        self.min = Some(Bound::Real(value));
        self
    }

    /// Sets the greatest value, for floating-point numbers and decimals.
    #[must_use]
    pub const fn max_real(mut self, value: f64) -> Self {
        self.max = Some(Bound::Real(value));
        self
    }

    /// Forbids that two items share a value.
    #[must_use]
    pub const fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    /// Adds an index, which filters and orders on the attribute use.
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

    /// Holds the attribute `attribute` of an item of `R`, as one part of a composite foreign key.
    #[must_use]
    pub const fn references_attribute<R: ApiResource>(self, attribute: &'static str) -> Self {
        let mut referring = self.references::<R>();
        referring.referenced = Some(attribute);
        referring
    }

    /// Returns the attribute to clients and refuses it in their bodies.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Takes the attribute from clients and never returns it.
    #[must_use]
    pub const fn write_only(mut self) -> Self {
        self.write_only = true;
        self
    }

    /// Returns the attribute only where the validator's format hook leaves it, and hides it from filters
    /// and orders.
    #[must_use]
    pub const fn redacted(mut self) -> Self {
        self.redacted = true;
        self
    }

    /// Sets the value of an update that changes something and names none itself.
    #[must_use]
    pub const fn default_on_update(mut self, value: fn() -> Value) -> Self {
        self.default_on_update = Some(value);
        self
    }

    /// Sets the value of a new item that names none.
    #[must_use]
    pub const fn default(mut self, value: fn() -> Value) -> Self {
        self.default = Some(value);
        self
    }
}
