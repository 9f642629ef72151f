use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;

use super::Shape;
use super::answer::json;
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::value::Row;

/// Encodes the items of a page while their rows are lent.
#[derive(Debug)]
pub(crate) struct PageEncoder {
    shape: Arc<Shape>,
    bytes: Vec<u8>,
    empty: bool,
}

impl PageEncoder {
    pub(crate) fn new(shape: Arc<Shape>) -> Self {
        let mut bytes = Vec::with_capacity(1024);
        bytes.extend_from_slice(b"{\"items\":[");
        Self {
            shape,
            bytes,
            empty: true,
        }
    }

    /// The collection representation; the total stands last, as it is known last.
    pub(crate) fn answer(mut self, total: u64) -> Response {
        let end = format!("],\"totalItems\":{total}}}");
        self.bytes.extend_from_slice(end.as_bytes());
        json(Body::from(self.bytes))
    }
}

impl RowVisitor for PageEncoder {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        if !self.empty {
            self.bytes.push(b',');
        }
        self.empty = false;
        self.shape.write(row, &mut self.bytes)
    }
}
