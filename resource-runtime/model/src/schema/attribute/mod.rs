//! Attributes: the description of a field with its name, column, kind, constraints and access.

mod describe;
mod example;
mod facts;
mod limits;

use std::any::TypeId;
use std::time::SystemTime;

use super::evolution::{Approval, Deprecation};
use super::{
    DefinitionOf, Identifier, Kind, Operation, ReferentialAction, Requirement, Storage, StorageForm,
};
use crate::value::{FieldType, Integer, integer};
use crate::{RecordError, Value};
pub use example::Example;
pub use limits::{Bound, truncated};

/// An attribute of a resource: its name in JSON, its column, its kind and its constraints.
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
    description: &'static str,
    /// The column, where it has another name.
    column: Option<&'static str>,
    of: &'static FieldType,
    storage: &'static Storage,
    primary_key: bool,
    assigned: bool,
    unique: bool,
    index: bool,
    read_only: bool,
    write_only: bool,
    redacted: bool,
    owner: bool,
    revision: bool,
    /// The value of the moment of a deletion, where the attribute holds it.
    deleted_at: Option<fn(SystemTime) -> Value>,
    read_scope: Option<&'static Requirement>,
    write_scope: Option<&'static Requirement>,
    min_length: Option<u32>,
    max_length: Option<u32>,
    /// True where answers hold no more than the first `max_length` characters of a text.
    truncated: bool,
    /// The older version whose limits hold for bodies while it is registered.
    readable_by: Option<DefinitionOf>,
    /// The attribute with the limits that its struct declares, where those of another version hold for bodies.
    declared: Option<&'static Attribute>,
    min: Option<Bound>,
    max: Option<Bound>,
    references: &'static [Reference],
    /// True where the database alone writes the column.
    computed: bool,
    /// True where the database has a value for a new item that names none.
    default_of_database: bool,
    default: Option<fn() -> Value>,
    default_on_update: Option<fn() -> Value>,
    example: Option<Example>,
    approvals: &'static [Approval],
    deprecation: Option<&'static Deprecation>,
}

/// A part of a foreign key: what one attribute refers to.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// The definition of the target.
    pub target: DefinitionOf,
    /// The Rust type of the target, which distinguishes two types with equal definitions.
    pub target_type: TypeId,
    /// The attribute of the target; without one, its primary key.
    attribute: Option<&'static str>,
    /// The change of the item when the one that it refers to is deleted; `None` where that is refused.
    pub on_delete: Option<ReferentialAction>,
}

/// Queries of the stages of a request.
impl Attribute {
    getters! {
        /// The name in JSON and in the query language.
        name() -> &'static str => name;

        /// The description, as Markdown; empty where the field has no doc comment.
        meaning() -> &'static str => description;

        /// The kind in which values are stored.
        kind() -> Kind => of.kind;

        /// Tests whether a value may be null.
        is_nullable() -> bool => of.nullable;

        /// Tests whether this attribute identifies an item.
        is_primary_key() -> bool => primary_key;

        /// The texts that a value may be, of an enum; empty where any text is allowed.
        names() -> &'static [&'static str] => of.names;

        /// Tests whether clients assign this primary key to new items.
        is_assigned_by_client() -> bool => assigned;

        /// Tests whether the attribute is the revision of an item, which each write changes.
        is_revision() -> bool => revision;

        /// Tests whether the format hook of the validator may hide or alter the value in responses.
        is_redacted() -> bool => redacted;

        /// Tests whether no two items may share a value.
        is_unique() -> bool => unique;

        /// Tests whether the database alone writes the attribute: a generated column, or one that a trigger sets.
        is_computed() -> bool => computed;

        /// Tests whether the database has a value for a new item that names none.
        has_default_of_database() -> bool => default_of_database;

        /// The example of its values in descriptions of the API.
        given_example() -> Option<Example> => example;

        /// The deprecation, where clients should no longer use it.
        deprecation() -> Option<&'static Deprecation> => deprecation;

        /// The breaks of the version that this one follows, as `breaks(…)` approves them.
        approvals() -> &'static [Approval] => approvals;

        /// The older version whose limits hold for bodies while it is registered, as its clients read what they store.
        readable_by() -> Option<DefinitionOf> => readable_by;

        /// Tests whether an index is asked for, beside those that uniqueness and references bring.
        is_indexed() -> bool => index;

        /// The forms in which columns hold the values.
        #[doc(hidden)]
        storage() -> &'static Storage => storage;
    }

    /// Tests whether the database assigns this primary key to new items: neither the client nor a
    /// default does.
    #[must_use]
    pub const fn is_assigned_by_database(&self) -> bool {
        self.primary_key && !self.assigned && !self.has_default()
    }

    /// Tests whether clients may read but not write the attribute.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.read_only || self.revision || self.computed || self.holds_deletion()
    }

    /// Tests whether this is a primary key that clients leave to the default of its column.
    #[doc(hidden)]
    pub const fn is_left_key(&self) -> bool {
        self.primary_key && self.default_of_database && !self.assigned
    }

    /// Tests whether bodies of this operation may name the attribute.
    #[doc(hidden)]
    pub const fn is_accepted_by(&self, operation: Operation) -> bool {
        match operation {
            // A key that the client assigns or that has a default may stand in the body of a new item.
            Operation::Create => {
                !self.is_read_only() && !self.is_assigned_by_database() && !self.is_left_key()
            }
            // The key is in the path of an update; a new one would make it another item.
            Operation::Update => !self.is_read_only() && !self.primary_key,
            // These operations have no body.
            Operation::List | Operation::Retrieve | Operation::Delete => false,
        }
    }

    /// Tests whether clients may write but not read the attribute.
    #[must_use]
    pub const fn is_write_only(&self) -> bool {
        self.write_only || self.holds_deletion()
    }

    /// Tests whether the attribute holds the moment at which an item was deleted. No client reads or writes it.
    #[must_use]
    pub const fn holds_deletion(&self) -> bool {
        self.deleted_at.is_some()
    }

    /// The value of an item that is deleted at `moment`.
    #[doc(hidden)]
    pub fn deleted_at(&self, moment: SystemTime) -> Option<Value> {
        self.deleted_at.map(|value| self.adjusted(value(moment)))
    }

    /// Tests whether errors must not repeat the value that a client sent.
    #[doc(hidden)]
    pub const fn is_secret(&self) -> bool {
        // A redacted value is hidden by a hook, which an error of the service would go around.
        self.is_write_only() || self.redacted
    }

    /// The fewest and the most Unicode scalar values of a text.
    #[must_use]
    pub const fn length_limits(&self) -> (Option<u32>, Option<u32>) {
        (self.min_length, self.max_length)
    }

    /// The number of characters at which answers cut a stored text, where they do.
    #[must_use]
    pub const fn truncation(&self) -> Option<u32> {
        if self.truncated {
            self.max_length
        } else {
            None
        }
    }

    /// The attribute with the limits that its struct declares: those of answers.
    #[doc(hidden)]
    #[must_use]
    pub const fn declared(&self) -> &Self {
        match self.declared {
            Some(declared) => declared,
            None => self,
        }
    }

    /// Tests whether limits of another version may hold for bodies, as `build` alone knows: where that is registered.
    pub(crate) const fn is_to_be_held(&self) -> bool {
        self.readable_by.is_some() && self.declared.is_none()
    }

    /// The attribute with no wider limits for bodies than `older` has.
    #[doc(hidden)]
    #[must_use]
    pub fn held_to(&'static self, older: &Self) -> Self {
        let (min, max) = (Bound::exceeds, |one: Bound, other| !one.exceeds(other));
        Self {
            min_length: narrower(self.min_length, older.min_length, |one, other| one > other),
            max_length: narrower(self.max_length, older.max_length, |one, other| one < other),
            min: narrower(self.min, older.min, min),
            max: narrower(self.max, older.max, max),
            declared: Some(self),
            ..*self
        }
    }

    /// Tests whether a new item must be given a value by the client.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        // A key that clients do not assign comes from the database or from a default.
        let client_sets_it = !self.primary_key || self.assigned;
        client_sets_it && !self.is_nullable() && !self.has_default() && !self.computed
    }

    const fn column_name(&self) -> &'static str {
        match self.column {
            Some(column) => column,
            None => self.name,
        }
    }

    /// The name of the column.
    #[doc(hidden)]
    pub const fn identifier(&self) -> Identifier {
        Identifier::new(self.column_name())
    }

    /// The least and the greatest value.
    #[doc(hidden)]
    pub const fn value_limits(&self) -> (Option<Bound>, Option<Bound>) {
        (self.min, self.max)
    }

    /// The items that the attribute points at, each with the attribute there; an attribute that the target lacks is none.
    #[doc(hidden)]
    pub fn all_references(
        &self,
    ) -> impl Iterator<Item = (Reference, Option<&'static Self>)> + use<> {
        self.references.iter().map(|reference| {
            let target = (reference.target)();
            // Without a name, the reference points at the primary key of its target, which then is one attribute.
            let attribute = match reference.attribute {
                Some(name) => target.find(name).map(|(_, attribute)| attribute),
                None => target.only_key(),
            };
            (*reference, attribute)
        })
    }

    /// Tests whether the value is that of another item.
    #[must_use]
    pub const fn is_reference(&self) -> bool {
        !self.references.is_empty()
    }

    /// Tests whether names may be added to its enum at any time.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.of.open
    }

    /// The reference to a resource, and the attribute there that this one points at.
    #[doc(hidden)]
    pub fn reference_to(&self, target_type: TypeId) -> Option<(Reference, Option<&'static Self>)> {
        let mut references = self.all_references();
        references.find(|(it, _)| it.target_type == target_type)
    }

    /// Tests whether a new item gets a value when the client names none.
    #[must_use]
    pub const fn has_default(&self) -> bool {
        self.default.is_some() || self.default_of_database
    }

    /// Tests whether the database gives a new item its value, which may be `absent`.
    #[doc(hidden)]
    pub const fn is_set_by_database(&self, absent: bool) -> bool {
        self.computed || self.is_assigned_by_database() || (self.default_of_database && absent)
    }

    /// Tests whether the database writes a text in its own words: it rounds an `interval(0)`, say.
    #[doc(hidden)]
    pub const fn has_text_of_database(&self) -> bool {
        // The texts of an enum are what they are.
        matches!(self.storage().postgres, StorageForm::Type(..)) && self.names().is_empty()
    }

    /// Tests whether the database gives a new item another value than a key, where its record has this one.
    #[doc(hidden)]
    pub const fn is_left_to_database(&self, value: Option<&Value>) -> bool {
        !self.is_assigned_by_database() && self.is_set_by_database(value.is_none())
    }

    /// A value for hooks, in the place of one that the database alone knows yet.
    #[doc(hidden)]
    pub fn placeholder(&self) -> Value {
        let kind = self.kind();
        match (self.is_nullable(), self.names().first()) {
            (true, _) => return Value::Null,
            (false, Some(name)) => return Value::Text((*name).to_owned()),
            (false, None) => {}
        }
        match kind {
            Kind::Boolean => Value::Boolean(false),
            Kind::SmallInteger | Kind::Integer | Kind::BigInteger => Value::Integer(0),
            Kind::Real | Kind::Double => Value::Real(0.0),
            Kind::Bytes => Value::Bytes(Vec::new()),
            Kind::Json => Value::Text(String::from("null")),
            _ => Value::Text(kind.entry().example.to_owned()),
        }
    }

    /// The form in which the Rust type of the field stores a value, or the error of a value that it refuses.
    #[doc(hidden)]
    pub fn normalise(&self, value: Value) -> Result<Value, RecordError> {
        let normal = (self.of.normalise)(value)?;
        self.storage.exact(self.kind(), normal)
    }

    /// A value of the developer's own code in the digits that are stored.
    #[doc(hidden)]
    #[must_use]
    pub fn adjusted(&self, value: Value) -> Value {
        self.storage.adjusted(self.kind(), value)
    }

    /// The value of a new item that names none.
    #[doc(hidden)]
    pub fn default_value(&self) -> Option<Value> {
        self.default.map(|value| self.adjusted(value()))
    }

    /// The value that each new item gets which names none; none where it is made anew for each of them.
    #[doc(hidden)]
    pub fn constant_default(&self) -> Option<Value> {
        // Times and UUIDs may be equal by chance.
        let is_made = matches!(
            self.kind(),
            Kind::Uuid | Kind::Date | Kind::Time | Kind::LocalDateTime | Kind::Timestamp
        );
        let value = self.default_value().filter(|_| !is_made);
        value.filter(|value| self.default_value().as_ref() == Some(value))
    }

    /// The value that an update which changes something sets when the client names none.
    #[doc(hidden)]
    pub fn value_on_update(&self) -> Option<Value> {
        self.default_on_update.map(|value| self.adjusted(value()))
    }

    /// Tests whether an update that changes something also sets this attribute.
    #[doc(hidden)]
    pub const fn has_default_on_update(&self) -> bool {
        self.default_on_update.is_some()
    }
}

/// The one of two limits that is narrower; the only one where the other is none.
fn narrower<T: Copy>(
    one: Option<T>,
    other: Option<T>,
    is_narrower: impl Fn(T, T) -> bool,
) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) if is_narrower(other, one) => Some(other),
        (one, other) => one.or(other),
    }
}

/// Builder methods of access control, which the derive calls.
impl Attribute {
    setters! {
        /// Holds the owner of an item.
        owner() => owner = true;

        /// Shows the attribute only to callers with `scopes`.
        read_scope(scopes: &'static Requirement) => read_scope = Some(scopes);

        /// Takes the attribute only from callers with `scopes`.
        write_scope(scopes: &'static Requirement) => write_scope = Some(scopes);
    }
}

/// Access control.
impl Attribute {
    /// Tests whether the attribute holds the owner of an item: a claim of the caller's token. Only callers
    /// who bypass the owner rule may send it.
    #[must_use]
    pub const fn is_owner(&self) -> bool {
        self.owner
    }

    /// The scopes without which the attribute is hidden from a caller, beside those of the operation.
    #[must_use]
    pub const fn scopes_to_read(&self) -> Option<Requirement> {
        self.read_scope.copied()
    }

    /// The scopes without which the attribute is refused in bodies, beside those of the operation.
    #[must_use]
    pub const fn scopes_to_write(&self) -> Option<Requirement> {
        self.write_scope.copied()
    }
}

impl Attribute {
    /// The value that `text` spells in a path, or in a claim. An integer has only one spelling, so that
    /// an item has one address.
    #[doc(hidden)]
    pub fn spelled(&self, text: &str) -> Option<Value> {
        // Only keys and owners are spelled, which are integers or are written as strings.
        let value = match (self.kind().integer_range(), integer(text)) {
            // `07` and `+7` are parsed as well, but are not the text that the number has.
            (Some((least, greatest)), Integer::Exact(integer))
                if (least..=greatest).contains(&integer) && integer.to_string() == text =>
            {
                Value::Integer(integer)
            }
            (Some(_), _) => return None,
            // PostgreSQL cannot store U+0000, so that no item has such a value.
            (None, _) if text.contains('\0') => return None,
            (None, _) => Value::Text(text.to_owned()),
        };
        // A text that the Rust type refuses stands for no value, and so for no item.
        self.normalise(value).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribute, Value};

    #[test]
    fn an_integer_is_spelled_in_one_way() {
        let number = Attribute::of::<i16>("number");
        assert_eq!(number.spelled("-7"), Some(Value::Integer(-7)));
        for text in ["", "07", "+7", "7.0", "7e0", " 7", "-0", "32768", "ann"] {
            assert_eq!(number.spelled(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_text_is_any_that_can_be_stored() {
        let name = Attribute::of::<String>("name");
        assert_eq!(name.spelled("07"), Some(Value::Text("07".into())));
        assert_eq!(name.spelled("a\0"), None);
    }
}
