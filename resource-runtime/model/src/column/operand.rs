//! The values that a column can be compared with and set to.

use crate::value::{FieldValue, Key, Value};

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

/// The key of an item: a value of the type `K` of its attribute as for [`Operand`], or a tuple of such values where the key
/// has several parts.
///
/// ```
/// # use resource_runtime::{Api, ApiResource, Error};
/// # #[derive(ApiResource)]
/// # #[resource(name = "Seat", url = "/seats", version = "1.0")]
/// # struct Seat { #[resource(primary_key)] row: String, #[resource(primary_key)] number: i32, price: i64 }
/// async fn seat(api: &Api) -> Result<Option<Seat>, Error> {
///     api.items::<Seat>().get(("B", 7)).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "an item whose key is of type `{K}` cannot be found by `{Self}`",
    label = "not a key of type `{K}`",
    note = "a key of several parts is a tuple of their values in the order of the fields"
)]
pub trait KeyOperand<K> {
    /// The key as it is stored.
    #[doc(hidden)]
    fn into_key(self) -> Key;
}

#[diagnostic::do_not_recommend]
impl<K: FieldValue, T: Operand<K>> KeyOperand<K> for T {
    fn into_key(self) -> Key {
        Key::from(self.into_value())
    }
}

macro_rules! tuples {
    ($one:ident $of_one:ident) => {};
    ($first:ident $of_first:ident $($part:ident $of_part:ident)+) => {
        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case, reason = "each part is named like its type")]
        impl<$first, $($part,)+ $of_first: Operand<$first>, $($of_part: Operand<$part>),+>
            KeyOperand<($first, $($part),+)> for ($of_first, $($of_part),+)
        {
            fn into_key(self) -> Key {
                let ($first, $($part),+) = self;
                Key::of($first.into_value(), vec![$($part.into_value()),+])
            }
        }

        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case, reason = "each part is named like its type")]
        impl<$first: FieldValue, $($part: FieldValue),+> KeyOperand<($first, $($part),+)>
            for &($first, $($part),+)
        {
            fn into_key(self) -> Key {
                let ($first, $($part),+) = self;
                Key::of($first.to_value(), vec![$($part.to_value()),+])
            }
        }

        tuples!($($part $of_part)+);
    };
}
tuples!(A TA B TB C TC D TD E TE F TF G TG H TH);
