use resource_model::error::DatabaseFailure;
use resource_model::schema::{Attribute, ResourceDefinition};

use super::shape::Member;
use crate::hooks::Formatter;
use crate::store::Row;

/// An object that a format hook sees as a whole before those members are written that a client
/// asked for and the hook leaves.
#[derive(Debug, Clone)]
pub(super) struct Formatted {
    attributes: &'static [Attribute],
    /// The members that are shown, each with its attribute's place.
    members: Vec<(usize, Member)>,
    formatter: Formatter,
}

impl Formatted {
    pub(super) fn of(
        definition: &ResourceDefinition,
        shown: &[&Attribute],
        formatter: &Formatter,
    ) -> Self {
        let places = definition.all_attributes().iter().enumerate();
        let members = places
            .filter(|(_, attribute)| shown.iter().any(|it| it.name() == attribute.name()))
            .map(|(index, attribute)| (index, Member::of(attribute)));
        Self {
            attributes: definition.all_attributes(),
            members: members.collect(),
            formatter: formatter.clone(),
        }
    }

    /// How many columns it is read from.
    pub(super) const fn width(&self) -> usize {
        self.attributes.len()
    }

    /// Appends the members, read from `column` on; answers the column behind them.
    pub(super) fn write(
        &self,
        row: &dyn Row,
        column: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<usize, DatabaseFailure> {
        let record = row.record(column, self.attributes)?;
        let shown = self.formatter.format(record)?;
        for (index, member) in &self.members {
            if let Some(value) = shown.get(*index) {
                member.write(value.lend(), bytes)?;
            }
        }
        Ok(column + self.width())
    }
}
