//! Who may do what, as it is declared: nothing here looks at a caller.

mod access;
mod ownership;
mod requirement;

use super::Operation;
pub use access::Access;
pub use ownership::Ownership;
pub use requirement::Requirement;

/// Who may use the operations of a resource: what `scopes(…)` and `public` declare.
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
    /// No operation is anybody's yet.
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

    /// Who may use `operation`.
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

/// What the derive calls; of two calls about one operation the later one holds.
impl Guard {
    /// Everybody may use every operation.
    #[must_use]
    pub const fn public(self) -> Self {
        Self {
            create: Access::Public,
            update: Access::Public,
            delete: Access::Public,
            ..self.public_read()
        }
    }

    /// Everybody may list and retrieve.
    #[must_use]
    pub const fn public_read(self) -> Self {
        Self {
            list: Access::Public,
            retrieve: Access::Public,
            ..self
        }
    }

    /// Listing and retrieving ask for `scopes`.
    #[must_use]
    pub const fn read(self, scopes: Requirement) -> Self {
        self.list(scopes).retrieve(scopes)
    }

    /// Creating, updating and deleting ask for `scopes`.
    #[must_use]
    pub const fn write(self, scopes: Requirement) -> Self {
        self.create(scopes).update(scopes).delete(scopes)
    }

    /// Listing asks for `scopes`.
    #[must_use]
    pub const fn list(mut self, scopes: Requirement) -> Self {
        self.list = Access::Scopes(scopes);
        self
    }

    /// Retrieving asks for `scopes`.
    #[must_use]
    pub const fn retrieve(mut self, scopes: Requirement) -> Self {
        self.retrieve = Access::Scopes(scopes);
        self
    }

    /// Creating asks for `scopes`.
    #[must_use]
    pub const fn create(mut self, scopes: Requirement) -> Self {
        self.create = Access::Scopes(scopes);
        self
    }

    /// Updating asks for `scopes`.
    #[must_use]
    pub const fn update(mut self, scopes: Requirement) -> Self {
        self.update = Access::Scopes(scopes);
        self
    }

    /// Deleting asks for `scopes`.
    #[must_use]
    pub const fn delete(mut self, scopes: Requirement) -> Self {
        self.delete = Access::Scopes(scopes);
        self
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
    fn what_is_not_declared_is_nobodys() {
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
}
