//! Rules about columns that several versions have: what one of them keeps, none may give away.

use super::{Place, named};

const REMEDY: &str = "or give one of them another `column` or `table`";

/// What one version hides, another would tell.
pub(super) fn shown_elsewhere(there: Place<'_>, here: Place<'_>) -> Option<String> {
    let (hiding, telling) = match (there.1.is_secret(), here.1.is_secret()) {
        (true, false) => (there, here),
        (false, true) => (here, there),
        _ => return None,
    };
    Some(format!(
        "`{}` tells what `{}` hides: they share a column; hide it in both with `write_only` or \
         `redacts(…)`, {REMEDY}",
        named(telling),
        named(hiding),
    ))
}

/// What one version keeps from callers another would tell them, and what they may not set in one
/// they would set in another.
pub(super) fn other_scopes(there: Place<'_>, here: Place<'_>) -> Option<String> {
    let ((_, other), (_, attribute)) = (there, here);
    // Whom a scope lets through, no scope keeps from what nobody sets.
    let both_are_set = !other.is_read_only() && !attribute.is_read_only();
    let key = if other.scopes_to_read() != attribute.scopes_to_read() {
        "read_scope"
    } else if both_are_set && other.scopes_to_write() != attribute.scopes_to_write() {
        "write_scope"
    } else {
        return None;
    };
    Some(format!(
        "`{}` and `{}` share a column, but not its `{key}`; give both the same, {REMEDY}",
        named(there),
        named(here),
    ))
}
