//! The keys by which a write can violate a constraint: its unique sets, its references, and references to it.

use resource_model::query::Target;
use resource_model::schema::{Attribute, Peculiarity, Reference};
use resource_model::value::{Key, Record, Value};

use super::Service;
use super::write::Write;
use crate::authorization::{Rows, View};
use crate::hooks::WriteKind;

/// The values of the keys that a write sets, for its statement and for the diagnosis of its failure.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    /// The values that the write sets of each unique set, in the order of the service's sets.
    pub(super) unique: Vec<KeyValues>,
    /// The values that the write sets of each reference, in the order of the service's references.
    references: Vec<WrittenReference>,
    /// The key of the item; none of a new one.
    pub(super) item: Option<Key>,
    /// True where the write can leave other items pointing at nothing.
    pub(super) may_orphan: bool,
}

/// The values of a key; none for one that the write does not set: an
/// update leaves it as it is stored, in a new item it is null.
pub(super) type KeyValues = Vec<Option<(&'static Attribute, Value)>>;

#[derive(Debug, Clone)]
struct WrittenReference {
    values: KeyValues,
    /// The rows that the reference may point at.
    rows: Rows,
    /// True where the write makes the deletion of its item undone, so that the stored values are checked, too.
    is_restored: bool,
}

/// A reference that the caller of a write names: as long as it holds the caller's values, it must point at one
/// of these rows. Values that hooks or defaults set may point at any row, since the developer chose them.
#[derive(Debug, Clone)]
pub(super) struct NamedReference {
    /// Index of the reference among those of the service.
    reference: usize,
    /// The caller's values of its attributes.
    values: Vec<Option<Value>>,
    rows: Rows,
}

impl Keys {
    /// The keys of a write that stores `record`.
    pub(super) fn of(write: &Write, record: &Record) -> Self {
        let service = &write.service;
        // A deletion sets no values, so it can neither repeat unique ones nor point at nothing.
        let (unique, references) = if write.kind == WriteKind::Delete {
            (Vec::new(), Vec::new())
        } else {
            let sets = service.unique.iter();
            let unique = sets.map(|set| key_values(service, record, set)).collect();
            (unique, written_references(write, record))
        };
        let mut attributes = service.definition.all_attributes().iter().enumerate();
        Self {
            unique,
            references,
            item: write.key.clone(),
            may_orphan: match write.kind {
                WriteKind::Create => false,
                // Other items may refer to any unique attribute, which an update can change.
                WriteKind::Update => attributes.any(|(index, attribute)| {
                    record.get(index).is_some() && service.is_referred_to_by(attribute)
                }),
                WriteKind::Delete => true,
            },
        }
    }

    /// References whose target must also be visible to the caller: the statement checks them itself, and the
    /// rest is left to the foreign key.
    pub(super) fn targets<'service>(&self, service: &'service Service) -> Vec<Target<'service>> {
        let of_new_item = self.item.is_none();
        let references = service.references.iter().zip(&self.references);
        // Absent values of a new item are null, and a key that holds null points nowhere.
        // Without a foreign key, nothing else refuses a reference to nothing.
        let definition = service.definition;
        let is_unenforced = definition.accepts(Peculiarity::UnenforcedReferences);
        let limited = references.filter(|(_, written)| {
            let is_complete = written.values.iter().all(Option::is_some);
            (is_unenforced || !written.rows.are_all())
                && written.may_dangle()
                && (is_complete || !of_new_item)
        });
        // The values are cloned, since the diagnosis of a failure needs the keys again.
        let targets = limited.map(|(reference, written)| written.clone().target(reference));
        targets.collect()
    }

    /// Every reference that may point at nothing, with its target.
    pub(super) fn candidate_references(
        self,
        service: &Service,
    ) -> impl Iterator<Item = (&Reference, Target<'_>)> {
        let references = service.references.iter().zip(self.references);
        let candidates = references.filter(|(_, written)| written.may_dangle());
        candidates.map(|(reference, written)| (reference, written.target(reference)))
    }
}

impl WrittenReference {
    fn target(self, reference: &Reference) -> Target<'_> {
        Target {
            foreign_key: &reference.key,
            values: self.values,
            rows: self.rows,
        }
    }

    /// Tests whether the reference may dangle. One that the write does not touch, or that holds a null, cannot.
    fn may_dangle(&self) -> bool {
        let touched = self.is_restored || self.values.iter().any(Option::is_some);
        let mut written = self.values.iter().flatten();
        touched && written.all(|(_, value)| *value != Value::Null)
    }
}

impl NamedReference {
    /// The references of which `record` names an attribute and whose targets are limited for the caller.
    pub(super) fn all_in(service: &Service, view: View<'_>, record: &Record) -> Vec<Self> {
        let references = service.references.iter().enumerate();
        let is_set = |attribute: &usize| record.get(*attribute).is_some();
        let named = references.filter(|(_, reference)| reference.attributes.iter().any(is_set));
        // A target whose rows are all visible is left to the foreign key, which costs no query.
        let limited = named.filter_map(|(index, reference)| {
            let rows = view.of(reference.target).readable_rows();
            let values = reference.attributes.iter();
            let values = values.map(|attribute| record.get(*attribute).cloned());
            (!rows.are_all()).then(|| Self {
                reference: index,
                values: values.collect(),
                rows,
            })
        });
        limited.collect()
    }

    /// Tests whether the reference still holds the values of the caller, which a hook may have replaced.
    fn is_held_by(&self, reference: &Reference, record: &Record) -> bool {
        let mut attributes = reference.attributes.iter().zip(&self.values);
        attributes
            .all(|(attribute, named)| named.is_none() || named.as_ref() == record.get(*attribute))
    }
}

fn written_references(write: &Write, record: &Record) -> Vec<WrittenReference> {
    let references = write.service.references.iter().enumerate();
    let deleted = write.service.definition.deletion_attribute();
    let is_restored = write.view().shows_deleted()
        && deleted.is_some_and(|(index, _)| record.get(index) == Some(&Value::Null));
    let written = references.map(|(index, reference)| {
        // The limit ends with the caller's values: a hook that replaced one has chosen the target itself.
        let mut named = write.named_references.iter();
        let named = named.find(|named| named.reference == index);
        let held = named.filter(|named| named.is_held_by(reference, record));
        let view = if is_restored {
            View::system(reference.target)
        } else {
            write.view().of(reference.target)
        };
        WrittenReference {
            values: key_values(&write.service, record, &reference.attributes),
            rows: held.map_or_else(|| view.rows_for_hooks(), |named| named.rows.clone()),
            is_restored,
        }
    });
    written.collect()
}

fn key_values(service: &Service, record: &Record, key: &[usize]) -> KeyValues {
    let attributes = service.definition.all_attributes();
    let value_of = |index: &usize| {
        // The attribute goes with the value: a value is bound by its kind and its form, also where it is null.
        Some((attributes.get(*index)?, record.get(*index)?.clone()))
    };
    key.iter().map(value_of).collect()
}
