//! Rules about what attributes reference.

use super::{Place, Subject, named};
use crate::schema::{Attribute, Identifier};

/// Where one version asks whether a client may refer to an item, another would not.
pub(super) fn other_target(there: Place<'_>, here: Place<'_>) -> Option<String> {
    let is_for_some = is_guarded(there.1) || is_guarded(here.1);
    (is_for_some && points_at(there.1) != points_at(here.1)).then(|| {
        format!(
            "`{}` references {}, and `{}`, which shares its column, references {}; let both \
             reference the same, or give one of them another `column` or `table`",
            named(there),
            target(there.1),
            named(here),
            target(here.1),
        )
    })
}

/// Whether it references what is not for everybody.
fn is_guarded(attribute: &Attribute) -> bool {
    attribute.reference().is_some_and(|reference| {
        let target = (reference.target)();
        target.declared_guard().is_some() || target.ownership().is_some()
    })
}

/// The table and the column.
fn points_at(attribute: &Attribute) -> Option<(Identifier, Identifier)> {
    let definition = (attribute.reference()?.target)();
    let column = attribute.target()?.identifier();
    Some((definition.table_identifier(), column))
}

fn target(attribute: &Attribute) -> String {
    let reference = attribute.reference().zip(attribute.target());
    reference.map_or_else(
        || String::from("nothing"),
        |(reference, target)| format!("`{}.{}`", (reference.target)().name(), target.name()),
    )
}

/// Whoever sets a reference learns whether there is an item with this value.
pub(super) fn unreadable_target(subject: &Subject, attribute: &Attribute) -> Option<String> {
    attribute.target()?.scopes_to_read()?;
    Some(format!(
        "`{}` references {}, which its `read_scope` keeps from some; reference another attribute, \
         or remove the `read_scope`",
        named((subject, attribute)),
        target(attribute),
    ))
}
