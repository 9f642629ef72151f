use super::{Caller, Rows, UnfitClaim, View};
use crate::schema::{Attribute, Ownership};
use crate::value::Value;

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
