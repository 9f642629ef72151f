//! Reading of `#[resource(…)]` as the user wrote it, every key and value with its span.
//!
//! Reading never fails and chooses no default: a value of the wrong form stays in its [`Key`] as
//! such, so that one mistake does not hide the others.

mod container;
mod evolution;
mod example;
mod field;

mod key;

mod form;
mod list;
mod number;
mod requirement;
mod scalar;
mod storage;

use syn::{Data, DeriveInput, Field, Fields};

pub(crate) use container::ContainerKeys;
pub(crate) use evolution::{Break, Breaks, DeprecatedKeys};
pub(crate) use example::Example;
pub(crate) use field::FieldKeys;
pub(crate) use form::{Form, Keyed, doc_lines};
pub(crate) use key::{Key, KeyDescription, Keys, keys};
pub(crate) use list::{Names, References};
pub(crate) use number::{LimitKeys, Number, Uncounted};
pub(crate) use requirement::{Combinator, OwnerKeys, Public, Requirement, ScopeKeys, Scopes};
pub(crate) use scalar::{Count, Flag, QuotedPath};
pub(crate) use storage::{Digits, PostgresForm, SqliteForm, StoredKeys};

/// An annotated item as it was written.
#[derive(Debug)]
pub(crate) struct ResourceAttributes<'input> {
    pub(crate) input: &'input DeriveInput,
    pub(crate) container: Keyed<ContainerKeys>,
    /// The named fields; empty for an item that has none.
    pub(crate) fields: Vec<(&'input Field, Keyed<FieldKeys>)>,
}

/// Reads all `#[resource(…)]` of an item and of its fields.
pub(crate) fn read(input: &DeriveInput) -> ResourceAttributes<'_> {
    ResourceAttributes {
        input,
        container: Keyed::read(&input.attrs),
        // Each field is read apart, so that a mistake at one hides nothing of another.
        fields: named_fields(input)
            .map(|field| (field, Keyed::read(&field.attrs)))
            .collect(),
    }
}

fn named_fields(input: &DeriveInput) -> impl Iterator<Item = &Field> {
    let named = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(&fields.named),
            // Unnamed fields and variants cannot be attributes; a rule reports the shape of the item.
            Fields::Unnamed(_) | Fields::Unit => None,
        },
        Data::Enum(_) | Data::Union(_) => None,
    };
    named.into_iter().flatten()
}
