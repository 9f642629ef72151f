//! The writer of items one after another, whose rows repeat an item for each of the items of its collection.

use std::mem;
use std::sync::Arc;

use percent_encoding::{AsciiSet, utf8_percent_encode};
use resource_model::error::DatabaseResult;
use resource_model::query::{Elements, equalities};
use resource_model::schema::Kind;
use resource_model::value::{NOT_UNRESERVED, Value, ValueRef};

use super::row_encoder::{Object, RowEncoder, key};
use crate::hooks::Formatter;
use crate::http::extract::Format;
use crate::json;
use crate::store::Row;

/// All but what a filter in a URL shows as it is.
const ENCODED: &AsciiSet = &NOT_UNRESERVED.remove(b'(').remove(b')');

/// Writes rows in the format of a response, each item once.
#[derive(Debug)]
pub(super) struct ItemWriter {
    pub(super) encoder: Arc<RowEncoder>,
    is_first: bool,
    open: Option<OpenItem>,
}

/// An item whose collection may go on with the next row.
#[derive(Debug)]
struct OpenItem {
    /// The values that the items of the collection refer to; one is null if there can be none.
    target: Vec<Value>,
    count: u64,
    /// The values of the order of the last item that is shown.
    last: Vec<Value>,
}

/// The encoder of the collection of a response.
#[derive(Debug, Clone)]
pub(super) struct ElementEncoder {
    key: Box<[u8]>,
    pub(super) object: Object,
    elements: Elements,
    /// The path of the list of all items.
    list: String,
    /// The first of the columns that are about the collection.
    column: usize,
}

impl ItemWriter {
    pub(super) const fn new(encoder: Arc<RowEncoder>) -> Self {
        Self {
            encoder,
            is_first: true,
            open: None,
        }
    }

    /// Appends `row` as an item, or as a part of the last one.
    pub(super) fn write(&mut self, row: &dyn Row, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
        let Some(elements) = self.encoder.elements.clone() else {
            // The usual case: each row is an item.
            self.begin(row, bytes)?;
            self.end_line(bytes);
            return Ok(());
        };
        if let Some(open) = &mut self.open
            && elements.refers_to(row, &open.target)?
        {
            return elements.write(row, open, bytes);
        }
        self.end(bytes)?;
        self.begin(row, bytes)?;
        elements.begin(bytes);
        let open = self.open.insert(OpenItem {
            target: elements.values(row).collect::<DatabaseResult<_>>()?,
            count: 0,
            last: Vec::new(),
        });
        elements.write(row, open, bytes)
    }

    fn begin(&mut self, row: &dyn Row, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
        if !mem::replace(&mut self.is_first, false) && self.encoder.format == Format::Json {
            bytes.push(b',');
        }
        self.encoder.write(row, bytes)
    }

    /// Ends the last item.
    pub(super) fn end(&mut self, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
        if let (Some(elements), Some(open)) = (&self.encoder.elements, self.open.take()) {
            elements.end(open, bytes)?;
            self.end_line(bytes);
        }
        Ok(())
    }

    fn end_line(&self, bytes: &mut Vec<u8>) {
        if self.encoder.format == Format::Ndjson {
            bytes.push(b'\n');
        }
    }
}

impl ElementEncoder {
    /// The encoder of a collection whose columns begin at `column`, with the path of the list of all items.
    pub(super) fn new(
        elements: &Elements,
        formatter: Option<&Formatter>,
        list: String,
        column: usize,
    ) -> Self {
        let (key, target) = (
            key(elements.collection.name()),
            elements.collection.target(),
        );
        Self {
            key: [&*key, b"{\"items\":["].concat().into(),
            object: Object::of(target, &elements.attributes, formatter),
            elements: elements.clone(),
            list,
            column,
        }
    }

    /// The values of the item that the items of its collection refer to.
    fn values(&self, row: &dyn Row) -> impl Iterator<Item = DatabaseResult<Value>> {
        let keys = self.elements.keys.iter().zip(self.column..);
        keys.map(|((to, _), column)| Ok(row.value(column)?.keep(to.kind())))
    }

    /// Tests whether a row is of the item with these values: items have different ones, but for null, to which nothing
    /// refers.
    fn refers_to(&self, row: &dyn Row, target: &[Value]) -> DatabaseResult<bool> {
        for (value, known) in self.values(row).zip(target) {
            if value? != *known || *known == Value::Null {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Opens the object that was written last for one member more.
    fn begin(&self, bytes: &mut Vec<u8>) {
        bytes.pop();
        // The key begins with a comma, which an object without members does not need.
        let is_empty = bytes.last() == Some(&b'{');
        let key = self.key.get(usize::from(is_empty)..);
        bytes.extend_from_slice(key.unwrap_or_default());
    }

    fn write(&self, row: &dyn Row, open: &mut OpenItem, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
        // The key of an item is null only where the collection has none.
        let key = self.column + self.elements.keys.len();
        if row.value(key)? == ValueRef::Null {
            return Ok(());
        }
        open.count += 1;
        // One more than the limit is read and never shown.
        if open.count > self.elements.limit {
            return Ok(());
        }
        if open.count > 1 {
            bytes.push(b',');
        }
        let first = key + 1;
        self.object.write_whole(row, first, bytes)?;
        if open.count == self.elements.limit && self.elements.cursors.is_some() {
            let order = self.elements.order.iter();
            let kinds = order.map(|it| it.path.attribute.kind());
            let columns = kinds.zip(first + self.object.width()..);
            let values = columns.map(|(kind, column)| Ok(row.value(column)?.keep(kind)));
            open.last = values.collect::<DatabaseResult<_>>()?;
        }
        Ok(())
    }

    fn end(&self, open: OpenItem, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
        bytes.extend_from_slice(b"],\"next\":");
        if open.count > self.elements.limit {
            let next = self.next(open);
            json::write(ValueRef::Text(&next), Kind::Text, bytes)?;
        } else {
            bytes.extend_from_slice(b"null");
        }
        bytes.extend_from_slice(b"}}");
        Ok(())
    }

    /// The URL of the items behind those that are shown, in their list.
    fn next(&self, open: OpenItem) -> String {
        let elements = &self.elements;
        let (list, written, limit) = (&self.list, &elements.written, elements.limit);
        let refers = elements.keys.iter().map(|(_, refers)| *refers);
        let filter = equalities(refers.zip(open.target));
        let place = match &elements.cursors {
            Some(cursors) => format!("cursor={}", cursors.behind(&filter, &open.last)),
            None => format!("offset={limit}"),
        };
        let filter = utf8_percent_encode(&filter, ENCODED);
        format!("{list}?filter={filter}{written}&limit={limit}&{place}")
    }
}
