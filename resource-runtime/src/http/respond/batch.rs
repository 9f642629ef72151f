//! A batch of a list of all items: some of its rows, encoded, and the place behind them.

use std::sync::Arc;

use resource_model::error::DatabaseResult;
use resource_model::schema::ResourceDefinition;
use resource_model::value::Value;

use super::RowEncoder;
use super::item_writer::ItemWriter;
use crate::store::{Row, RowVisitor};

/// Length in bytes that a batch should have, and after which no row is added to it.
const USUAL: usize = 128 * 1024;
const MOST: usize = 2 * USUAL;

/// Encodes rows until the batch is long enough, so that it is bounded however long a row is. Each attempt to read it has a
/// new one, of which nothing was sent.
#[derive(Debug)]
pub(crate) struct Batch {
    writer: ItemWriter,
    definition: &'static ResourceDefinition,
    pub(crate) bytes: Vec<u8>,
    rows: usize,
    /// The key of the last row, behind which the next batch begins; none without a row.
    pub(crate) last: Option<Vec<Value>>,
    /// True where rows were left to the next batch.
    pub(crate) is_full: bool,
}

impl Batch {
    /// A batch of rows that end with their key.
    pub(crate) fn new(
        encoder: Arc<RowEncoder>,
        definition: &'static ResourceDefinition,
        is_first: bool,
    ) -> Self {
        let header = if is_first { &*encoder.header } else { "" };
        Self {
            bytes: Vec::from(header),
            writer: ItemWriter::new(encoder),
            definition,
            rows: 0,
            last: None,
            is_full: false,
        }
    }

    /// Number of rows like these that a batch of the usual length has.
    pub(crate) fn usual_rows(&self) -> usize {
        (self.rows * USUAL / self.bytes.len().max(1)).max(1)
    }
}

impl RowVisitor for Batch {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        self.is_full = self.bytes.len() >= MOST;
        if self.is_full {
            return Ok(());
        }
        self.writer.write(row, &mut self.bytes)?;
        self.rows += 1;
        let key = self.last.get_or_insert_default();
        key.clear();
        for (index, attribute) in self.definition.key_attributes().enumerate() {
            let value = row.value(self.writer.encoder.width() + index)?;
            key.push(value.keep(attribute.kind()));
        }
        Ok(())
    }

    fn runs_no_hook(&self) -> bool {
        self.writer.encoder.is_plain()
    }
}
