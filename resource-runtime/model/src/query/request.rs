//! Requests of operations to a database, all but lists: resolved on definitions, in no language of a database.

use super::Selection;
use crate::authorization::{Rows, View};
use crate::schema::{Attribute, ForeignKey, Kind, ResourceDefinition};
use crate::value::{Key, Record, Value};

/// The rows to read.
#[derive(Debug)]
pub enum RowQuery<'a> {
    /// The selected columns of an item; without a selection, all that clients may read.
    Item {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
        /// The attributes that the caller asked for.
        selection: Option<&'a Selection>,
    },
    /// Every column of an item; `for_update`, nobody else changes it until the transaction ends.
    WholeItem {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
        /// Keeps others from changing it.
        for_update: bool,
    },
    /// Every column of the items whose attribute has this value, in the order of their keys.
    ItemsWith {
        /// The resource.
        definition: &'a ResourceDefinition,
        /// The attribute.
        attribute: &'a Attribute,
        /// Its value.
        value: Value,
    },
    /// The keys of the items whose attribute has this value or a greater one.
    KeysFrom {
        /// The resource.
        definition: &'a ResourceDefinition,
        /// The attribute.
        attribute: &'a Attribute,
        /// The least value.
        bound: Value,
    },
}

/// A question that one row answers.
#[derive(Debug)]
pub enum Lookup<'a> {
    /// There is such an item.
    Item {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
    },
    /// A reference points at no row; a value of its key that is not given is the one that `stored`, the item,
    /// holds.
    DanglingReference {
        /// The reference, and the values of its key.
        target: Target<'a>,
        /// The item that holds the other values.
        stored: Option<(&'a ResourceDefinition, &'a Key)>,
    },
    /// Another item has the values of a unique set; a value that is not given is the one that `stored`, the
    /// item itself, holds. A new item has to be given all.
    UniqueConflict {
        /// The resource.
        definition: &'a ResourceDefinition,
        /// The attributes of the set, with the values that are given.
        set: Vec<(&'a Attribute, Option<Value>)>,
        /// The item that holds the other values.
        stored: Option<&'a Key>,
    },
    /// A row of `source`, of those that its caller may read, refers by `foreign_key` to the item.
    Referrer {
        /// The view of the resource that refers.
        source: View<'a>,
        /// The reference.
        foreign_key: &'a ForeignKey,
        /// The resource of the item.
        definition: &'a ResourceDefinition,
        /// The key of the item.
        key: &'a Key,
    },
}

/// The row that a write lets an item refer to.
#[derive(Debug)]
pub struct Target<'a> {
    /// The reference.
    pub foreign_key: &'a ForeignKey,
    /// The values of the key; one that is not given is the one that the item holds already.
    pub values: Vec<Option<(Kind, Value)>>,
    /// The rows of which it must be one.
    pub rows: Rows,
}

/// A change of one row, which none of its `targets` may lack: else nothing is changed.
#[derive(Debug)]
pub enum RowChange<'a> {
    /// A new item. The attributes that other versions have in the same table get their defaults.
    Insert {
        /// The resource.
        definition: &'static ResourceDefinition,
        /// The values of the item.
        record: Record,
        /// Attributes of the same table that other versions have.
        of_other_versions: &'a [&'static Attribute],
        /// References whose targets the caller has to see.
        targets: Vec<Target<'a>>,
    },
    /// New values of an item, at least one. The attributes that other versions have in the same table get those that an
    /// update gives them.
    Update {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
        /// The new values; those that are absent stay.
        record: Record,
        /// Attributes of the same table that other versions have.
        of_other_versions: &'a [&'static Attribute],
        /// References whose targets the caller has to see.
        targets: Vec<Target<'a>>,
    },
    /// The end of an item.
    Delete {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
    },
}

/// The writes that may go on beside a transaction that has locked a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// Others may write meanwhile.
    Shared,
    /// The others wait until the transaction ends.
    Exclusive,
}
