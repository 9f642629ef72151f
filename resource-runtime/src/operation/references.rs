use super::Service;
use super::client::Client;
use crate::guard::Rows;
use crate::plan::Target;
use crate::schema::{Attribute, Kind, Reference};
use crate::value::{Record, Value};

/// The foreign keys that a write can run into: those it sets, and those that point at its item.
#[derive(Debug)]
pub(super) struct References {
    /// What the write sets of each key, in the order of the service's references.
    set: Vec<SetKey>,
    /// The item, where it is there already.
    pub(super) item: Option<Value>,
    /// Whether the write can leave others pointing at nothing.
    pub(super) moves_away: bool,
}

#[derive(Debug)]
struct SetKey {
    /// Where the write leaves one as it is, the stored one counts.
    values: Vec<Option<(Kind, Value)>>,
    /// The rows that the key may point at.
    rows: Rows,
}

impl References {
    /// Of a new item.
    pub(super) fn of_creation(service: &Service, client: &Client, record: &Record) -> Self {
        Self {
            set: set_keys(service, client, record),
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
        let points_at = |(_, attribute): (usize, &Attribute)| {
            let mut referrers = service.referrers.iter();
            referrers.any(|it| it.key.target_columns.contains(&attribute.identifier()))
        };
        Self {
            set: set_keys(service, client, record),
            item: Some(item.clone()),
            moves_away: changed.any(points_at),
        }
    }

    /// Of the removal of `item`.
    pub(super) fn of_removal(item: &Value) -> Self {
        Self {
            set: Vec::new(),
            item: Some(item.clone()),
            moves_away: true,
        }
    }

    /// The rows that the write itself has to look for: those that must be more than there.
    pub(super) fn targets<'service>(&self, service: &'service Service) -> Vec<Target<'service>> {
        let of_new_item = self.item.is_none();
        let keys = service.references.iter().zip(&self.set);
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
        let keys = service.references.iter().zip(self.set);
        let suspects = keys.filter(|(_, set)| set.can_be_missing());
        suspects.map(|(reference, SetKey { values, rows })| {
            let key = &reference.key;
            (reference, Target { key, values, rows })
        })
    }
}

impl SetKey {
    /// A key that the write does not touch points where it did; one that holds null points nowhere.
    fn can_be_missing(&self) -> bool {
        let touched = self.values.iter().any(Option::is_some);
        let mut set = self.values.iter().flatten();
        touched && set.all(|(_, value)| *value != Value::Null)
    }
}

fn set_keys(service: &Service, client: &Client, record: &Record) -> Vec<SetKey> {
    let attributes = service.definition.all_attributes();
    let value_of = |index: &usize| {
        let kind = attributes.get(*index)?.kind();
        Some((kind, record.get(*index)?.clone()))
    };
    let references = service.references.iter().enumerate();
    references
        .map(|(index, reference)| SetKey {
            values: reference.attributes.iter().map(value_of).collect(),
            rows: client.targets(service, index, record),
        })
        .collect()
}
