//! The writes whose outcome triggers of a table may change.

/// The writes of which a trigger may drop the row, or store it elsewhere than where it was sent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Diverting {
    pub(crate) creations: bool,
    pub(crate) changes: bool,
    pub(crate) removals: bool,
}
