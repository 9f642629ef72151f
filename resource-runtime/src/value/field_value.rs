use super::{RecordError, Value};
use crate::schema::Kind;

/// A Rust type that a field of a resource may have.
///
/// Implement it for a newtype by handing on to the type inside. A value that it refuses is refused
/// from clients, too:
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
/// assert!(Celsius::check(&Value::Real(-300.0)).is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a resource field",
    label = "not a storable field type",
    note = "storable are `bool`, `i16`, `i32`, `i64`, `f64`, `String`, and `Option` of each",
    note = "for a type of your own implement `resource_runtime::FieldValue`"
)]
pub trait FieldValue: Sized + Send + 'static {
    /// The kind in which values of this type are stored.
    const KIND: Kind;

    /// Whether a value may be null: true for [`Option`] alone.
    const NULLABLE: bool = false;

    /// The typed value; an error when `value` is of another kind or out of range.
    fn from_value(value: Value) -> Result<Self, RecordError>;

    /// The value as it is stored.
    fn to_value(&self) -> Value;

    /// Whether a value of the kind, which a client sent, is one of this type's; the error's text
    /// goes to the client.
    fn check(value: &Value) -> Result<(), RecordError> {
        Self::from_value(value.clone()).map(drop)
    }
}

macro_rules! integer {
    ($($type:ty => $kind:ident),*) => {$(
        impl FieldValue for $type {
            const KIND: Kind = Kind::$kind;

            fn from_value(value: Value) -> Result<Self, RecordError> {
                match value {
                    Value::Integer(integer) => {
                        Self::try_from(integer).map_err(|_| RecordError::mismatch(Self::KIND))
                    }
                    _ => Err(RecordError::mismatch(Self::KIND)),
                }
            }

            fn to_value(&self) -> Value {
                Value::Integer(i64::from(*self))
            }

            fn check(_: &Value) -> Result<(), RecordError> {
                Ok(())
            }
        }
    )*};
}

integer!(i16 => SmallInteger, i32 => Integer, i64 => BigInteger);

impl FieldValue for bool {
    const KIND: Kind = Kind::Boolean;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            Value::Boolean(boolean) => Ok(boolean),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Boolean(*self)
    }

    fn check(_: &Value) -> Result<(), RecordError> {
        Ok(())
    }
}

impl FieldValue for f64 {
    const KIND: Kind = Kind::Double;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            Value::Real(real) => Ok(real),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Real(*self)
    }

    fn check(_: &Value) -> Result<(), RecordError> {
        Ok(())
    }
}

impl FieldValue for String {
    const KIND: Kind = Kind::Text;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            Value::Text(text) => Ok(text),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }

    fn check(_: &Value) -> Result<(), RecordError> {
        Ok(())
    }
}

impl<T: FieldValue> FieldValue for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }

    fn check(value: &Value) -> Result<(), RecordError> {
        T::check(value)
    }
}
