use super::Requirement;

/// Who may use an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// No caller: the operation is not declared to be anybody's.
    Nobody,
    /// Every caller, also without a token.
    Public,
    /// Callers whose token has the scopes.
    Scopes(Requirement),
}
