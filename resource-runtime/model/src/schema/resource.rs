//! The traits of a resource in Rust, its version, its validator, and the key of a new item.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{Attribute, ResourceDefinition, Routes};
use crate::value::{ItemKey, Key, Record, RecordError, Values};

/// A struct that is served as a REST resource; derive it with
/// [`#[derive(ApiResource)]`](macro@crate::ApiResource).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an API resource",
    label = "not an API resource",
    note = "add `#[derive(ApiResource)]` to `{Self}`"
)]
pub trait ApiResource: Sized + Send + Sync + 'static {
    /// The type of the primary key: a tuple where it has several parts.
    type Key: ItemKey;

    /// The names of the fields in declaration order, separated by spaces.
    const FIELDS: &'static str;

    /// The attributes in declaration order.
    const ATTRIBUTES: &'static [Attribute];

    /// The SQL list of the columns that clients may read.
    const COLUMNS: &'static str;

    /// The resource as data.
    const DEFINITION: &'static ResourceDefinition;

    /// The routes of the collection and of an item.
    const ROUTES: &'static Routes;

    /// The typed item of its values in declaration order.
    fn from_values(values: &mut Values<'_>) -> Result<Self, RecordError>;

    /// The record of a typed item, every attribute in declaration order.
    fn to_record(&self) -> Record;

    /// The typed item of a record that holds every attribute.
    fn from_record(record: Record) -> Result<Self, RecordError> {
        Self::from_values(&mut record.into_values())
    }
}

/// A validator with its types erased. Only the stage that runs hooks knows the type inside, because this package
/// must not depend on it.
#[derive(Clone)]
pub struct ErasedValidator(Arc<dyn Any + Send + Sync>);

impl ErasedValidator {
    /// A validator of these hooks.
    #[doc(hidden)]
    pub fn of(hooks: impl Any + Send + Sync) -> Self {
        Self(Arc::new(hooks))
    }

    /// The hooks inside, where they are of this type.
    #[doc(hidden)]
    pub fn hooks<H: Any>(&self) -> Option<&H> {
        // Another type inside would be a defect of the stage that erased it; `None` then means no hooks.
        self.0.downcast_ref()
    }
}

impl fmt::Debug for ErasedValidator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            // The hooks need not implement `Debug`, so that nothing of them is shown.
            .debug_tuple("ErasedValidator")
            .finish_non_exhaustive()
    }
}

impl Key {
    /// The key of a new item; none where the database assigns it.
    pub fn chosen_in(record: &Record, definition: &ResourceDefinition) -> Option<Self> {
        // The key attributes are found by their place, which is that of their values in the record.
        let attributes = definition.all_attributes().iter().enumerate();
        let of_key = attributes.filter(|(_, attribute)| attribute.is_primary_key());
        let values = of_key.map(|(index, attribute)| {
            // Where the database assigns the key, the record holds a placeholder for the hooks.
            let value = record
                .get(index)
                .filter(|_| !attribute.is_assigned_by_database());
            value.cloned()
        });
        // A part of a key finds no item, so that one missing value means no key.
        values.collect::<Option<Vec<_>>>().and_then(Self::new)
    }
}

/// The version of an API, `<major>.<minor>`, ordered by number: 1.10 is newer than 1.9.
///
/// ```
/// use resource_runtime::schema::Version;
///
/// assert!(Version::new(1, 10) > Version::new(1, 9));
/// assert_eq!(Version::new(2, 0).to_string(), "2.0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u16,
    minor: u16,
}

impl Version {
    /// The version `<major>.<minor>`.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// The major and the minor number.
    #[must_use]
    pub const fn numbers(self) -> (u16, u16) {
        (self.major, self.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Paths spell versions in this form.
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}
