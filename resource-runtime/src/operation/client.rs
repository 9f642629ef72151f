use super::Service;
use crate::guard::{Caller, Rows, View};
use crate::value::{Record, Value};

/// Who asks for a write, and which references the client names itself: what hooks and defaults
/// refer to is the developer's choice.
#[derive(Debug)]
pub(super) struct Client {
    caller: Caller,
    references: Vec<Named>,
}

/// A reference that must point at one of these rows as long as it holds what the client named.
#[derive(Debug)]
struct Named {
    /// Its place among the references of the service.
    reference: usize,
    /// What the client named of its attributes.
    values: Vec<Option<Value>>,
    rows: Rows,
}

impl Client {
    /// A client that names no attributes.
    pub(super) const fn new(caller: Caller) -> Self {
        Self {
            caller,
            references: Vec::new(),
        }
    }

    /// A client that names the attributes which `record` holds.
    pub(super) fn naming(caller: Caller, service: &Service, record: &Record) -> Self {
        let references = named(View::new(service.definition, &caller), service, record);
        Self { caller, references }
    }

    /// The resource as it is for the client.
    pub(super) const fn view<'client>(&'client self, service: &Service) -> View<'client> {
        View::new(service.definition, &self.caller)
    }

    /// The rows that a reference may point at with the values of `record`.
    pub(super) fn targets(&self, service: &Service, reference: usize, record: &Record) -> Rows {
        let mut references = self.references.iter();
        let named = references.find(|named| named.reference == reference);
        let held = named.filter(|named| named.is_held_by(service, record));
        held.map_or(Rows::All, |named| named.rows.clone())
    }
}

fn named(view: View<'_>, service: &Service, record: &Record) -> Vec<Named> {
    let references = service.references.iter().enumerate();
    let named = references.filter_map(|(index, reference)| {
        let mut attributes = reference.attributes.iter();
        if attributes.all(|attribute| record.get(*attribute).is_none()) {
            return None;
        }
        let rows = view.of(reference.target).readable_rows();
        if rows.are_all() {
            return None;
        }
        let values = reference.attributes.iter();
        let values = values.map(|attribute| record.get(*attribute).cloned());
        Some(Named {
            reference: index,
            values: values.collect(),
            rows,
        })
    });
    named.collect()
}

impl Named {
    fn is_held_by(&self, service: &Service, record: &Record) -> bool {
        let Some(reference) = service.references.get(self.reference) else {
            return false;
        };
        let mut attributes = reference.attributes.iter().zip(&self.values);
        attributes
            .all(|(attribute, named)| named.is_none() || named.as_ref() == record.get(*attribute))
    }
}
