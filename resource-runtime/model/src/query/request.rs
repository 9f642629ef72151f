//! Requests of operations to a database, other than lists, resolved on definitions and free of SQL.

use super::Selection;
use crate::authorization::{Rows, View};
use crate::schema::{Attribute, ForeignKey, ResourceDefinition};
use crate::value::{Key, Record, Value};

/// The rows to read.
#[derive(Debug, Clone, Copy)]
pub enum RowQuery<'a> {
    /// The selected columns of an item; without a selection, all that clients may read.
    Item {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
        /// The attributes that the caller selected.
        selection: Option<&'a Selection>,
    },
    /// Every column of an item, which is locked until the transaction ends where `for_update` is set.
    WholeItem {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
        /// True to lock the row against writes of others.
        for_update: bool,
    },
}

/// A query of existence: the answer is yes if it finds a row.
#[derive(Debug)]
pub enum Lookup<'a> {
    /// The existence of an item.
    Item {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
    },
    /// A reference that points at no row. Where the write does not set a value of the key, the value of the
    /// item `stored` counts.
    DanglingReference {
        /// The reference, and the values of its key.
        target: Target<'a>,
        /// The item that holds the other values.
        stored: Option<(&'a ResourceDefinition, &'a Key)>,
    },
    /// Another item that has the values of a unique set. Where the write does not set a value, the value of the
    /// item `stored` counts; a new item must have all values.
    UniqueConflict {
        /// The resource.
        definition: &'a ResourceDefinition,
        /// The attributes of the set, with the values that the write sets.
        set: Vec<(&'a Attribute, Option<Value>)>,
        /// The item that holds the other values.
        stored: Option<&'a Key>,
    },
    /// A row of `source` that its caller may read and that refers by `foreign_key` to the item.
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

/// The row at which a write lets an item point.
#[derive(Debug)]
pub struct Target<'a> {
    /// The reference.
    pub foreign_key: &'a ForeignKey,
    /// The values of the key; one that is `None` is the value that the item holds already.
    pub values: Vec<Option<(&'static Attribute, Value)>>,
    /// The rows among which the target has to be.
    pub rows: Rows,
}

/// A row of another table that is stored with a new item.
#[derive(Debug, Clone)]
pub struct Companion {
    /// The resource of the row.
    pub definition: &'static ResourceDefinition,
    /// The values of the row; absent attributes become null.
    pub record: Record,
    /// The attribute to whose text the key of the item is appended, where the database assigns that key.
    pub ends_with_key: Option<&'static Attribute>,
}

/// Values that a write expects its item to have still, as they were read before; none where it expects nothing.
pub type Expected = Vec<(&'static Attribute, Value)>;

/// A change of one row; nothing is changed where one of its `targets` does not exist for the caller.
#[derive(Debug)]
pub enum RowChange<'a> {
    /// A new item.
    Insert {
        /// The resource.
        definition: &'static ResourceDefinition,
        /// The values of the item.
        record: Record,
        /// Values of attributes that only other versions have in the same table.
        of_other_versions: Vec<(&'static Attribute, Value)>,
        /// References whose targets have to be visible to the caller.
        targets: Vec<Target<'a>>,
        /// A row that is stored with the item, or neither is.
        companion: Option<Companion>,
    },
    /// A new item, or new values of the item that has the same values of a unique set.
    Upsert {
        /// The resource.
        definition: &'static ResourceDefinition,
        /// The values; absent attributes become null.
        record: Record,
        /// Values that a new item gets for attributes that only other versions have in the same table.
        of_other_versions: Vec<(&'static Attribute, Value)>,
        /// The same for a change of an item.
        updated: Vec<(&'static Attribute, Value)>,
        /// The attributes of the unique set.
        unique: Vec<&'static Attribute>,
    },
    /// New values of an item, at least one.
    Update {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
        /// The new values; absent attributes keep theirs.
        record: Record,
        /// Values of attributes that only other versions have in the same table.
        of_other_versions: Vec<(&'static Attribute, Value)>,
        /// References whose targets have to be visible to the caller.
        targets: Vec<Target<'a>>,
        /// Values that the item must still have, or nothing is changed.
        expected: Expected,
    },
    /// The deletion of an item.
    Delete {
        /// The view of the caller.
        view: View<'a>,
        /// The key of the item.
        key: &'a Key,
        /// Values that the item must still have, or nothing is deleted.
        expected: Expected,
    },
}

/// The writes of others that may run beside a transaction that has locked a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// Other transactions may write meanwhile.
    Shared,
    /// Other transactions wait until this one ends.
    Exclusive,
}
