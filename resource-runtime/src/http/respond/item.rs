//! An item as JSON, with its format hook where it has one.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use resource_model::error::DatabaseFailure;
use resource_model::schema::{Attribute, ResourceDefinition};

use super::Shape;
use super::answer::json;
use super::hand_over::Pieces;
use super::page::PIECE;
use super::page_body::PageBody;
use super::shape::Member;
use super::unsent::Unsent;
use crate::hooks::Formatter;
use crate::store::{Row, RowVisitor};

/// Encodes an item while its row is lent.
#[derive(Debug)]
pub(crate) struct ItemEncoder {
    shape: Arc<Shape>,
    bytes: Vec<u8>,
}

impl ItemEncoder {
    pub(crate) fn new(shape: Arc<Shape>) -> Self {
        Self {
            shape,
            bytes: Vec::with_capacity(256),
        }
    }

    /// The response with the item, which waits for the client as a long page does where it is long.
    pub(crate) fn answer(self, unsent: &Arc<Unsent>) -> Result<Response, DatabaseFailure> {
        if self.bytes.len() <= PIECE {
            return Ok(json(self.bytes));
        }
        let length = u64::try_from(self.bytes.len()).map_err(DatabaseFailure::unexpected)?;
        let pieces = Pieces::of(unsent, self.bytes)?;
        Ok(json(Body::new(PageBody::whole(pieces, length))))
    }
}

impl RowVisitor for ItemEncoder {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        self.shape.write(row, &mut self.bytes)
    }

    fn is_quick(&self) -> bool {
        self.shape.is_plain()
    }
}

/// An object that a format hook sees as a whole, before the members are written that the client asked
/// for and the hook left in place.
#[derive(Debug, Clone)]
pub(super) struct Formatted {
    attributes: &'static [Attribute],
    /// The members that are shown, each with its attribute's index.
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

    /// Number of columns that the object is read from.
    pub(super) const fn width(&self) -> usize {
        self.attributes.len()
    }

    /// Appends the members, read from `column` on, and returns the column behind them.
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
