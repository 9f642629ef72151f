use super::Service;
use super::client::Client;
use crate::guard::Rows;
use crate::plan::Target;
use crate::schema::{Attribute, Kind, Reference};
use crate::value::{Record, Value};

/// The keys that a write can run into: those that no other item may have, those that it points at
/// others by, and those that point at its item.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    /// The values that the write sets of each unique set, in the order of the service's sets.
    pub(super) unique: Vec<KeyValues>,
    /// What it sets of each reference, in the order of the service's references.
    references: Vec<SetReference>,
    /// The item, where it is there already.
    pub(super) item: Option<Value>,
    /// Whether the write can leave others pointing at nothing.
    pub(super) moves_away: bool,
}

/// The values of a key; where the write leaves one as it is, the stored one counts.
pub(super) type KeyValues = Vec<Option<(Kind, Value)>>;

#[derive(Debug, Clone)]
struct SetReference {
    values: KeyValues,
    /// The rows that it may point at.
    rows: Rows,
}

impl Keys {
    /// Of a new item.
    pub(super) fn of_creation(service: &Service, client: &Client, record: &Record) -> Self {
        Self {
            unique: unique_values(service, record),
            references: set_references(service, client, record),
            item: None,
            moves_away: false,
        }
    }

    /// Of a change of `item`.
    pub(super) fn of_change(
        service: &Service,
        client: &Client,
        record: &Record,
        item: &Value,
    ) -> Self {
        let attributes = service.definition.all_attributes().iter().enumerate();
        let mut changed = attributes.filter(|(index, _)| record.get(*index).is_some());
        let points_at = |(_, attribute): (usize, &Attribute)| service.is_referred_to_by(attribute);
        Self {
            unique: unique_values(service, record),
            references: set_references(service, client, record),
            item: Some(item.clone()),
            moves_away: changed.any(points_at),
        }
    }

    /// Of the removal of `item`.
    pub(super) fn of_removal(item: &Value) -> Self {
        Self {
            unique: Vec::new(),
            references: Vec::new(),
            item: Some(item.clone()),
            moves_away: true,
        }
    }

    /// The rows that the write itself has to look for: those that must be more than there.
    pub(super) fn targets<'service>(&self, service: &'service Service) -> Vec<Target<'service>> {
        let of_new_item = self.item.is_none();
        let keys = service.references.iter().zip(&self.references);
        // What a new item is not given is null, and a key that holds null points nowhere.
        let limited = keys.filter(|(_, set)| {
            let whole = set.values.iter().all(Option::is_some);
            !set.rows.are_all() && set.can_be_missing() && (whole || !of_new_item)
        });
        let targets = limited.map(|(reference, set)| Target {
            key: &reference.key,
            values: set.values.clone(),
            rows: set.rows.clone(),
        });
        targets.collect()
    }

    /// Every reference that may point at nothing, with what it would point at.
    pub(super) fn suspects(
        self,
        service: &Service,
    ) -> impl Iterator<Item = (&Reference, Target<'_>)> {
        let keys = service.references.iter().zip(self.references);
        let suspects = keys.filter(|(_, set)| set.can_be_missing());
        suspects.map(|(reference, SetReference { values, rows })| {
            let key = &reference.key;
            (reference, Target { key, values, rows })
        })
    }
}

impl SetReference {
    /// A key that the write does not touch points where it did; one that holds null points nowhere.
    fn can_be_missing(&self) -> bool {
        let touched = self.values.iter().any(Option::is_some);
        let mut set = self.values.iter().flatten();
        touched && set.all(|(_, value)| *value != Value::Null)
    }
}

fn unique_values(service: &Service, record: &Record) -> Vec<KeyValues> {
    let sets = service.unique.iter();
    sets.map(|set| key_values(service, record, set)).collect()
}

fn set_references(service: &Service, client: &Client, record: &Record) -> Vec<SetReference> {
    let references = service.references.iter().enumerate();
    references
        .map(|(index, reference)| SetReference {
            values: key_values(service, record, &reference.attributes),
            rows: client.targets(service, index, record),
        })
        .collect()
}

fn key_values(service: &Service, record: &Record, key: &[usize]) -> KeyValues {
    let attributes = service.definition.all_attributes();
    let value_of = |index: &usize| {
        let kind = attributes.get(*index)?.kind();
        Some((kind, record.get(*index)?.clone()))
    };
    key.iter().map(value_of).collect()
}
