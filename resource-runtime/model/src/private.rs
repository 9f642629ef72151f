//! Functions and types for the code that the derive generates. They are not part of the public API, and change
//! with the derive, which has the same version.

pub use std::result::Result as CoreResult;

pub use crate::column::{Column, Related};
pub use crate::schema::Operation::{Create, Delete, List, Retrieve, Update};
pub use crate::schema::Requirement::{All as all, Any as any};
pub use crate::schema::evolution::{Approval, Deprecation, Rule, Versions};
pub use crate::schema::{
    ApiResource, Attribute, AttributeReference, Collection, ErasedValidator, Example, Guard, Kind,
    Ownership, Peculiarity, ReferentialAction, Requirement, ResourceDefinition, Routes, Storage,
    StorageForm, Subresource, TimeText, Version,
};
pub use crate::value::{
    AssignedKey, DeletionTime, FieldType, FieldValue, Length, Number, Owner, PrimaryKey, Record,
    RecordError, Text, Value, Values,
};
// A crate may shadow names of the prelude, which generated code must not notice.
pub use {None, Ok, Some};

/// The result of `from_values`.
pub type Result<T> = CoreResult<T, RecordError>;

/// An attribute named `name` of this type.
#[must_use]
pub const fn attribute(name: &'static str, of: &'static FieldType) -> Attribute {
    Attribute::new(name, of)
}

/// The attribute, whose stored texts answers cut; fails to compile for another type than text.
#[must_use]
#[track_caller]
pub const fn truncated(attribute: Attribute) -> Attribute {
    // The compiler alone calls it, to which a panic is an error at the place of the call.
    let is_text = matches!(attribute.kind(), Kind::Text) && attribute.names().is_empty();
    assert!(is_text, "`truncate` cuts texts alone; remove it");
    attribute.truncate()
}

/// A reference of an attribute to the primary key of an item of `R`.
#[must_use]
pub const fn reference<R: ApiResource>() -> AttributeReference {
    AttributeReference::to::<R>()
}

/// The approval of a break at these places, for a reason.
#[must_use]
pub const fn approval(
    rule: Rule,
    places: &'static [&'static str],
    reason: &'static str,
) -> Approval {
    Approval {
        rule,
        places,
        reason,
    }
}

/// The resource `name`, served at `<version>/<collection>`.
#[must_use]
pub const fn definition(
    name: &'static str,
    collection: &'static str,
    version: Version,
) -> ResourceDefinition {
    ResourceDefinition::new(name, collection, version)
}

/// The storage of values of a kind; fails to compile where they cannot be stored so.
#[must_use]
#[track_caller]
pub const fn storage(kind: Kind, storage: &'static Storage) -> &'static Storage {
    storage.require(kind);
    storage
}

/// The example of values of a kind; fails to compile for a literal of another one.
#[must_use]
#[track_caller]
pub const fn example(kind: Kind, example: Example) -> Example {
    assert!(
        example.is_of(kind),
        "the example is no literal of the field's type: write a number, `true` or `false`, bytes as `b\"…\"`, and all other \
         values as strings, in the form that they have in JSON"
    );
    example
}

/// The subresource `name` of type `R`, found by the attributes `keys`.
#[must_use]
pub const fn subresource<R: ApiResource>(
    name: &'static str,
    keys: &'static [&'static str],
) -> Subresource {
    Subresource::to::<R>(name, keys)
}

/// The collection `name` of the items that refer by `column`.
#[must_use]
pub const fn collection<R: ApiResource, T>(name: &'static str, column: Column<R, T>) -> Collection {
    Collection::of::<R>(name, column.index())
}

/// The place of `column` among those of the resource that `first` is of.
#[must_use]
pub const fn beside<R: ApiResource, T, U>(_first: Column<R, T>, column: Column<R, U>) -> usize {
    column.index()
}

/// The column of the attribute at `index`.
#[must_use]
pub const fn column<R, T>(index: usize) -> Column<R, T> {
    Column::at(index)
}

/// The subresource at `index`.
#[must_use]
pub const fn related<R, S>(index: usize) -> Related<R, S> {
    Related::at(index)
}

/// A guard that admits nobody to the operations of a resource yet.
#[must_use]
pub const fn guard() -> Guard {
    Guard::closed()
}

/// The rule that items belong to the caller whom `claim` names.
#[must_use]
pub const fn claim(claim: &'static str) -> Ownership {
    Ownership::of_claim(claim)
}

/// The value of a default, by the conversion of its type.
#[must_use]
#[allow(
    clippy::needless_pass_by_value,
    reason = "the derive writes `value(conversion, expression)`, where a reference would be one more thing to read"
)]
pub fn value<T>(to_value: fn(&T) -> Value, value: T) -> Value {
    to_value(&value)
}

/// The value that the string literal of a default stands for.
#[must_use]
pub fn literal<T: FromLiteral>(literal: &'static str) -> T {
    T::from_literal(literal)
}

/// Types that a string literal may stand for: all that implement `From<&str>`.
#[diagnostic::on_unimplemented(
    message = "a string cannot be the default of `{Self}`",
    label = "not a value of type `{Self}`",
    note = "a string stands for a `String` and for types that implement `From<&str>`; write an expression of type `{Self}`"
)]
pub trait FromLiteral: Sized {
    /// The value that `literal` stands for.
    fn from_literal(literal: &'static str) -> Self;
}

// An error should name `FromLiteral`, whose message explains the mistake, not `From`.
#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromLiteral for T {
    fn from_literal(literal: &'static str) -> Self {
        literal.into()
    }
}

/// The text of a value; empty where the value is no text.
#[must_use]
pub fn text(value: &Value) -> &str {
    match value {
        Value::Text(text) => text,
        _ => "",
    }
}

/// The value that is stored for the variant `name` of an enum.
#[must_use]
pub fn named(name: &'static str) -> Value {
    Value::Text(name.to_owned())
}

/// The error of a value that names no variant: it is none of `names`.
pub fn not_named<T>(_: &Value, names: &[&str]) -> Result<T> {
    // The error does not repeat the value, which may be a secret.
    Err(RecordError::not_named(names))
}

/// Placeholders for the items of a struct with mistakes, so that the compiler reports no errors but
/// those mistakes.
pub mod fallback {
    use super::{RecordError, ResourceDefinition, Result, Routes, Version};

    /// No resource.
    pub const DEFINITION: &ResourceDefinition =
        &ResourceDefinition::new("", "", Version::new(0, 0));

    /// No routes.
    pub const ROUTES: &Routes = &Routes::new("");

    /// No item.
    pub fn record<T>() -> Result<T> {
        Err(RecordError::absent())
    }

    /// No value.
    pub fn value<T>() -> Result<T> {
        Err(RecordError::absent())
    }
}
