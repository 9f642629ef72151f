//! Pages that are read by cursor: the rows that tell whether other pages lie beside, and the cursors that lead there.

use std::sync::Arc;

use resource_model::error::DatabaseResult;
use resource_model::query::{ListQuery, Seek, Selection};
use resource_model::schema::{Kind, ResourceDefinition};
use resource_model::value::{Value, ValueRef};

use super::Row;

/// The pages beside a page that is read by cursor. Each attempt to read it begins with a clone.
#[derive(Debug, Clone)]
pub(crate) struct Neighbours {
    seek: Arc<Seek>,
    limit: u64,
    /// The kinds of the values of its order, which begin at the column `first`.
    kinds: Arc<[Kind]>,
    first: usize,
    rows: u64,
    /// True where another page lies further in the direction of reading.
    has_further: bool,
    /// The item of the page that is nearest to it.
    last: Vec<Value>,
}

impl Neighbours {
    /// The pages beside that of a query with a place. One more row is read, which tells whether another page follows.
    pub(crate) fn of(definition: &ResourceDefinition, query: &mut ListQuery) -> Option<Self> {
        let seek = Arc::new(query.seek.clone()?);
        let limit = query.limit;
        // A query of the total alone reads no row.
        query.limit = limit.saturating_add(limit.min(1));
        let kinds = query.order.iter().map(|it| it.path.attribute.kind());
        let all = || definition.readable_attributes().count();
        Some(Self {
            seek,
            limit,
            kinds: kinds.collect(),
            first: query.selection.as_ref().map_or_else(all, Selection::width),
            rows: 0,
            has_further: false,
            last: Vec::new(),
        })
    }

    /// The cursor of the page before, where it is known before a row is read.
    pub(crate) fn known_prev(&self) -> Option<String> {
        self.seek.opposite().filter(|_| !self.is_backward())
    }

    pub(crate) fn is_backward(&self) -> bool {
        self.seek.is_backward
    }

    /// Tests whether a row belongs to the page, or only tells that there is another one.
    pub(crate) fn admits(&mut self, row: &dyn Row) -> DatabaseResult<bool> {
        self.rows += 1;
        let (kinds, first) = (&self.kinds, self.first);
        let (last, beyond) = if self.is_backward() {
            // Rows come in the order of the list, with their number behind: the first one may be too many.
            let number = row.value(first + kinds.len())?;
            let is_full = matches!(number, ValueRef::Integer(it) if u64::try_from(it).is_ok_and(|it| it > self.limit));
            if is_full { (2, 1) } else { (0, 0) }
        } else {
            (self.limit, self.limit.saturating_add(1))
        };
        if self.rows == last {
            let values = kinds.iter().enumerate();
            let values = values.map(|(index, kind)| Ok(row.value(first + index)?.keep(*kind)));
            self.last = values.collect::<DatabaseResult<_>>()?;
        }
        let is_beyond = self.rows == beyond;
        self.has_further |= is_beyond;
        Ok(!is_beyond)
    }

    /// The cursors of the pages before and behind, where there are any.
    pub(crate) fn cursors(&self) -> (Option<String>, Option<String>) {
        let seek = &self.seek;
        let further = self.has_further.then(|| seek.further(&self.last));
        let opposite = seek.opposite();
        if self.is_backward() {
            (further, opposite)
        } else {
            (opposite, further)
        }
    }
}
