use super::Attribute;
use crate::schema::Requirement;

/// What the derive calls to say who may read and write a field.
impl Attribute {
    /// Holds the owner of an item.
    #[must_use]
    pub const fn owner(mut self) -> Self {
        self.owner = true;
        self
    }

    /// Known only to callers with `scopes`.
    #[must_use]
    pub const fn read_scope(mut self, scopes: &'static Requirement) -> Self {
        self.read_scope = Some(scopes);
        self
    }

    /// Taken only from callers with `scopes`.
    #[must_use]
    pub const fn write_scope(mut self, scopes: &'static Requirement) -> Self {
        self.write_scope = Some(scopes);
        self
    }
}

/// Who may read and write it.
impl Attribute {
    /// Whether it holds the owner of an item: a claim of the caller's token, which the client
    /// need not send and only those may who bypass the owner rule.
    #[must_use]
    pub const fn is_owner(&self) -> bool {
        self.owner
    }

    /// The scopes without which a caller does not know of it, beside those of the operation.
    #[must_use]
    pub const fn scopes_to_read(&self) -> Option<Requirement> {
        self.read_scope.copied()
    }

    /// The scopes without which it is refused in bodies, beside those of the operation.
    #[must_use]
    pub const fn scopes_to_write(&self) -> Option<Requirement> {
        self.write_scope.copied()
    }
}
