//! Rules about who reads an attribute.

use super::Subject;
use crate::schema::Attribute;

/// What one version keeps from callers, another would tell them.
pub(super) fn other_readers(
    subject: &Subject,
    attribute: &Attribute,
    earlier: &[Subject],
) -> Option<String> {
    let sharing = earlier.iter().filter(|it| it.shares_table_with(subject));
    let mut others = sharing.filter_map(|other| {
        let mut attributes = other.definition.all_attributes().iter();
        let same = attributes.find(|it| it.identifier() == attribute.identifier())?;
        (same.scopes_to_read() != attribute.scopes_to_read()).then_some((other, same))
    });
    let (other, same) = others.next()?;
    Some(format!(
        "`{}.{}` and `{}.{}` share a column, but not its `read_scope`; give both the same, or one \
         of them another `column` or `table`",
        other.name,
        same.name(),
        subject.name,
        attribute.name(),
    ))
}

/// Whoever sets a reference learns whether there is an item with this value.
pub(super) fn unreadable_target(subject: &Subject, attribute: &Attribute) -> Option<String> {
    let target = attribute.target()?;
    target.scopes_to_read()?;
    let resource = (attribute.reference()?.target)().name();
    Some(format!(
        "`{}.{}` references `{resource}.{}`, which its `read_scope` keeps from some; reference \
         another attribute, or remove the `read_scope`",
        subject.name,
        attribute.name(),
        target.name(),
    ))
}
