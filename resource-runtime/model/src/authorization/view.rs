//! The part of a resource that is there for a caller: its attributes, and its rows.

use super::{Caller, UnfitClaim};
use crate::schema::{Attribute, Ownership, ResourceDefinition};
use crate::value::Value;

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

/// What belongs to whom.
impl View<'_> {
    /// The rows of the resource that there are for the caller.
    pub fn rows(self) -> Rows {
        let Some((ownership, owner)) = self.binding_rule() else {
            return Rows::All;
        };
        let value = self.owner_in(ownership, owner).ok().flatten();
        value.map_or(Rows::None, |value| Rows::Of(owner, value))
    }

    /// The rows that the caller finds through another resource, which refers to this one.
    pub fn readable_rows(self) -> Rows {
        if self.caller().may_read(self.definition()) {
            self.rows()
        } else {
            Rows::None
        }
    }

    /// The attribute that the service sets to the caller, and no client may name.
    pub fn bound_owner(self) -> Option<&'static Attribute> {
        self.binding_rule().map(|(_, owner)| owner)
    }

    /// Whom a new item belongs to where the client does not say: its place among the attributes,
    /// and the value. None where items belong to nobody, or the caller is nobody whom it takes.
    pub fn new_owner(self) -> Option<(usize, Value)> {
        let ownership = self.definition().ownership()?;
        let (index, owner) = self.definition().owner_attribute()?;
        let value = self.owner_in(ownership, owner).ok().flatten()?;
        owner.misfit(&value).is_none().then_some((index, value))
    }

    /// The rule whose claim the caller's token has in a form that says nothing, where it counts.
    pub fn unfit_rule(self) -> Option<(Ownership, &'static Attribute)> {
        let (ownership, owner) = self.binding_rule()?;
        let unfit = self.owner_in(ownership, owner).is_err();
        unfit.then_some((ownership, owner))
    }

    /// The rule, where the caller is not free of it.
    fn binding_rule(self) -> Option<(Ownership, &'static Attribute)> {
        let ownership = self.definition().ownership()?;
        let (_, owner) = self.definition().owner_attribute()?;
        (!self.is_free_of(ownership)).then_some((ownership, owner))
    }

    fn is_free_of(self, ownership: Ownership) -> bool {
        let bypasses = |scopes| self.caller().has(scopes);
        matches!(self.caller(), Caller::Unchecked) || ownership.bypass().is_some_and(bypasses)
    }

    /// What the caller is called in the attribute that holds owners, where the token says so.
    fn owner_in(
        self,
        ownership: Ownership,
        owner: &Attribute,
    ) -> Result<Option<Value>, UnfitClaim> {
        let Caller::Bearer(claims) = self.caller() else {
            return Ok(None);
        };
        let Some(text) = claims.owner(ownership.claim(), owner.kind())? else {
            return Ok(None);
        };
        owner.spelled(&text).map(Some).ok_or(UnfitClaim)
    }
}

/// Which rows of a table there are for a caller.
#[derive(Debug, Clone)]
pub enum Rows {
    /// All rows.
    All,
    /// Those in which the attribute holds this value.
    Of(&'static Attribute, Value),
    /// No row.
    None,
}

impl Rows {
    /// Tells that no row is left out.
    pub const fn are_all(&self) -> bool {
        matches!(self, Self::All)
    }
}
