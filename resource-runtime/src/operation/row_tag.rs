//! The tag of a stored row: the part of entity tags that tells its state, whatever an answer shows of it.

use std::fmt;

use resource_model::error::DatabaseResult;
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::{Record, Value, ValueRef};

use crate::json;
use crate::store::Row;

/// The tag of a stored row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowTag {
    /// The value of the attribute that each write changes.
    Revision(i64),
    /// A digest of all attributes.
    Digest(u128),
}

impl RowTag {
    /// The tag of this text; none where no row has it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let tag = match text.split_at_checked(1)? {
            ("r", revision) => Self::Revision(revision.parse().ok()?),
            ("d", digest) => Self::Digest(u128::from_str_radix(digest, 16).ok()?),
            _ => return None,
        };
        // Tags are compared as texts, and a number has several.
        (tag.to_string() == text).then_some(tag)
    }

    fn of_revision(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Integer(revision) => Some(Self::Revision(revision)),
            // Another program wrote null.
            _ => None,
        }
    }
}

impl fmt::Display for RowTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revision(revision) => write!(formatter, "r{revision}"),
            Self::Digest(digest) => write!(formatter, "d{digest:032x}"),
        }
    }
}

/// The part of a row that its tag is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TagSource {
    /// The revision, and its position among the attributes.
    Revision(usize, &'static Attribute),
    /// All attributes, of which no client may miss one: a digest would let them guess it.
    Digest(&'static [Attribute]),
}

impl TagSource {
    /// The source of a resource; none where its items have no tags.
    pub(crate) fn of(definition: &'static ResourceDefinition) -> Option<Self> {
        if !definition.has_tags() {
            return None;
        }
        let revision = definition.revision_attribute();
        let revision = revision.map(|(index, attribute)| Self::Revision(index, attribute));
        Some(revision.unwrap_or(Self::Digest(definition.all_attributes())))
    }

    /// The attributes that are read for the tag.
    pub(crate) const fn attributes(&self) -> &'static [Attribute] {
        match self {
            Self::Revision(_, attribute) => std::slice::from_ref(attribute),
            Self::Digest(attributes) => attributes,
        }
    }

    /// The tag of a row that holds these attributes from the column `first` on.
    pub(crate) fn of_row(self, row: &dyn Row, first: usize) -> DatabaseResult<Option<RowTag>> {
        match self {
            Self::Revision(..) => Ok(RowTag::of_revision(row.value(first)?)),
            Self::Digest(attributes) => {
                digest(attributes, |index| row.value(first + index)).map(Some)
            }
        }
    }

    /// The tag of an item; none where the record lacks a value.
    pub(super) fn of_record(self, record: &Record) -> Option<RowTag> {
        match self {
            Self::Revision(index, _) => RowTag::of_revision(record.get(index)?.lend()),
            // The usual change names a few values.
            Self::Digest(attributes)
                if (0..attributes.len()).any(|it| record.get(it).is_none()) =>
            {
                None
            }
            Self::Digest(attributes) => {
                let value = |index| Ok(record.get(index).map_or(ValueRef::Null, Value::lend));
                // An item without a tag is no failure of the write that stored it.
                digest(attributes, value).ok()
            }
        }
    }

    /// The values of a new item for its tag, before its key is known; none where the database sets some that nobody has
    /// read.
    pub(super) fn of_new(self, record: &Record) -> Option<Record> {
        let is_unknown = match self {
            Self::Revision(..) => false,
            Self::Digest(attributes) => has_values_of_database(attributes, record),
        };
        (!is_unknown).then(|| record.clone().filled_with(&Value::Null))
    }
}

/// Tests whether the database sets another value of a new item than its key.
fn has_values_of_database(attributes: &[Attribute], record: &Record) -> bool {
    let mut attributes = attributes.iter().enumerate();
    attributes.any(|(index, it)| it.is_left_to_database(record.get(index)))
}

/// The digest of a row as it is in a response that shows all of it, so that the body of such a response has the same
/// digest.
fn digest<'row>(
    attributes: &[Attribute],
    value: impl Fn(usize) -> DatabaseResult<ValueRef<'row>>,
) -> DatabaseResult<RowTag> {
    let mut bytes = Vec::with_capacity(256);
    for (index, attribute) in attributes.iter().enumerate() {
        // Null in every item that is not deleted.
        if attribute.holds_deletion() {
            continue;
        }
        bytes.push(if bytes.is_empty() { b'{' } else { b',' });
        bytes.push(b'"');
        bytes.extend_from_slice(attribute.name().as_bytes());
        bytes.extend_from_slice(b"\":");
        json::write(value(index)?, attribute.kind(), &mut bytes)?;
    }
    bytes.push(b'}');
    Ok(RowTag::Digest(digests(&bytes).0))
}

/// The digests of bytes for a row and for a body. Clients choose values, so that they must not find two with one digest.
pub(crate) fn digests(bytes: &[u8]) -> (u128, u64) {
    let digest = blake3::hash(bytes);
    let row = digest.as_bytes().first_chunk().copied();
    let body = digest.as_bytes().last_chunk().copied();
    (
        u128::from_be_bytes(row.unwrap_or_default()),
        u64::from_be_bytes(body.unwrap_or_default()),
    )
}
