//! Keys of items: a list of values, one for each key attribute.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::{fmt, iter};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{FieldValue, RecordError, Value};

/// All octets but those that a URL shows as they are (RFC 3986, section 2.3).
pub const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// All octets but those that a part of a key shows as they are.
const NOT_IN_PART: &AsciiSet = &NOT_UNRESERVED.add(b'~');

/// The values of the key attributes of one item, in the order of their declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    first: Value,
    /// Empty for nearly every resource, which takes no memory.
    rest: Vec<Value>,
}

impl Key {
    /// A key of these values, one for each key attribute; `None` without any value.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Option<Self> {
        // The first value is held apart, so that a key without any cannot exist.
        let mut values = values.into_iter();
        let first = values.next()?;
        // An empty `Vec` allocates nothing, which is the case for keys of one attribute.
        let rest = values.collect();
        Some(Self { first, rest })
    }

    /// A key of several values, one for each key attribute.
    pub(crate) const fn of(first: Value, rest: Vec<Value>) -> Self {
        Self { first, rest }
    }

    /// The values, one for each key attribute.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        iter::once(&self.first).chain(&self.rest)
    }

    /// The value of a key of one attribute.
    pub fn only(&self) -> Option<&Value> {
        Some(&self.first).filter(|_| self.rest.is_empty())
    }

    /// Writes the key as a segment of a path: one value percent-encoded; several separated by commas, each with tildes for
    /// percent signs. Some clients encode a whole segment once more, commas included or not: then no one could tell a
    /// percent sign of a text from that of an escape.
    pub fn write_segment(&self, path: &mut String) {
        for (index, value) in self.values().enumerate() {
            path.extend((index > 0).then_some(','));
            match value {
                // A text may hold slashes, commas and spaces, which would make another path of it.
                Value::Text(text) if self.rest.is_empty() => {
                    path.extend(utf8_percent_encode(text, NOT_UNRESERVED));
                }
                Value::Text(text) => write_escaped(text, path),
                // A `String` takes all that is written to it.
                value => write!(path, "{value}").unwrap_or_default(),
            }
        }
    }

    /// The text from which a definition reads the key again: one value as it is, several as in a path.
    pub fn to_text(&self) -> String {
        if self.rest.is_empty() {
            return self.to_string();
        }
        let mut text = String::new();
        self.write_segment(&mut text);
        text
    }
}

/// Writes a text as a part of a key of several: with `~2C` for a comma, as a comma ends the part.
pub fn write_escaped(text: &str, path: &mut String) {
    let escaped = utf8_percent_encode(text, NOT_IN_PART);
    // Each percent sign is that of an escape, since those of the text are escaped.
    path.extend(escaped.map(|piece| piece.replace('%', "~")));
}

/// A segment of a path with commas between the parts of a key; `None` where it is no UTF-8. A client that encodes whole
/// segments encodes these commas, too.
pub fn key_segment(segment: &str) -> Option<Cow<'_, str>> {
    if segment.contains(',') {
        return Some(Cow::Borrowed(segment));
    }
    percent_decode_str(segment).decode_utf8().ok()
}

/// The text that a part of such a segment stands for; `None` where it has a tilde that is no escape, or is no UTF-8.
pub fn key_part(part: &str) -> Option<Cow<'_, str>> {
    // Most parts have no escape, and are read where they stand.
    if !part.bytes().any(|it| matches!(it, b'%' | b'~')) {
        return Some(Cow::Borrowed(part));
    }
    let text = percent_decode_str(part).decode_utf8().ok()?;
    unescaped(&text).map(Cow::Owned)
}

fn unescaped(part: &str) -> Option<String> {
    let mut pieces = part.split('~');
    let mut bytes = Vec::from(pieces.next()?);
    for piece in pieces {
        let (digits, rest) = piece.split_at_checked(2)?;
        // `from_str_radix` alone would take a sign.
        let is_octet = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| is_octet)?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The type of a primary key: that of its attribute, or a tuple of the types of its parts in the order of the fields.
///
/// ```
/// use resource_runtime::ApiResource;
///
/// #[derive(ApiResource)]
/// #[resource(name = "Seat", url = "/seats", version = "1.0")]
/// struct Seat {
///     #[resource(primary_key)]
///     row: String,
///     #[resource(primary_key)]
///     number: i32,
/// }
///
/// let key: <Seat as ApiResource>::Key = ("B".to_owned(), 7);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a primary key",
    label = "neither a field's type nor a tuple of two to eight of them"
)]
pub trait ItemKey: Sized + Send + 'static {
    /// The typed key.
    #[doc(hidden)]
    fn from_key(key: Key) -> Result<Self, RecordError>;
}

#[diagnostic::do_not_recommend]
impl<T: FieldValue> ItemKey for T {
    fn from_key(key: Key) -> Result<Self, RecordError> {
        T::from_value(key.first)
    }
}

macro_rules! tuples {
    ($one:ident) => {};
    ($first:ident $($part:ident)+) => {
        impl<$first: FieldValue, $($part: FieldValue),+> ItemKey for ($first, $($part),+) {
            fn from_key(key: Key) -> Result<Self, RecordError> {
                let mut rest = key.rest.into_iter();
                let first = $first::from_value(key.first)?;
                Ok((first, $($part::from_value(rest.next().ok_or_else(RecordError::absent)?)?),+))
            }
        }

        tuples!($($part)+);
    };
}
tuples!(A B C D E F G H);

impl From<Value> for Key {
    fn from(first: Value) -> Self {
        let rest = Vec::new();
        Self { first, rest }
    }
}

/// Shows the key for people, its values separated by commas.
impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(formatter)?;
        self.rest
            .iter()
            .try_for_each(|value| write!(formatter, ",{value}"))
    }
}

#[cfg(test)]
mod tests {
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

    use super::{Key, Value, key_part, key_segment};
    use crate::ApiResource as _;
    use crate::samples::Cell;

    #[test]
    fn a_segment_is_read_as_the_key_that_it_was_written_for_in_both_encodings() {
        let config = ProptestConfig {
            cases: 2_000,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[24; 32]);
        let part = prop_oneof!["[,%~/2Cc5 .;ä🦀]{0,6}", "\\PC{0,6}"];
        let mut runner = TestRunner::new_with_rng(config, random);
        let ran = runner.run(&(any::<i64>(), part), |(row, column)| {
            let key = Key::new([Value::Integer(row), Value::Text(column.clone())]).unwrap();
            let segment = key.to_text();
            let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-._~,".contains(&it);
            prop_assert!(segment.bytes().all(is_plain), "{}", segment);
            let whole = utf8_percent_encode(&segment, NON_ALPHANUMERIC).to_string();
            prop_assert_eq!(Cell::DEFINITION.key_of(&segment), Some(key.clone()));
            prop_assert_eq!(Cell::DEFINITION.key_of(&whole), Some(key.clone()));
            // By hand, the parts are percent-encoded as usual, but for a tilde.
            if !column.contains('~') {
                let column = utf8_percent_encode(&column, NON_ALPHANUMERIC);
                let segment = format!("{row},{column}");
                prop_assert_eq!(Cell::DEFINITION.key_of(&segment), Some(key));
            }
            Ok(())
        });
        ran.unwrap();
    }

    fn key_parts(segment: &str) -> Option<Vec<String>> {
        let segment = key_segment(segment)?;
        let parts = segment.split(',').map(key_part);
        parts.map(|part| Some(part?.into_owned())).collect()
    }

    #[test]
    fn a_segment_has_a_part_for_each_comma() {
        for (segment, parts) in [
            ("", vec![""]),
            ("a", vec!["a"]),
            (",", vec!["", ""]),
            ("a%2Cb", vec!["a", "b"]),
            ("a%252Cb%2Cc", vec!["a,b", "c"]),
            ("a%2Cb,%25", vec!["a,b", "%"]),
            ("%zz,%", vec!["%zz", "%"]),
            ("a~2Cb,~7E2C%7E2c", vec!["a,b", "~2C,"]),
            ("a~2Cb%2C~25", vec!["a,b", "%"]),
        ] {
            assert_eq!(key_parts(segment).unwrap(), parts, "{segment}");
        }
        for none in [
            "%FF", "a,%FF", "a%2C%FF", "a,~", "a,~2", "a,~+1", "a,~zz", "a,~FF", "~é,",
        ] {
            assert_eq!(key_parts(none), None, "{none}");
        }
    }
}
