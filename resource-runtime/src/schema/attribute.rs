use super::{DefinitionOf, Identifier, Kind, definition_of};
use crate::{ApiResource, FieldValue, Value};

/// One attribute of a resource: its name in JSON, its column, its kind and its constraints.
///
/// The derive writes these; read them from
/// [`ResourceDefinition::all_attributes`](super::ResourceDefinition::all_attributes).
#[derive(Debug, Clone, Copy)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is one key of `#[resource(…)]`, independent of the others"
)]
pub struct Attribute {
    name: &'static str,
    column: &'static str,
    kind: Kind,
    nullable: bool,
    primary_key: bool,
    unique: bool,
    index: bool,
    read_only: bool,
    write_only: bool,
    min_length: Option<u32>,
    max_length: Option<u32>,
    min: Option<Bound>,
    max: Option<Bound>,
    reference: Option<Reference>,
    default: Option<fn() -> Value>,
}

/// The least or greatest value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    Integer(i64),
    Real(f64),
}

/// What a foreign key points at; without an attribute, the primary key of the target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference {
    pub(crate) target: DefinitionOf,
    pub(crate) attribute: Option<&'static str>,
}

/// What the derive calls to describe a field.
impl Attribute {
    /// An attribute named `name` with the kind and nullability of `T`.
    #[must_use]
    pub const fn of<T: FieldValue>(name: &'static str) -> Self {
        Self {
            name,
            column: name,
            kind: T::KIND,
            nullable: T::NULLABLE,
            primary_key: false,
            unique: false,
            index: false,
            read_only: false,
            write_only: false,
            min_length: None,
            max_length: None,
            min: None,
            max: None,
            reference: None,
            default: None,
        }
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

    /// At least `characters` Unicode scalar values long.
    #[must_use]
    pub const fn min_length(mut self, characters: u32) -> Self {
        self.min_length = Some(characters);
        self
    }

    /// At most `characters` Unicode scalar values long.
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
        self.reference = Some(Reference {
            target: definition_of::<R>,
            attribute: None,
        });
        self
    }

    /// Holds the attribute `attribute` of an item of `R`: one part of a key of several.
    #[must_use]
    pub const fn references_attribute<R: ApiResource>(mut self, attribute: &'static str) -> Self {
        self.reference = Some(Reference {
            target: definition_of::<R>,
            attribute: Some(attribute),
        });
        self
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

    /// What a new item gets when the client names no value.
    #[must_use]
    pub const fn default(mut self, value: fn() -> Value) -> Self {
        self.default = Some(value);
        self
    }
}

/// What the stages of a request ask of an attribute.
impl Attribute {
    /// The name in JSON and in the query language.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The kind in which values are stored.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether a value may be null.
    #[must_use]
    pub const fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// Whether this attribute identifies an item.
    #[must_use]
    pub const fn is_primary_key(&self) -> bool {
        self.primary_key
    }

    /// Whether clients may read but not write it.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether clients may write but not read it.
    #[must_use]
    pub const fn is_write_only(&self) -> bool {
        self.write_only
    }

    /// Whether no two items may share a value.
    #[must_use]
    pub const fn is_unique(&self) -> bool {
        self.unique
    }

    /// Whether an index is asked for, beside those that uniqueness and references bring.
    #[must_use]
    pub const fn is_indexed(&self) -> bool {
        self.index
    }

    /// The fewest and the most Unicode scalar values of a text.
    #[must_use]
    pub const fn length_limits(&self) -> (Option<u32>, Option<u32>) {
        (self.min_length, self.max_length)
    }

    /// Whether a new item must be given a value by the client.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        !self.nullable && !self.primary_key && self.default.is_none()
    }

    pub(crate) const fn identifier(&self) -> Identifier {
        Identifier::new(self.column)
    }

    pub(crate) const fn value_limits(&self) -> (Option<Bound>, Option<Bound>) {
        (self.min, self.max)
    }

    pub(crate) const fn reference(&self) -> Option<Reference> {
        self.reference
    }

    /// The attribute that this one points at.
    pub(crate) fn target(&self) -> Option<&'static Self> {
        let reference = self.reference?;
        let target = (reference.target)();
        match reference.attribute {
            Some(name) => target.find(name).map(|(_, attribute)| attribute),
            None => target.primary_key(),
        }
    }

    pub(crate) fn default_value(&self) -> Option<Value> {
        self.default.map(|value| value())
    }
}
