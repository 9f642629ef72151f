//! Reads of items without the type of their resource, which are compiled once and not for each resource.

use std::any::Any;
use std::mem;
use std::sync::Arc;

use futures_util::Stream;
use futures_util::stream::try_unfold;
use resource_model::error::{ApiError, DatabaseFailure, DatabaseResult, Error, ErrorCode};
use resource_model::query::{Criteria, ListQuery, Predicate, Seek, Selection};
use resource_model::schema::{Attribute, Operation, ResourceDefinition};
use resource_model::value::{Key, RecordError, Value, Values};

use super::projection::{Wanted, selected};
use super::source::{Redaction, ResourceType, Source};
use super::unreadable;
use crate::authorization::{Caller, View};
use crate::store::{Neighbours, Row, RowVisitor, Visited, Visitors, misfit, restored};

/// Items that one statement of a stream reads.
const BATCH: u64 = 1000;

/// A query without the type of its resource.
#[derive(Clone)]
pub(super) struct UntypedQuery {
    pub(super) resource: ResourceType,
    pub(super) criteria: Criteria,
    pub(super) offset: u64,
    pub(super) cursor: Option<String>,
    pub(super) limit: u64,
    /// True where the total is wanted, too.
    pub(super) is_counted: bool,
    /// The columns of a projection; none where items are read whole.
    pub(super) columns: Option<Vec<Wanted>>,
    pub(super) collector: Collector,
}

impl UntypedQuery {
    pub(super) fn new(resource: ResourceType, collector: Collector) -> Self {
        Self {
            resource,
            criteria: Criteria::default(),
            offset: 0,
            cursor: None,
            limit: u64::MAX,
            is_counted: false,
            columns: None,
            collector,
        }
    }

    /// The query, resolved for a caller.
    pub(super) fn resolve(
        &self,
        caller: &Caller,
        selection: Option<Selection>,
    ) -> Result<ListQuery, Error> {
        let view = View::new(self.resource.definition, caller);
        // The code of the system names attributes that clients may not know.
        let refused = |it| Error::of_refusal(it).for_clients_who_know(!view.is_system());
        let (filter, order) = self.criteria.resolve(view).map_err(refused)?;
        let seek = self.cursor.as_deref();
        let seek = seek.map(|cursor| self.criteria.seek(view, &order, cursor));
        let seek = seek.transpose().map_err(refused)?;
        Ok(ListQuery {
            offset: self.offset,
            limit: self.limit,
            filter,
            order,
            selection,
            seek,
            is_counted: self.is_counted,
        })
    }

    /// Refuses an order and an offset of a query of all items.
    pub(super) fn require_plain(&self, problem: &str) -> Result<(), Error> {
        if self.criteria.is_unordered() && self.offset == 0 && self.cursor.is_none() {
            return Ok(());
        }
        let problem = format!("{problem}; leave out `order_by`, `offset` and `after`");
        Err(Error::configuration(problem))
    }

    /// The rows of the query.
    pub(super) async fn read(self, mut source: impl Source) -> Result<Rows, Error> {
        self.rows(&mut source, None, false).await
    }

    /// The rows, in batches in the order of their primary keys.
    pub(super) fn batches(
        self,
        source: impl Source,
    ) -> impl Stream<Item = Result<Rows, Error>> + Send {
        try_unfold(Some((self, source, None)), |state| async move {
            let Some((mut query, mut source, last)) = state else {
                return Ok(None);
            };
            query.require_plain("a stream reads all items in the order of their primary keys")?;
            query.limit = BATCH;
            let mut rows = query.rows(&mut source, last, true).await?;
            // A batch that is not full was the last one.
            let last = rows.last_key.take().filter(|_| rows.count == BATCH);
            let next = last.map(|last| (query, source, Some(last)));
            Ok(Some((rows, next)))
        })
    }

    /// The rows behind the one with the key `last`, where there is one; notes the last key of a batch.
    async fn rows(
        &self,
        source: &mut impl Source,
        last: Option<Vec<Value>>,
        is_batch: bool,
    ) -> Result<Rows, Error> {
        let redaction = source.permit(self.resource, Operation::List)?;
        let reader = source.reader();
        let (selection, mut shape) = self.shape(reader.caller, redaction)?;
        let mut query = self.resolve(reader.caller, selection)?;
        if last.is_some() {
            let place = Seek {
                beside: last,
                ..Seek::default()
            };
            // The order is that of the key, whose parts are never null: one range for each.
            let mut ranges = place.ranges(&query.order);
            let behind = match ranges.len() {
                1 => ranges.pop(),
                _ => Some(Predicate::Any(ranges)),
            };
            let known = query.filter.take();
            query.filter = Some(Predicate::All(known.into_iter().chain(behind).collect()));
        }
        shape.notes_key = is_batch;
        shape.page = Neighbours::of(shape.definition, &mut query);
        let (definition, visitors) = (shape.definition, Rows::visitors(shape));
        let read = reader.list(&query, definition, self.is_counted, visitors);
        Rows::of(read.await?)
    }

    /// The selection of the query, and the way from its rows to items.
    fn shape(
        &self,
        caller: &Caller,
        redaction: Option<Redaction>,
    ) -> Result<(Option<Selection>, Shape), Error> {
        let definition = self.resource.definition;
        let (selection, layout) = match &self.columns {
            Some(columns) => {
                require_readable(View::new(definition, caller), columns)?;
                let (selection, places) = selected(definition, columns);
                (
                    Some(selection),
                    Layout::Columns(places, columns.as_slice().into()),
                )
            }
            None => (whole(definition, caller), Layout::Whole(redaction)),
        };
        let shape = Shape {
            definition,
            layout,
            collector: self.collector,
            notes_key: false,
            page: None,
        };
        Ok((selection, shape))
    }
}

/// The selection of whole items; none where it is that of all clients, whose text the derive has written.
fn whole(definition: &'static ResourceDefinition, caller: &Caller) -> Option<Selection> {
    let mut attributes = definition.all_attributes().iter();
    let hides = attributes.any(Attribute::is_write_only);
    let is_system = matches!(caller, Caller::System);
    (hides || !is_system).then(|| Selection::all(View::system(definition)))
}

/// Refuses columns that are hidden from the caller, or that a format hook redacts, which sees whole items alone.
fn require_readable(view: View<'_>, columns: &[Wanted]) -> Result<(), Error> {
    for (subresource, column) in columns {
        let subresources = view.definition().all_subresources();
        let subresource = subresource.and_then(|index| subresources.get(index));
        let view = subresource.map_or(view, |it| view.of(it.target()));
        let mut readable = view.queryable_attributes();
        if !readable.any(|it| it.name() == column.name()) {
            let (name, resource) = (column.name(), view.definition().name());
            // Only the developer is told the name, which the caller may not know.
            tracing::warn!(
                resource,
                name,
                "a column was selected that its caller may not read"
            );
            let problem = format!("an attribute of {resource} is hidden from this caller");
            let refused = ApiError::new(ErrorCode::InsufficientScope, problem);
            return Err(Error::of_refusal(refused));
        }
    }
    Ok(())
}

/// The row of the item with this key, locked where it is read `for_update`.
pub(super) async fn item(
    mut source: impl Source,
    resource: ResourceType,
    key: Key,
    for_update: bool,
    collector: Collector,
) -> Result<Rows, Error> {
    let redaction = source.permit(resource, Operation::Retrieve)?;
    let definition = resource.definition;
    let shape = Shape {
        definition,
        layout: Layout::Whole(redaction),
        collector,
        notes_key: false,
        page: None,
    };
    // A key that no item can have would be an error of the database.
    if !definition.can_have(&key) {
        return Ok(Rows::new(shape));
    }
    let visitors = Rows::visitors(shape);
    let read = source.reader().item(definition, &key, for_update, visitors);
    Rows::of(read.await?)
}

/// A new collector, for each attempt to read.
pub(super) type Collector = fn() -> Box<dyn Collect>;

/// Makes items of values, and collects them.
pub(super) trait Collect: Any + Send {
    /// Fails with the index of the value that does not fit.
    fn add(&mut self, values: &mut Values<'_>) -> Result<(), (usize, RecordError)>;
}

struct Collected<I> {
    make: fn(&mut Values<'_>) -> Result<I, RecordError>,
    items: Vec<I>,
}

impl<I: Send + 'static> Collect for Collected<I> {
    fn add(&mut self, values: &mut Values<'_>) -> Result<(), (usize, RecordError)> {
        let item = (self.make)(values).map_err(|error| (values.last(), error))?;
        self.items.push(item);
        Ok(())
    }
}

/// A collector of what `make` makes.
pub(super) fn collector<I: Send + 'static>(
    make: fn(&mut Values<'_>) -> Result<I, RecordError>,
) -> Box<dyn Collect> {
    let items = Vec::new();
    Box::new(Collected { make, items })
}

/// The way from rows to items.
#[derive(Clone)]
struct Shape {
    definition: &'static ResourceDefinition,
    layout: Layout,
    collector: Collector,
    /// True where the last key is wanted.
    notes_key: bool,
    page: Option<Neighbours>,
}

/// The values of a row.
#[derive(Clone)]
enum Layout {
    /// Every attribute in its place; the redaction takes out what is hidden from the caller.
    Whole(Option<Redaction>),
    /// Those of a projection, each at its place in the row.
    Columns(Arc<[usize]>, Arc<[Wanted]>),
}

impl Shape {
    #[cold]
    fn unreadable(&self, row: &dyn Row, index: usize, error: &RecordError) -> DatabaseFailure {
        let attributes = self.definition.all_attributes();
        match &self.layout {
            Layout::Whole(_) => {
                unreadable(self.definition, index, row.key_among(0, attributes), error)
            }
            Layout::Columns(_, wanted) => match wanted.get(index) {
                // A projection need not have the key.
                Some((None, attribute)) => {
                    misfit(self.definition.table_identifier(), attribute, None, error)
                }
                _ => DatabaseFailure::internal(error),
            },
        }
    }
}

/// Hands the values of rows to a collector.
pub(super) struct Rows {
    shape: Shape,
    collected: Box<dyn Collect>,
    pub(super) count: u64,
    last_key: Option<Vec<Value>>,
    neighbours: Option<Neighbours>,
    /// The total, where it was read, too.
    pub(super) total: u64,
}

impl Rows {
    fn new(shape: Shape) -> Self {
        Self {
            collected: (shape.collector)(),
            neighbours: shape.page.clone(),
            shape,
            count: 0,
            last_key: None,
            total: 0,
        }
    }

    /// The visitors of a read, a new one for each attempt.
    fn visitors(shape: Shape) -> Visitors {
        Box::new(move || Box::new(Self::new(shape.clone())))
    }

    fn of((visitor, total): Visited) -> Result<Self, Error> {
        let rows = restored::<Self>(visitor)?;
        Ok(Self { total, ..rows })
    }

    /// The items that the collector has made.
    pub(super) fn into_items<I: 'static>(mut self) -> Result<Vec<I>, Error> {
        let collected: &mut dyn Any = &mut *self.collected;
        match collected.downcast_mut::<Collected<I>>() {
            Some(collected) => Ok(mem::take(&mut collected.items)),
            None => Err(Error::internal("a read has collected other items")),
        }
    }

    /// The cursor of the items behind, where the query has one and there are any.
    pub(super) fn next(&self) -> Option<String> {
        self.neighbours.as_ref()?.cursors().1
    }

    /// The first item that the collector has made.
    pub(super) fn into_first<I: 'static>(self) -> Result<Option<I>, Error> {
        Ok(self.into_items()?.into_iter().next())
    }
}

impl RowVisitor for Rows {
    fn runs_no_hook(&self) -> bool {
        !matches!(&self.shape.layout, Layout::Whole(Some(it)) if !it.runs_no_hook)
    }

    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        let attributes = self.shape.definition.all_attributes();
        if let Some(neighbours) = &mut self.neighbours
            && !neighbours.admits(row)?
        {
            return Ok(());
        }
        self.count += 1;
        if self.shape.notes_key {
            let last = self.last_key.get_or_insert_default();
            last.clear();
            let parts = attributes.iter().enumerate();
            for (index, part) in parts.filter(|(_, it)| it.is_primary_key()) {
                last.push(row.value(index)?.keep(part.kind()));
            }
        }
        let added = match &self.shape.layout {
            Layout::Whole(None) => {
                let column = |index| row.value(index);
                self.collected.add(&mut Values::lent(&column, 0))
            }
            Layout::Whole(Some(redaction)) => {
                // The format hook sees the whole item.
                let table = self.shape.definition.table_identifier();
                let record = row.record(0, table, attributes)?;
                let record = (redaction.redact)(record)?;
                self.collected.add(&mut record.into_values())
            }
            Layout::Columns(places, _) => {
                // A place beyond the list cannot be: there is one for each column of the projection.
                let column = |index| row.value(places.get(index).copied().unwrap_or(index));
                self.collected.add(&mut Values::lent(&column, 0))
            }
        };
        added.map_err(|(index, error)| self.shape.unreadable(row, index, &error))
    }
}
