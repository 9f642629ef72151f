//! Declarations of access: guards, owner rules and required scopes; the check of a caller is elsewhere.

use super::Operation;

/// The callers that may use each operation of a resource, as `scopes(…)` and `public` declare it.
///
/// ```
/// use resource_runtime::ApiResource;
/// use resource_runtime::schema::{Access, Operation, Requirement};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Setting", url = "/settings", version = "1.0")]
/// #[resource(public(read), scopes(write = "settings.write"))]
/// struct Setting {
///     id: i64,
/// }
///
/// let guard = Setting::DEFINITION.declared_guard().unwrap();
/// let write = Requirement::Any(&["settings.write"]);
/// assert_eq!(guard.access(Operation::List), Access::Public);
/// assert_eq!(guard.access(Operation::Delete), Access::Scopes(write));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    list: Access,
    retrieve: Access,
    create: Access,
    update: Access,
    delete: Access,
}

impl Guard {
    /// A guard that admits nobody to any operation yet.
    #[must_use]
    pub const fn closed() -> Self {
        Self {
            list: Access::Nobody,
            retrieve: Access::Nobody,
            create: Access::Nobody,
            update: Access::Nobody,
            delete: Access::Nobody,
        }
    }

    /// The callers that may use `operation`.
    #[must_use]
    pub const fn access(&self, operation: Operation) -> Access {
        match operation {
            Operation::List => self.list,
            Operation::Retrieve => self.retrieve,
            Operation::Create => self.create,
            Operation::Update => self.update,
            Operation::Delete => self.delete,
        }
    }
}

/// Builder methods, which the derive calls; of two calls about one operation the later one holds.
impl Guard {
    /// Opens every operation to everybody.
    #[must_use]
    pub const fn public(self) -> Self {
        Self {
            // The update syntax takes the two reading operations from `public_read`.
            create: Access::Public,
            update: Access::Public,
            delete: Access::Public,
            ..self.public_read()
        }
    }

    /// Opens listing and retrieving to everybody.
    #[must_use]
    pub const fn public_read(self) -> Self {
        Self {
            // Other operations keep what an earlier call has given them.
            list: Access::Public,
            retrieve: Access::Public,
            ..self
        }
    }

    /// Requires `scopes` for listing and retrieving.
    #[must_use]
    pub const fn read(self, scopes: Requirement) -> Self {
        // Later calls for single operations replace what this sets.
        self.list(scopes).retrieve(scopes)
    }

    /// Requires `scopes` for creating, updating and deleting.
    #[must_use]
    pub const fn write(self, scopes: Requirement) -> Self {
        self.create(scopes).update(scopes).delete(scopes)
    }

    setters! {
        /// Requires `scopes` for listing.
        list(scopes: Requirement) => list = Access::Scopes(scopes);

        /// Requires `scopes` for retrieving.
        retrieve(scopes: Requirement) => retrieve = Access::Scopes(scopes);

        /// Requires `scopes` for creating.
        create(scopes: Requirement) => create = Access::Scopes(scopes);

        /// Requires `scopes` for updating.
        update(scopes: Requirement) => update = Access::Scopes(scopes);

        /// Requires `scopes` for deleting.
        delete(scopes: Requirement) => delete = Access::Scopes(scopes);
    }
}

/// The callers that may use an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// No caller: the declaration opens the operation to nobody.
    Nobody,
    /// Every caller, also without a token.
    Public,
    /// Callers whose token has the scopes.
    Scopes(Requirement),
}

/// The owner rule of a resource, as `owner(…)` declares it: items belong to single callers.
///
/// The attribute that holds the owner is
/// [`ResourceDefinition::owner_attribute`](super::ResourceDefinition::owner_attribute).
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
    getters! {
        /// The claim of a token that names the owner.
        claim() -> &'static str => claim;

        /// The scopes that exempt a caller from the rule; `None` where nobody is exempt.
        bypass() -> Option<Requirement> => bypass;
    }

    /// The rule that an item belongs to the caller whose token has its owner in `claim`.
    #[must_use]
    pub const fn of_claim(claim: &'static str) -> Self {
        Self {
            claim,
            bypass: None,
        }
    }

    setters! {
        /// Exempts callers with `scopes`, who use the items of everybody and may name the owner.
        bypassed_by(scopes: Requirement) => bypass = Some(scopes);
    }
}

/// The scopes that a caller needs.
///
/// ```
/// use resource_runtime::schema::Requirement;
///
/// let requirement = Requirement::Any(&["settings.admin", "settings.write"]);
/// assert!(requirement.is_met_by(&["profile", "settings.write"]));
/// assert!(!requirement.is_met_by(&["profile", "settings.read"]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// At least one of these.
    Any(&'static [&'static str]),
    /// All of these.
    All(&'static [&'static str]),
}

impl Requirement {
    /// The scopes of the requirement, in the order in which they were written.
    #[must_use]
    pub const fn scopes(&self) -> &'static [&'static str] {
        match self {
            Self::Any(scopes) | Self::All(scopes) => scopes,
        }
    }

    /// Tests whether a caller with the scopes `granted`, which are sorted, meets the requirement.
    ///
    /// A requirement without scopes is met by nobody, and the binary search of an unsorted set at worst
    /// misses a scope: neither mistake lets anybody in.
    #[must_use]
    pub fn is_met_by<Scope: AsRef<str>>(&self, granted: &[Scope]) -> bool {
        // The scopes were sorted when the token was read, so that each check is a binary search.
        let is_granted = |scope: &&str| {
            let place = granted.binary_search_by(|it| it.as_ref().cmp(scope));
            place.is_ok()
        };
        match self {
            // `any` of an empty list is false, so that it needs no test of its own.
            Self::Any(scopes) => scopes.iter().any(is_granted),
            // `all` of an empty list is true, which would open the operation to everybody.
            Self::All(scopes) => !scopes.is_empty() && scopes.iter().all(is_granted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Requirement = Requirement::Any(&["read"]);
    const WRITE: Requirement = Requirement::Any(&["write"]);
    const ADMIN: Requirement = Requirement::All(&["admin", "write"]);

    fn accesses(guard: Guard) -> [Access; 5] {
        Operation::ALL.map(|operation| guard.access(operation))
    }

    #[test]
    fn undeclared_operation_admits_nobody() {
        assert_eq!(accesses(Guard::closed()), [Access::Nobody; 5]);
        let readable = accesses(Guard::closed().public_read());
        assert_eq!(readable[..2], [Access::Public; 2]);
        assert_eq!(readable[2..], [Access::Nobody; 3]);
    }

    #[test]
    fn read_and_write_stand_for_all_operations() {
        let [read, write] = [READ, WRITE].map(Access::Scopes);
        let guard = Guard::closed().read(READ).write(WRITE);
        assert_eq!(accesses(guard), [read, read, write, write, write]);
        assert_eq!(accesses(Guard::closed().public()), [Access::Public; 5]);
    }

    #[test]
    fn each_operation_has_its_own_scopes() {
        let [read, write, admin] = [READ, WRITE, ADMIN].map(Access::Scopes);
        let guard = Guard::closed().read(READ).write(WRITE);
        let listing = guard.list(ADMIN);
        assert_eq!(accesses(listing), [admin, read, write, write, write]);
        let retrieving = guard.retrieve(ADMIN);
        assert_eq!(accesses(retrieving), [read, admin, write, write, write]);
        let creating = guard.create(ADMIN);
        assert_eq!(accesses(creating), [read, read, admin, write, write]);
        let updating = guard.update(ADMIN);
        assert_eq!(accesses(updating), [read, read, write, admin, write]);
        let deleting = guard.delete(ADMIN);
        assert_eq!(accesses(deleting), [read, read, write, write, admin]);
    }

    const ANY: Requirement = Requirement::Any(&["write", "admin"]);
    const ALL: Requirement = Requirement::All(&["write", "admin"]);

    #[test]
    fn any_is_met_by_one_and_all_by_all() {
        let cases: [(&[&str], bool, bool); 7] = [
            (&[], false, false),
            (&["admin"], true, false),
            (&["write"], true, false),
            (&["admin", "write"], true, true),
            (&["admin", "read", "write"], true, true),
            (&["administer", "writer"], false, false),
            (&["Admin", "WRITE"], false, false),
        ];
        for (granted, any, all) in cases {
            assert_eq!(ANY.is_met_by(granted), any, "{granted:?}");
            assert_eq!(ALL.is_met_by(granted), all, "{granted:?}");
        }
    }

    #[test]
    fn requirement_without_scopes_is_met_by_nobody() {
        for requirement in [Requirement::Any(&[]), Requirement::All(&[])] {
            assert!(!requirement.is_met_by(&["admin"]), "{requirement:?}");
            assert!(!requirement.is_met_by::<&str>(&[]), "{requirement:?}");
        }
    }

    #[test]
    fn granted_scopes_may_be_owned() {
        assert!(ANY.is_met_by(&[String::from("write")]));
        assert_eq!(ANY.scopes(), ["write", "admin"]);
    }
}
