//! The view of a resource that a caller has: the attributes and rows that are visible to them.

use super::{Caller, UnfitClaim};
use crate::schema::{Attribute, Operation, Ownership, ResourceDefinition};
use crate::value::Value;

/// A resource as a caller sees it: without the attributes that are hidden from them.
#[derive(Debug, Clone, Copy)]
pub struct View<'view> {
    definition: &'view ResourceDefinition,
    caller: &'view Caller,
    is_related: bool,
}

impl<'view> View<'view> {
    /// The view of a caller.
    pub const fn new(definition: &'view ResourceDefinition, caller: &'view Caller) -> Self {
        Self {
            definition,
            caller,
            is_related: false,
        }
    }

    /// The view of a client without restrictions: all rows, and the attributes that clients may see.
    pub const fn unrestricted(definition: &'view ResourceDefinition) -> Self {
        Self::new(definition, &Caller::Trusted)
    }

    /// The view of the developer's own code, from which nothing is hidden.
    pub const fn system(definition: &'view ResourceDefinition) -> Self {
        Self::new(definition, &Caller::System)
    }

    /// The view of a related resource for the same caller.
    pub const fn of(self, definition: &'view ResourceDefinition) -> Self {
        Self {
            is_related: true,
            ..Self::new(definition, self.caller)
        }
    }

    /// Tests whether the view is of a resource that is related to another one.
    pub(crate) const fn is_related(self) -> bool {
        self.is_related
    }

    /// The definition of the resource.
    pub const fn definition(self) -> &'view ResourceDefinition {
        self.definition
    }

    /// The attributes that the caller may read, in declaration order.
    pub(crate) fn readable_attributes(
        self,
    ) -> impl Iterator<Item = &'static Attribute> + Clone + use<'view> {
        // Attributes that no client may read are left out first, then those that this caller lacks the scopes for.
        let attributes = self.definition.all_attributes().iter();
        attributes.filter(move |attribute| {
            self.is_system() || (!attribute.is_write_only() && self.can_read(attribute))
        })
    }

    /// The attributes that the caller may filter and order by: readable ones that no format hook redacts.
    pub fn queryable_attributes(
        self,
    ) -> impl Iterator<Item = &'static Attribute> + Clone + use<'view> {
        let attributes = self.definition.all_attributes().iter();
        attributes.filter(move |attribute| {
            self.is_system() || (!attribute.is_secret() && self.can_read(attribute))
        })
    }

    /// Tests whether no attribute is hidden from the caller that any other client may read, and none is cut.
    pub fn is_complete(self) -> bool {
        // Write-only attributes are hidden from everybody, and so are not missing in a response.
        let mut attributes = self.definition.readable_attributes();
        attributes.all(|attribute| self.can_read(attribute) && attribute.truncation().is_none())
    }

    /// The attribute `name` and its position, where the caller may read or write the attribute.
    pub fn find(self, name: &str) -> Option<(usize, &'static Attribute)> {
        // A hidden attribute is not found at all, so that errors do not differ from those of an unknown name.
        let found = self.definition.find(name);
        found.filter(|(_, attribute)| self.can_see(attribute))
    }

    /// Tests whether the caller reads the attribute, as far as scopes decide it.
    pub fn can_read(self, attribute: &Attribute) -> bool {
        let scopes = attribute.scopes_to_read();
        // An attribute without scopes of its own is read by whoever may read the item.
        scopes.is_none_or(|scopes| self.caller.has(scopes))
    }

    /// Tests whether the caller sets the attribute, as far as scopes decide it.
    pub fn can_write(self, attribute: &Attribute) -> bool {
        let scopes = attribute.scopes_to_write();
        // An attribute without scopes of its own is set by whoever may write the item.
        scopes.is_none_or(|scopes| self.caller.has(scopes))
    }

    /// Tests whether a struct, which has a value of every attribute, names this one of a new item. Of a caller's it
    /// names none that is read-only, that the service sets, or that is hidden; and null where a scope is missing.
    pub fn names_in_struct(self, attribute: &Attribute, is_null: bool) -> bool {
        if self.is_system() {
            return !attribute.is_set_by_database(false);
        }
        let is_key = attribute.is_primary_key() && !attribute.is_assigned_by_client();
        let is_bound = self.bound_owner().is_some() && attribute.is_owner();
        let is_unset = is_key || is_bound || attribute.is_read_only() || !self.can_see(attribute);
        !is_unset && (!is_null || self.can_write(attribute))
    }

    /// Tests whether the view is that of the developer's own code.
    pub const fn is_system(self) -> bool {
        matches!(self.caller, Caller::System | Caller::SystemWithDeleted)
    }

    /// Tests whether deleted items are visible, as the view is of the developer's own code that asks for them.
    pub const fn shows_deleted(self) -> bool {
        matches!(self.caller, Caller::SystemWithDeleted)
    }

    fn can_see(self, attribute: &Attribute) -> bool {
        if attribute.holds_deletion() {
            return self.is_system();
        }
        // Callers who set an attribute know its name, even where its value is hidden from them.
        let settable = !attribute.is_read_only() && self.can_write(attribute);
        settable || self.can_read(attribute)
    }
}

/// Ownership of rows.
impl View<'_> {
    /// The rows of the resource that are visible to the caller.
    pub fn rows(self) -> Rows {
        let rows = self.own_rows();
        match self.definition().deletion_attribute() {
            Some((_, deleted)) if !self.shows_deleted() => Rows::Living(deleted, Box::new(rows)),
            _ => rows,
        }
    }

    /// The rows that a reference may point at which the developer's own code sets, of a hook or a default.
    pub fn rows_for_hooks(self) -> Rows {
        let caller = self.caller;
        Self::new(
            self.definition,
            if self.shows_deleted() {
                caller
            } else {
                &Caller::System
            },
        )
        .rows()
    }

    fn own_rows(self) -> Rows {
        // Callers who are exempt, and resources without an owner rule, have no restriction of rows.
        let Some((ownership, owner)) = self.binding_rule() else {
            return Rows::All;
        };
        let value = self.owner_in(ownership, owner).ok().flatten();
        // A caller whose token has no readable claim for the owner owns nothing, rather than everything.
        value.map_or(Rows::None, |value| Rows::Of(owner, value))
    }

    /// The rows that the caller may see through another resource, which refers to this one.
    pub fn readable_rows(self) -> Rows {
        // A caller who may not read the resource must not learn by a reference which of its items exist.
        if self.caller.may_read(self.definition()) {
            self.rows()
        } else {
            Rows::None
        }
    }

    /// The rows that the caller may see in a collection of another resource, which shows or tells what a list would.
    pub fn listable_rows(self) -> Rows {
        let access = self.definition.access(Operation::List);
        if self.caller.may_use(access) {
            self.rows()
        } else {
            Rows::None
        }
    }

    /// The owner attribute that the service sets to the caller, and that the caller may not name.
    pub fn bound_owner(self) -> Option<&'static Attribute> {
        self.binding_rule().map(|(_, owner)| owner)
    }

    /// The owner of a new item whose body names none: the position of the attribute, and the value. `None`
    /// where items have no owner, or the attribute cannot hold this caller.
    pub fn new_owner(self) -> Option<(usize, Value)> {
        let ownership = self.definition().ownership()?;
        // A rule without its attribute is refused by the registry, so that both are there or neither.
        let (index, owner) = self.definition().owner_attribute()?;
        // An unfit claim of a caller whom the rule binds was refused before; any other may name an owner.
        let value = self.owner_in(ownership, owner).ok().flatten()?;
        // A limit of the attribute, as its length, may exclude a name that the issuer gives.
        owner.violation(&value).is_none().then_some((index, value))
    }

    /// The owner rule, where it binds the caller and the token has its claim in a form that is no owner.
    pub fn unfit_rule(self) -> Option<(Ownership, &'static Attribute)> {
        let (ownership, owner) = self.binding_rule()?;
        // A missing claim is not unfit: such a caller owns nothing, and is not refused.
        let unfit = self.owner_in(ownership, owner).is_err();
        unfit.then_some((ownership, owner))
    }

    /// The owner rule, where the caller is not exempt from it.
    fn binding_rule(self) -> Option<(Ownership, &'static Attribute)> {
        let ownership = self.definition().ownership()?;
        let (_, owner) = self.definition().owner_attribute()?;
        (!self.is_free_of(ownership)).then_some((ownership, owner))
    }

    fn is_free_of(self, ownership: Ownership) -> bool {
        let bypasses = |scopes| self.caller.has(scopes);
        // A rule without a bypass binds everybody but the developer's own code.
        self.is_system()
            || matches!(self.caller, Caller::Trusted)
            || ownership.bypass().is_some_and(bypasses)
    }

    /// The value of the caller in the attribute that holds owners; `None` where the token lacks the claim.
    fn owner_in(
        self,
        ownership: Ownership,
        owner: &Attribute,
    ) -> Result<Option<Value>, UnfitClaim> {
        // Only tokens have claims: an anonymous caller owns nothing, and trusted code is no user.
        let Caller::Bearer(claims) = self.caller else {
            return Ok(None);
        };
        // A missing claim is no fault of the token: a client that acts on its own behalf has no user.
        let Some(text) = claims.owner(ownership.claim(), owner.kind())? else {
            return Ok(None);
        };
        // The claim is read as a path is, so that no two spellings are the same owner.
        owner.spelled(&text).map(Some).ok_or(UnfitClaim)
    }
}

/// The rows of a table that are visible to a caller.
#[derive(Debug, Clone)]
pub enum Rows {
    /// All rows.
    All,
    /// Rows in which the attribute holds this value.
    Of(&'static Attribute, Value),
    /// Those of these rows that are not deleted: in which the attribute is null.
    Living(&'static Attribute, Box<Self>),
    /// No row.
    None,
}

impl Rows {
    /// Tests whether no row is left out.
    pub const fn are_all(&self) -> bool {
        matches!(self, Self::All)
    }
}
