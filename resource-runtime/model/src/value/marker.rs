//! Marker traits, by which the compiler checks that an attribute's constraints suit its type.

use std::time::SystemTime;

use super::{FieldValue, Value};

/// Types that `max_length` and `min_length` can limit: text by its characters, bytes by their
/// number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no length to limit",
    label = "`max_length` and `min_length` need text or bytes",
    note = "for numbers write `min = …` and `max = …`; for other types remove it"
)]
pub trait Length: FieldValue {}

impl Length for String {}
impl Length for Vec<u8> {}
impl<T: Length> Length for Option<T> {}

/// Types that `min` and `max` can limit: integers, floating-point numbers and decimals.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no range to limit",
    label = "`min` and `max` need a number",
    note = "for text and bytes write `min_length = …` and `max_length = …`; for other types remove it"
)]
pub trait Number: FieldValue {}

impl Number for i16 {}
impl Number for i32 {}
impl Number for i64 {}
impl Number for f32 {}
impl Number for f64 {}
#[cfg(feature = "decimal")]
impl Number for rust_decimal::Decimal {}
impl<T: Number> Number for Option<T> {}

/// Types whose values the database can assign to new items: integers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a primary key that the database assigns",
    label = "not a key that the database can assign",
    note = "the database assigns an `i64`, an `i32` or a newtype of one of them",
    note = "for a key that clients assign write `#[resource(primary_key, assigned)]`; for one that the service assigns, `#[resource(primary_key, default = …)]`"
)]
pub trait PrimaryKey: FieldValue {}

impl PrimaryKey for i32 {}
impl PrimaryKey for i64 {}

/// Types that can be a primary key which the client or the service assigns: their values can be part
/// of a path, and equal values are equal texts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a primary key",
    label = "not a type that identifies an item",
    note = "a primary key is a `String`, a `uuid::Uuid`, an integer, an enum, or a newtype of one of them"
)]
pub trait AssignedKey: FieldValue {}

impl AssignedKey for i16 {}
impl AssignedKey for i32 {}
impl AssignedKey for i64 {}
impl AssignedKey for String {}
#[cfg(feature = "uuid")]
impl AssignedKey for uuid::Uuid {}

/// Types that can name the owner of an item: their values can be read from a claim of a token, and
/// equal owners are equal values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an owner",
    label = "not a type that names the owner of an item",
    note = "an owner is a `String`, a `uuid::Uuid`, an integer, or a newtype or an `Option` of one of them"
)]
pub trait Owner: FieldValue {}

impl Owner for i16 {}
impl Owner for i32 {}
impl Owner for i64 {}
impl Owner for String {}
#[cfg(feature = "uuid")]
impl Owner for uuid::Uuid {}
impl<T: Owner> Owner for Option<T> {}

/// Types that can hold when an item was deleted.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold when an item was deleted",
    label = "not a type of moments",
    note = "the field of `soft_delete` is an `Option<DateTime<Utc>>` of `chrono`, with the feature `chrono` of `resource-runtime`"
)]
pub trait DeletionTime: FieldValue {
    /// The value of a moment.
    #[doc(hidden)]
    fn at(moment: SystemTime) -> Value;
}

#[cfg(feature = "chrono")]
impl DeletionTime for chrono::DateTime<chrono::Utc> {
    fn at(moment: SystemTime) -> Value {
        Self::from(moment).to_value()
    }
}

/// Types whose values are stored as text, which patterns match: `String`, and enums and newtypes of text with
/// `#[derive(FieldValue)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no text",
    label = "`like`, `ilike` and `starts_with` need text"
)]
pub trait Text: FieldValue {}

impl Text for String {}
impl<T: Text> Text for Option<T> {}
