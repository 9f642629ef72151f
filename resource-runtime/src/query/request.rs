//! Requests of operations to a database, all but lists: resolved on definitions, in no language of a database.

use super::Selection;
use crate::authorization::{Rows, View};
use crate::schema::{Attribute, ForeignKey, Kind, ResourceDefinition};
use crate::value::{Key, Record, Value};

/// The rows to read.
#[derive(Debug)]
pub(crate) enum RowQuery<'a> {
    /// The selected columns of an item; without a selection, all that clients may read.
    Item {
        view: View<'a>,
        key: &'a Key,
        selection: Option<&'a Selection>,
    },
    /// Every column of an item; `for_update`, nobody else changes it until the transaction ends.
    WholeItem {
        view: View<'a>,
        key: &'a Key,
        for_update: bool,
    },
    /// Every column of the items whose attribute has this value, in the order of their keys.
    ItemsWith {
        definition: &'a ResourceDefinition,
        attribute: &'a Attribute,
        value: Value,
    },
    /// The keys of the items whose attribute has this value or a greater one.
    KeysFrom {
        definition: &'a ResourceDefinition,
        attribute: &'a Attribute,
        bound: Value,
    },
}

/// A question that one row answers.
#[derive(Debug)]
pub(crate) enum Lookup<'a> {
    /// There is such an item.
    Item { view: View<'a>, key: &'a Key },
    /// A reference points at no row; a value of its key that is not given is the one that `stored`, the item,
    /// holds.
    DanglingReference {
        target: Target<'a>,
        stored: Option<(&'a ResourceDefinition, &'a Key)>,
    },
    /// Another item has the values of a unique set; a value that is not given is the one that `stored`, the
    /// item itself, holds. A new item has to be given all.
    UniqueConflict {
        definition: &'a ResourceDefinition,
        set: Vec<(&'a Attribute, Option<Value>)>,
        stored: Option<&'a Key>,
    },
    /// A row of `source`, of those that its caller may read, refers by `foreign_key` to the item.
    Referrer {
        source: View<'a>,
        foreign_key: &'a ForeignKey,
        definition: &'a ResourceDefinition,
        key: &'a Key,
    },
}

/// The row that a write lets an item refer to.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    pub(crate) foreign_key: &'a ForeignKey,
    /// The values of the key; one that is not given is the one that the item holds already.
    pub(crate) values: Vec<Option<(Kind, Value)>>,
    /// The rows of which it must be one.
    pub(crate) rows: Rows,
}

/// A change of one row, which none of its `targets` may lack: else nothing is changed.
#[derive(Debug)]
pub(crate) enum RowChange<'a> {
    /// A new item. The attributes that other versions have in the same table get their defaults.
    Insert {
        definition: &'static ResourceDefinition,
        record: Record,
        of_other_versions: &'a [&'static Attribute],
        targets: Vec<Target<'a>>,
    },
    /// New values of an item, at least one. The attributes that other versions have in the same table get those that an
    /// update gives them.
    Update {
        view: View<'a>,
        key: &'a Key,
        record: Record,
        of_other_versions: &'a [&'static Attribute],
        targets: Vec<Target<'a>>,
    },
    /// The end of an item.
    Delete { view: View<'a>, key: &'a Key },
}

/// The writes that may go on beside a transaction that has locked a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockMode {
    /// Others may write meanwhile.
    Shared,
    /// The others wait until the transaction ends.
    Exclusive,
}
