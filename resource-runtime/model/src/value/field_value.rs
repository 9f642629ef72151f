//! The trait of Rust types that fields of resources may have.

use super::{Kind, Record, RecordError, Value, Values};

/// A Rust type that a field of a resource may have.
///
/// Derive it for an enum of unit variants, which is stored as the name of its variant, and for a
/// newtype, which is stored as the type inside:
///
/// ```
/// use resource_runtime::FieldValue;
///
/// #[derive(FieldValue)]
/// #[resource(rename_all = "snake_case")]
/// enum Priority {
///     Normal,
///     VeryHigh,
/// }
///
/// #[derive(FieldValue)]
/// struct CustomerNumber(i64);
///
/// assert_eq!(Priority::NAMES, ["normal", "very_high"]);
/// ```
///
/// Implement it by hand where a type holds fewer values than the one it is stored as. A value that
/// it refuses is refused from clients, too:
///
/// ```
/// use resource_runtime::{FieldValue, RecordError, Value, schema::Kind};
///
/// struct Celsius(f64);
///
/// impl FieldValue for Celsius {
///     const KIND: Kind = f64::KIND;
///
///     fn from_value(value: Value) -> Result<Self, RecordError> {
///         let degrees = f64::from_value(value)?;
///         if degrees < -273.15 {
///             return Err(RecordError::new("is below absolute zero"));
///         }
///         Ok(Self(degrees))
///     }
///
///     fn to_value(&self) -> Value {
///         self.0.to_value()
///     }
/// }
///
/// assert_eq!(Celsius(36.6).to_value(), Value::Real(36.6));
/// assert!(Celsius::normalise(Value::Real(-300.0)).is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a resource field",
    label = "not a storable field type",
    note = "storable are `bool`, `i16`, `i32`, `i64`, `f32`, `f64`, `String`, `Vec<u8>`, `serde_json::Value`, and `Option` of each",
    note = "an integer of another size becomes an `i64`, with `#[resource(min = 0)]` where it must not be negative; a list or a map becomes a `serde_json::Value`",
    note = "the features `chrono`, `uuid` and `decimal` of `resource-runtime` add their types",
    note = "for a type of your own add `#[derive(resource_runtime::FieldValue)]`, or implement the trait",
    note = "another resource is referred to by its key: `#[resource(references = Address)] address_id: i64`"
)]
pub trait FieldValue: Sized + Send + 'static {
    /// The kind in which values of this type are stored.
    const KIND: Kind;

    /// True where a value may be null: true for [`Option`] alone.
    const NULLABLE: bool = false;

    /// The texts that a value may be; empty where any text is allowed.
    const NAMES: &'static [&'static str] = &[];

    /// True where texts may be added to an enum at any time, so that clients must expect others.
    const OPEN: bool = false;

    /// The typed value; an error when `value` is of another kind or out of range.
    fn from_value(value: Value) -> Result<Self, RecordError>;

    /// The value as it is stored.
    fn to_value(&self) -> Value;

    /// The form in which a value that a client sent is stored: equal values have equal forms.
    /// An error where it is none of this type's; the error's text goes to the client.
    ///
    /// A value whose kind is a string in JSON arrives as the client's text.
    fn normalise(value: Value) -> Result<Value, RecordError> {
        Self::from_value(value).map(|typed| typed.to_value())
    }

    /// The facts above.
    #[doc(hidden)]
    const TYPE: &'static FieldType = &FieldType {
        kind: Self::KIND,
        nullable: Self::NULLABLE,
        names: Self::NAMES,
        open: Self::OPEN,
        normalise: Self::normalise,
    };

    /// The next one of the values of an item.
    #[doc(hidden)]
    fn take(values: &mut Values<'_>) -> Result<Self, RecordError> {
        values.take()
    }

    /// Adds the value to those of an item. It is no method, which could be taken for another one of the type.
    #[doc(hidden)]
    fn put(value: &Self, record: &mut Record) {
        record.push(value.to_value());
    }
}

/// The part of an attribute that follows from its Rust type. Attributes of one type share it, which
/// makes definitions smaller.
#[derive(Debug)]
#[doc(hidden)]
pub struct FieldType {
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    pub(crate) names: &'static [&'static str],
    pub(crate) open: bool,
    pub(crate) normalise: fn(Value) -> Result<Value, RecordError>,
}

impl<T: FieldValue> FieldValue for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;
    const NAMES: &'static [&'static str] = T::NAMES;
    const OPEN: bool = T::OPEN;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        // Null is taken here alone; any other type refuses it as a value of another kind.
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }

    fn normalise(value: Value) -> Result<Value, RecordError> {
        // Null does not arrive here: nullability is checked before.
        T::normalise(value)
    }
}
