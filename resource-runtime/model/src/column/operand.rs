//! The values that a column can be compared with and set to.

use crate::value::{FieldValue, Value};

/// A value that an attribute of type `T` can be compared with or set to: a `T` or a reference to one, the `T` of an
/// `Option<T>`, and `&str` for a `String`.
///
/// Literals find their type: `Track::SECONDS.gt(600)`, also where the attribute is an `i16` or an `Option<i64>`.
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{T}` cannot be compared with or set to `{Self}`",
    label = "not a value of type `{T}`"
)]
pub trait Operand<T> {
    /// The value as it is stored.
    #[doc(hidden)]
    fn into_value(self) -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: FieldValue> Operand<T> for T {
    fn into_value(self) -> Value {
        self.to_value()
    }
}

#[diagnostic::do_not_recommend]
impl<T: FieldValue> Operand<Option<T>> for T {
    fn into_value(self) -> Value {
        self.to_value()
    }
}

#[diagnostic::do_not_recommend]
impl<T: FieldValue> Operand<T> for &T {
    fn into_value(self) -> Value {
        self.to_value()
    }
}

#[diagnostic::do_not_recommend]
impl<T: FieldValue> Operand<Option<T>> for &T {
    fn into_value(self) -> Value {
        self.to_value()
    }
}

#[diagnostic::do_not_recommend]
impl Operand<String> for &str {
    fn into_value(self) -> Value {
        Value::Text(self.to_owned())
    }
}

#[diagnostic::do_not_recommend]
impl Operand<Option<String>> for &str {
    fn into_value(self) -> Value {
        Value::Text(self.to_owned())
    }
}
