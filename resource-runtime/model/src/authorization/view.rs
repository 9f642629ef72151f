use super::Caller;
use crate::schema::{Attribute, ResourceDefinition};

/// A resource as it is for a caller: attributes that they must not know of are none of it.
#[derive(Debug, Clone, Copy)]
pub struct View<'view> {
    definition: &'view ResourceDefinition,
    caller: &'view Caller,
}

impl<'view> View<'view> {
    /// The view of a caller.
    pub const fn new(definition: &'view ResourceDefinition, caller: &'view Caller) -> Self {
        Self { definition, caller }
    }

    /// The whole of it, for the developer's own code.
    pub const fn whole(definition: &'view ResourceDefinition) -> Self {
        Self::new(definition, &Caller::Unchecked)
    }

    /// Another resource as it is for the same caller.
    pub const fn of(self, definition: &'view ResourceDefinition) -> Self {
        Self::new(definition, self.caller)
    }

    /// The resource that is looked at.
    pub const fn definition(self) -> &'view ResourceDefinition {
        self.definition
    }

    pub(super) const fn caller(self) -> &'view Caller {
        self.caller
    }

    /// The attributes that the caller may read, in declaration order.
    pub(crate) fn readable_attributes(
        self,
    ) -> impl Iterator<Item = &'static Attribute> + Clone + use<'view> {
        let attributes = self.definition.readable_attributes();
        attributes.filter(move |attribute| self.shows(attribute))
    }

    /// The attributes that the caller may filter and order by: those that no format hook redacts.
    pub fn queryable_attributes(
        self,
    ) -> impl Iterator<Item = &'static Attribute> + Clone + use<'view> {
        let attributes = self.definition.queryable_attributes();
        attributes.filter(move |attribute| self.shows(attribute))
    }

    /// Whether the caller reads every attribute that any client may read.
    pub fn is_complete(self) -> bool {
        let mut attributes = self.definition.readable_attributes();
        attributes.all(|attribute| self.shows(attribute))
    }

    /// The attribute `name` and its place, where the caller may know of it: to read or to write it.
    pub fn find(self, name: &str) -> Option<(usize, &'static Attribute)> {
        let found = self.definition.find(name);
        found.filter(|(_, attribute)| self.knows(attribute))
    }

    /// Whether the caller reads the attribute, as far as scopes decide it.
    pub fn shows(self, attribute: &Attribute) -> bool {
        let scopes = attribute.scopes_to_read();
        scopes.is_none_or(|scopes| self.caller.has(scopes))
    }

    /// Whether the caller sets the attribute, as far as scopes decide it.
    pub fn takes(self, attribute: &Attribute) -> bool {
        let scopes = attribute.scopes_to_write();
        scopes.is_none_or(|scopes| self.caller.has(scopes))
    }

    fn knows(self, attribute: &Attribute) -> bool {
        let settable = !attribute.is_read_only() && self.takes(attribute);
        settable || self.shows(attribute)
    }
}
