/// What a service knows of its callers, as far as it decides whether resources can be guarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callers {
    /// There are none yet: only the tables are wanted.
    Unknown,
    /// Nobody asks who they are, and nobody said that this is wanted.
    Unasked,
    /// Nobody asks who they are, as is wanted.
    Unprotected,
    /// They are asked, and called as their one issuer calls them.
    Named,
    /// They are asked, and what they are called begins with the namespace of their issuer.
    NamedByIssuer,
}

impl Callers {
    pub(super) const fn are_asked(self) -> bool {
        matches!(self, Self::Named | Self::NamedByIssuer)
    }

    pub(super) const fn have_namespaces(self) -> bool {
        matches!(self, Self::NamedByIssuer)
    }
}
