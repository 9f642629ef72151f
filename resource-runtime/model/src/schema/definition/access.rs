use super::ResourceDefinition;
use crate::schema::{Access, Attribute, Guard, Operation, Ownership};

/// What the derive calls to say who may do what.
impl ResourceDefinition {
    /// Its operations are for those whom `guard` names.
    #[must_use]
    pub const fn guard(mut self, guard: Guard) -> Self {
        self.guard = Some(guard);
        self
    }

    /// Its items belong to callers; one of the attributes is the owner.
    #[must_use]
    pub const fn owner(mut self, ownership: Ownership) -> Self {
        self.ownership = Some(ownership);
        self
    }
}

/// Who may do what.
impl ResourceDefinition {
    /// Who may use which operation; `None` where the resource says nothing of it.
    #[must_use]
    pub const fn declared_guard(&self) -> Option<Guard> {
        self.guard
    }

    /// Who may use `operation`: nobody where the resource says nothing of it.
    pub fn access(&self, operation: Operation) -> Access {
        let guard = self.guard.as_ref();
        guard.map_or(Access::Nobody, |guard| guard.access(operation))
    }

    /// To whom items belong; `None` where they belong to nobody.
    #[must_use]
    pub const fn ownership(&self) -> Option<Ownership> {
        self.ownership
    }

    /// The position and description of the attribute that holds the owner of an item.
    #[must_use]
    pub fn owner_attribute(&self) -> Option<(usize, &'static Attribute)> {
        let mut attributes = self.attributes.iter().enumerate();
        attributes.find(|(_, attribute)| attribute.is_owner())
    }
}
