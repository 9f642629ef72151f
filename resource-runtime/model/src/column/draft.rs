//! Drafts: new items of which only some attributes are named, and the macro that makes them.

use std::fmt;
use std::marker::PhantomData;

use super::{Column, Operand};
use crate::schema::ApiResource;
use crate::schema::constant::is_same;
use crate::value::{Record, Value};

/// A new item, made by [`new!`](crate::new) or from a whole struct. An attribute that is not named gets its default
/// when the item is inserted, or becomes null, as in the body of a client's request.
///
/// ```
/// use resource_runtime::{ApiResource, new};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Track", url = "/tracks", version = "1.0")]
/// struct Track {
///     id: i64,
///     name: String,
///     seconds: Option<i64>,
/// }
///
/// let peg = new!(Track { name: "Peg" });
/// let long = peg.clone().set(Track::SECONDS, 240);
/// # drop((peg, long));
/// ```
#[must_use = "a draft is stored only once it is inserted"]
pub struct Draft<R> {
    record: Record,
    resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource> Draft<R> {
    /// A draft without values.
    #[doc(hidden)]
    #[allow(
        clippy::new_without_default,
        reason = "`new!` checks that what is required is named"
    )]
    pub fn new() -> Self {
        Self::of(Record::absent(R::ATTRIBUTES.len()))
    }

    const fn of(record: Record) -> Self {
        Self {
            record,
            resource: PhantomData,
        }
    }

    /// Sets an attribute, in place of the value that it may have.
    pub fn set<T>(mut self, column: Column<R, T>, value: impl Operand<T>) -> Self {
        self.record.set(column.index(), value.into_value());
        self
    }

    /// Sets an attribute where there is a value; without one it gets its default, or becomes null.
    ///
    /// ```
    /// # use resource_runtime::{ApiResource, Draft, new};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Loan", url = "/loans", version = "1.0")]
    /// # struct Loan { id: i64, reader: String, #[resource(default = 14)] days: i32 }
    /// fn loan(reader: &str, days: Option<i32>) -> Draft<Loan> {
    ///     new!(Loan { reader }).set_some(Loan::DAYS, days)
    /// }
    /// # drop(loan("ann", None));
    /// ```
    pub fn set_some<T>(self, column: Column<R, T>, value: Option<impl Operand<T>>) -> Self {
        match value {
            Some(value) => self.set(column, value),
            None => self,
        }
    }

    /// Sets the attribute of a field, from whose access the compiler takes the type.
    #[doc(hidden)]
    pub fn with<T>(mut self, field: &str, _: impl Fn(&R) -> &T, value: impl Operand<T>) -> Self {
        set_field(&mut self.record, R::FIELDS, field, value.into_value());
        self
    }

    /// The values, absent where an attribute is not named.
    #[doc(hidden)]
    pub fn into_record(self) -> Record {
        self.record
    }
}

fn set_field(record: &mut Record, fields: &str, field: &str, value: Value) {
    let field = field.strip_prefix("r#").unwrap_or(field);
    // The access of the field has compiled, so there is one.
    if let Some(index) = fields.split(' ').position(|it| it == field) {
        record.set(index, value);
    }
}

impl<R> Clone for Draft<R> {
    fn clone(&self) -> Self {
        Self {
            record: self.record.clone(),
            resource: PhantomData,
        }
    }
}

/// Names every attribute.
impl<R: ApiResource> From<R> for Draft<R> {
    fn from(item: R) -> Self {
        Self::of(item.to_record())
    }
}

/// Leaves the values out, which may be secret.
impl<R: ApiResource> fmt::Debug for Draft<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = R::DEFINITION.name();
        formatter.debug_tuple("Draft").field(&resource).finish()
    }
}

/// Makes a [`Draft`] of some fields of a resource, to insert it.
///
/// ```
/// use resource_runtime::{Api, ApiResource, Error, new};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Track", url = "/tracks", version = "1.0")]
/// struct Track {
///     id: i64,
///     name: String,
///     seconds: Option<i64>,
///     #[resource(default = 1.0)]
///     rating: f64,
/// }
///
/// async fn store(api: &Api) -> Result<Track, Error> {
///     api.items::<Track>().insert(new!(Track { name: "Peg", seconds: 240 })).await
/// }
/// ```
///
/// Values are those that a [`Column`](crate::Column) takes: `"Peg"` for a `String`, `240` for an `Option<i64>`. These
/// fields may be left out: `Option`s, those with a default, a key that the database assigns, and the owner, whom a
/// caller's claim names. Any other that is missing is an error of `cargo check`:
///
/// ```compile_fail
/// # use resource_runtime::{ApiResource, new};
/// # #[derive(ApiResource)]
/// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
/// # struct Track { id: i64, name: String, seconds: i64 }
/// let track = new!(Track { name: "Peg" }); // `seconds` is required for a new Track
/// ```
#[macro_export]
macro_rules! new {
    ($resource:path { $($field:ident $(: $value:expr)?),* $(,)? }) => {{
        const _: () = $crate::column::require_fields::<$resource>(
            ::core::stringify!($resource),
            ::core::concat!($(::core::stringify!($field), " "),*),
        );
        $crate::column::Draft::<$resource>::new()$(.with(
            ::core::stringify!($field),
            |it: &$resource| &it.$field,
            $crate::new!(@value $field $($value)?),
        ))*
    }};
    (@value $field:ident) => { $field };
    (@value $field:ident $value:expr) => { $value };
}

/// Fails to compile where a required field of the resource is not among those named, which are separated by spaces.
#[doc(hidden)]
#[track_caller]
pub const fn require_fields<R: ApiResource>(resource: &str, named: &str) {
    let named = named.as_bytes();
    let mut unchecked = named;
    while !unchecked.is_empty() {
        let (name, others) = first_word(unchecked);
        assert!(!has_word(others, name), "a field is named twice");
        // The compiler reports an unknown field, which may be the one that would be missing here.
        if !has_word(R::FIELDS.as_bytes(), name) {
            return;
        }
        unchecked = others;
    }
    let (mut fields, mut attributes) = (R::FIELDS.as_bytes(), R::ATTRIBUTES);
    while let [attribute, others @ ..] = attributes {
        let (field, rest) = first_word(fields);
        (fields, attributes) = (rest, others);
        let is_needed = attribute.is_required() && !attribute.is_owner();
        let is_given = !is_needed || has_word(named, field);
        // The message is made for the mistake alone: its text takes the compiler longer than the test.
        if !is_given {
            let (end, resource) = (
                b"; it is no `Option` and has no default",
                resource.as_bytes(),
            );
            let message = joined(&[b"`", field, b"` is required for a new ", resource, end]);
            let message = match str::from_utf8(message.trim_ascii_end()) {
                Ok(message) => message,
                // Names of hundreds of letters, which may be cut off within a character.
                Err(_) => "a required field is missing",
            };
            assert!(is_given, "{}", message);
        }
    }
}

/// Tests whether one of the words is `wanted`.
const fn has_word(mut words: &[u8], wanted: &[u8]) -> bool {
    while !words.is_empty() {
        let (word, others) = first_word(words);
        if is_same(word, wanted) {
            return true;
        }
        words = others;
    }
    false
}

/// The first word, without the prefix of a raw identifier, and the words behind it.
const fn first_word(words: &[u8]) -> (&[u8], &[u8]) {
    let words = if let [b'r', b'#', words @ ..] = words {
        words
    } else {
        words
    };
    let mut rest = words;
    while let [letter, behind @ ..] = rest {
        if *letter == b' ' {
            return (words.split_at(words.len() - rest.len()).0, behind);
        }
        rest = behind;
    }
    (words, rest)
}

/// The parts one after another, then spaces; what does not fit is left out.
const fn joined(mut parts: &[&[u8]]) -> [u8; 400] {
    let mut text = [b' '; 400];
    let mut free: &mut [u8] = &mut text;
    while let [part, others @ ..] = parts
        && let Some((place, rest)) = free.split_at_mut_checked(part.len())
    {
        place.copy_from_slice(part);
        (parts, free) = (others, rest);
    }
    text
}
