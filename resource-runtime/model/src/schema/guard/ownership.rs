use super::Requirement;

/// To whom the items of a resource belong: what `owner(…)` declares.
///
/// The attribute that holds the owner is
/// [`ResourceDefinition::owner_attribute`](crate::schema::ResourceDefinition::owner_attribute).
///
/// ```
/// use resource_runtime::ApiResource;
/// use resource_runtime::schema::Requirement;
///
/// #[derive(ApiResource)]
/// #[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
/// #[resource(owner(field = "author_id", bypass = "note.admin"))]
/// struct Note {
///     id: i64,
///     author_id: i64,
/// }
///
/// let ownership = Note::DEFINITION.ownership().unwrap();
/// assert_eq!(ownership.claim(), "sub");
/// assert_eq!(ownership.bypass(), Some(Requirement::Any(&["note.admin"])));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    claim: &'static str,
    bypass: Option<Requirement>,
}

impl Ownership {
    /// An item belongs to the caller whose token has its owner in `claim`.
    #[must_use]
    pub const fn of_claim(claim: &'static str) -> Self {
        Self {
            claim,
            bypass: None,
        }
    }

    /// Callers with `scopes` use the items of everybody, and may name the owner.
    #[must_use]
    pub const fn bypassed_by(mut self, scopes: Requirement) -> Self {
        self.bypass = Some(scopes);
        self
    }

    /// The claim of a token that names the owner.
    #[must_use]
    pub const fn claim(&self) -> &'static str {
        self.claim
    }

    /// The scopes that make a caller free of the rule; without them nobody is.
    #[must_use]
    pub const fn bypass(&self) -> Option<Requirement> {
        self.bypass
    }
}
