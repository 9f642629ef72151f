use std::fmt;

use super::{Attribute, ResourceDefinition, Routes};
use crate::value::{Record, RecordError};

/// A struct that is served as a REST resource; derive it with
/// [`#[derive(ApiResource)]`](macro@crate::ApiResource).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an API resource",
    label = "not an API resource",
    note = "add `#[derive(ApiResource)]` to `{Self}`"
)]
pub trait ApiResource: Sized + Send + Sync + 'static {
    /// The companion enum with one variant per attribute.
    type Field: Field;

    /// The attributes in declaration order.
    const ATTRIBUTES: &'static [Attribute];

    /// The SQL list of the columns that clients may read.
    const COLUMNS: &'static str;

    /// The resource as data.
    const DEFINITION: &'static ResourceDefinition;

    /// The routes of the collection and of an item.
    const ROUTES: &'static Routes;

    /// The typed item of a record that holds every attribute.
    fn from_record(record: Record) -> Result<Self, RecordError>;

    /// The record of a typed item, every attribute in declaration order.
    fn to_record(&self) -> Record;
}

/// The attributes of a resource as an enum, so that code names them checked by the compiler.
pub trait Field: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The attributes' names in declaration order, separated by spaces.
    const NAMES: &'static str;

    /// The attribute's place in declaration order, from 0.
    fn index(self) -> usize;

    /// The attribute's name in JSON and in the query language.
    #[must_use]
    fn name(self) -> &'static str {
        Self::NAMES.split(' ').nth(self.index()).unwrap_or_default()
    }
}
