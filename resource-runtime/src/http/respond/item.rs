//! An item as JSON, with its format hook where it has one.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use resource_model::error::DatabaseFailure;

use super::Shape;
use super::answer::json;
use super::hand_over::Pieces;
use super::page::PIECE;
use super::page_body::PageBody;
use super::unsent::Unsent;
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
        let length = u64::try_from(self.bytes.len()).map_err(DatabaseFailure::internal)?;
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
