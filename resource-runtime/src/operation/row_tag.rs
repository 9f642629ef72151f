//! The tag of a stored row: the part of entity tags that tells its state, whatever an answer shows of it.

use std::fmt;

use resource_model::error::DatabaseResult;
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::{Key, Record, Value, ValueRef};

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
                let value = |index| row.value(first + index).map(Some);
                Ok(encoded(attributes, value)?.tag())
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
                let value = |index| Ok(record.get(index).map(Value::lend));
                // An item without a tag is no failure of the write that stored it.
                encoded(attributes, value).ok()?.tag()
            }
        }
    }

    /// The tag of a new item, before its key is known where the database assigns it.
    pub(super) fn of_new(self, record: &Record) -> NewTag {
        match self {
            Self::Revision(..) => NewTag::Known(self.of_record(record)),
            // The database sets values that nobody has read.
            Self::Digest(attributes) if has_values_of_database(attributes, record) => {
                NewTag::Known(None)
            }
            Self::Digest(attributes) => {
                let is_assigned = |index| {
                    let attribute: Option<&Attribute> = attributes.get(index);
                    attribute.is_some_and(Attribute::is_assigned_by_database)
                };
                let value = |index| match record.get(index) {
                    Some(value) => Ok(Some(value.lend())),
                    None if is_assigned(index) => Ok(None),
                    None => Ok(Some(ValueRef::Null)),
                };
                encoded(attributes, value).map_or(NewTag::Known(None), NewTag::Encoded)
            }
        }
    }
}

/// Tests whether the database sets another value of a new item than its key.
fn has_values_of_database(attributes: &[Attribute], record: &Record) -> bool {
    let mut attributes = attributes.iter().enumerate();
    attributes.any(|(index, it)| it.is_left_to_database(record.get(index)))
}

/// The tag of a new item.
#[derive(Debug)]
pub(super) enum NewTag {
    Known(Option<RowTag>),
    Encoded(Encoded),
}

impl NewTag {
    /// The tag, now that the item has this key.
    pub(super) fn with_key(self, key: &Key) -> Option<RowTag> {
        match self {
            Self::Known(tag) => tag,
            Self::Encoded(mut encoded) => {
                if let Some(place) = encoded.missing.take() {
                    // The database assigns integers, whose text is their JSON.
                    let key = key.to_string().into_bytes();
                    encoded.bytes.splice(place..place, key);
                }
                encoded.tag()
            }
        }
    }
}

/// A row as it is in a response that shows all of it, so that the body of such a response is its encoding, too.
#[derive(Debug)]
pub(super) struct Encoded {
    bytes: Vec<u8>,
    /// The place of a value that is missing.
    missing: Option<usize>,
}

impl Encoded {
    /// The digest, where no value is missing.
    fn tag(&self) -> Option<RowTag> {
        let digest = || RowTag::Digest(digests(&self.bytes).0);
        self.missing.is_none().then(digest)
    }
}

fn encoded<'row>(
    attributes: &[Attribute],
    value: impl Fn(usize) -> DatabaseResult<Option<ValueRef<'row>>>,
) -> DatabaseResult<Encoded> {
    let (mut bytes, mut missing) = (Vec::with_capacity(256), None);
    for (index, attribute) in attributes.iter().enumerate() {
        // Null in every item that is not deleted.
        if attribute.holds_deletion() {
            continue;
        }
        bytes.push(if bytes.is_empty() { b'{' } else { b',' });
        bytes.push(b'"');
        bytes.extend_from_slice(attribute.name().as_bytes());
        bytes.extend_from_slice(b"\":");
        match value(index)? {
            Some(value) => json::write(value, attribute.kind(), &mut bytes)?,
            None => missing = Some(bytes.len()),
        }
    }
    bytes.push(b'}');
    Ok(Encoded { bytes, missing })
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
