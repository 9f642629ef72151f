use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;

use super::Shape;
use super::answer::json;
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::value::Row;

/// Encodes one item while its row is lent.
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

    pub(crate) fn answer(self) -> Response {
        json(Body::from(self.bytes))
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
