//! A page of a list, planned once: its rows and its total share one `FROM` and one `WHERE`.

use std::hash::{Hash, Hasher};
use std::iter;
use std::sync::Arc;

use resource_model::authorization::View;
use resource_model::query::{
    AttributePath, Condition, Criterion, ListQuery, Predicate, Selection, Test,
};
use resource_model::schema::{Identifier, ResourceDefinition};

use crate::collection::tested;
use crate::expanded::write_expanded_page;
use crate::filter::{write_predicate, write_where};
use crate::form::write_order_value;
use crate::join::{Joins, alias_of, write_attributes, write_criterion, write_named_direction};
use crate::keys::is_list_of_few_keys;
use crate::writer::SqlWriter;
use crate::{Alias, Dialect, Statement};

/// The most values of a filter that the ranges of a page bind again and again; their own are few beside these.
const MAX_REPEATED: usize = 30_000;

/// The plan of one page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageQuery {
    /// The items of all pages, in a form that caches share.
    pub matching: Arc<Matching>,
    /// The statement of the rows; `None` where the client wants the total alone.
    pub rows: Option<Statement>,
    offset: u64,
    pub(super) limit: u64,
    /// True where the page begins beside an item, so that nothing is known of the number of items before.
    pub(super) is_beside: bool,
    /// True where a collection repeats the rows of an item.
    pub(super) repeats_items: bool,
    /// True where the rows and the total are certainly quick to read.
    pub has_few_keys: bool,
}

/// The items that a list finds on all of its pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matching {
    dialect: Dialect,
    /// The joins that the condition needs.
    joins: Joins,
    /// ` FROM …`, with these joins.
    from: Statement,
    /// ` WHERE …`; where placeholders have numbers, its values begin with those of `from`.
    condition: Statement,
    /// The tables whose rows are counted, or decide which rows count; only where a database needs them.
    pub tables: Vec<Identifier>,
    /// True where a view decides which rows count: it may depend on clocks and on other servers, so that no total holds
    /// for longer than its snapshot.
    pub has_views: bool,
    /// The table where each of its rows counts, and no other row.
    pub whole_table: Option<Identifier>,
}

impl PageQuery {
    /// The total, where the number of `rows` on the page implies it: the page reaches the end of the list.
    pub const fn total_from_row_count(&self, rows: u64) -> Option<u64> {
        // Rows that repeat items do not number them.
        if self.repeats_items && rows > 0 {
            return None;
        }
        // A full page may be followed by another, so it tells nothing of the end.
        let reaches_the_end = rows < self.limit;
        // An empty page may lie anywhere beyond the end.
        let starts_within = rows > 0 || self.offset == 0;
        if reaches_the_end && starts_within && !self.is_beside {
            Some(self.offset.saturating_add(rows))
        } else {
            None
        }
    }
}

/// Plans one page of a list.
pub fn page(dialect: Dialect, view: View<'_>, query: &ListQuery) -> PageQuery {
    planned(SqlWriter::new(dialect), view, query)
}

/// Plans one page of a list for a connection that lacks the functions of the service, as those of sqlx to SQLite do.
pub fn page_without_functions(dialect: Dialect, view: View<'_>, query: &ListQuery) -> PageQuery {
    planned(SqlWriter::without_functions(dialect), view, query)
}

fn planned(writer: SqlWriter, view: View<'_>, query: &ListQuery) -> PageQuery {
    let matching = Matching::of(writer, view, query);
    // A limit of zero asks for the total alone.
    let rows = (query.limit > 0).then(|| {
        let mut writer = matching.writer();
        write_rows(&mut writer, view, query, &matching);
        writer.finish()
    });
    let repeats_items = query
        .selection
        .as_ref()
        .is_some_and(Selection::repeats_items);
    PageQuery {
        has_few_keys: is_list_of_few_keys(view, query),
        matching: Arc::new(matching),
        rows,
        offset: query.offset,
        limit: query.limit,
        is_beside: query.seek.as_ref().is_some_and(|it| it.beside.is_some()),
        repeats_items,
    }
}

impl Hash for Matching {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The values of the condition begin with those of `from`.
        (self.from.text(), &self.condition).hash(state);
    }
}

impl Matching {
    pub(super) fn of(mut writer: SqlWriter, view: View<'_>, query: &ListQuery) -> Self {
        let (dialect, has_functions) = (writer.dialect(), writer.has_functions);
        let definition = view.definition();
        // The joins of the order come later, to the rows alone: they change no total.
        let joins = Joins::of_filter(query.filter.as_ref());
        write_from(&mut writer, definition);
        joins.write(&mut writer, view, Alias::Item);
        let from = writer.finish();
        // The owner of a subresource may be bound in `FROM`, so its values keep the first numbers.
        let mut writer = SqlWriter::beginning_with(dialect, from.binds());
        writer.has_functions = has_functions;
        write_where(&mut writer, view, query.filter.as_ref());
        let tested = tested(definition, query.filter.as_ref());
        let has_views = definition.is_view()
            || joins.targets(definition).any(ResourceDefinition::is_view)
            || tested.iter().any(|it| it.is_view());
        let is_whole = view.rows().are_all() && query.filter.is_none() && !has_views;
        let tables = match dialect {
            // SQLite's cached totals are dropped at each commit to the file, whatever table it changes.
            Dialect::Sqlite => Vec::new(),
            // A change to a joined table can change which items match, so these tables count as well.
            Dialect::Postgres => {
                let joined = joins.targets(definition);
                let joined = joined.chain(tested);
                iter::once(definition.table_identifier())
                    .chain(joined.map(ResourceDefinition::table_identifier))
                    .collect()
            }
        };
        Self {
            dialect,
            joins,
            from,
            condition: writer.finish(),
            tables,
            has_views,
            whole_table: is_whole.then_some(definition.table_identifier()),
        }
    }

    /// The writer of a statement that repeats the parts of this one.
    pub(super) fn writer(&self) -> SqlWriter {
        SqlWriter::beginning_with(self.dialect, self.condition.binds())
    }

    /// `SELECT COUNT(*) FROM … WHERE …`
    pub fn count(&self) -> Statement {
        let mut writer = self.writer();
        self.write_count(&mut writer);
        writer.finish()
    }

    pub(super) fn write_count(&self, writer: &mut SqlWriter) {
        let count = writer.sql("SELECT COUNT(*)");
        count.statement(&self.from).statement(&self.condition);
    }
}

fn write_rows(writer: &mut SqlWriter, view: View<'_>, query: &ListQuery, matching: &Matching) {
    let all = || Selection::all(View::unrestricted(view.definition()));
    let is_backward = query.seek.as_ref().is_some_and(|seek| seek.is_backward);
    match &query.selection {
        // Completed, or brought into its order, outside of a derived table with the limit.
        Some(selection) if is_backward || selection.is_joined() => {
            write_expanded_page(writer, view, query, matching, selection);
        }
        None if is_backward => write_expanded_page(writer, view, query, matching, &all()),
        Some(selection) => write_select(writer, view, query, matching, |writer| {
            write_attributes(writer, Alias::Item, &selection.columns);
        }),
        None => {
            // The list that the derive wrote, unless joined tables could share a name with it.
            let of_order = Joins::of_order_alone(&query.order, &matching.joins);
            let is_alone = matching.joins.is_empty() && of_order.is_empty();
            let is_alone = is_alone && !view.definition().is_converted();
            write_select(writer, view, query, matching, |writer| {
                if is_alone {
                    writer.sql(view.definition().column_list());
                } else {
                    write_attributes(writer, Alias::Item, &all().columns);
                }
            });
        }
    }
}

/// `SELECT … FROM … WHERE … ORDER BY … LIMIT …` of a page with these columns and, where it has a place, those of its order.
fn write_select(
    writer: &mut SqlWriter,
    view: View<'_>,
    query: &ListQuery,
    matching: &Matching,
    write_columns: impl Fn(&mut SqlWriter),
) {
    write_ranges(writer, view, query, matching, |writer| {
        write_columns(writer);
        let place = query.seek.iter().flat_map(|_| &query.order).enumerate();
        for (index, criterion) in place {
            writer.sql(", ");
            let path = criterion.path;
            write_order_value(writer, Some(alias_of(path)), path.attribute);
            writer.sql(" AS ").order_name(index);
        }
    });
}

/// The same with these columns alone, of which those of the order have names. A page beside an item is a union of ranges, of
/// which the databases read no more rows than they need.
pub(super) fn write_ranges(
    writer: &mut SqlWriter,
    view: View<'_>,
    query: &ListQuery,
    matching: &Matching,
    write_columns: impl Fn(&mut SqlWriter),
) {
    let Some(seek) = &query.seek else {
        write_columns(writer.sql("SELECT "));
        return write_page(writer, view, query, matching);
    };
    let order = seek.reading_order(&query.order);
    let mut ranges = seek.ranges(&order);
    // Each range binds the values of the filter once more, and SQLite binds 32,766 at most. Numbers, by which the ranges
    // could share them, are no remedy: SQLite looks for each among all that came before, for seconds.
    let repeated = ranges.len() * matching.condition.binds().len();
    if repeated > MAX_REPEATED && !writer.dialect().has_numbered_placeholders() {
        ranges = vec![Predicate::Any(ranges)];
    }
    let write_range = |writer: &mut SqlWriter, range: Option<&Predicate>| {
        write_columns(writer.sql("SELECT "));
        write_matching(writer, view, query, matching, range);
    };
    if ranges.len() < 2 {
        write_range(writer, ranges.first());
        write_order(writer, &order);
    } else {
        let has_parts = writer.dialect().limits_parts_of_unions();
        writer.list(" UNION ALL ", &ranges, |writer, range| {
            writer.sql(if has_parts { "(" } else { "" });
            write_range(writer, Some(range));
            if has_parts {
                write_order(writer, &order);
                write_limit(writer, view, query).sql(")");
            }
        });
        let order = order.iter().enumerate();
        let by_name = |writer: &mut SqlWriter, (index, criterion): (usize, &Criterion)| {
            write_named_direction(writer.order_name(index), *criterion);
        };
        writer.sql(" ORDER BY ").list(", ", order, by_name);
    }
    write_limit(writer, view, query);
}

/// ` FROM … WHERE … ORDER BY … LIMIT … OFFSET …`
pub(super) fn write_page(
    writer: &mut SqlWriter,
    view: View<'_>,
    query: &ListQuery,
    matching: &Matching,
) {
    write_matching(writer, view, query, matching, None);
    write_order(writer, &query.order);
    write_limit(writer, view, query);
}

/// ` FROM … WHERE …`, of the rows within `range`.
fn write_matching(
    writer: &mut SqlWriter,
    view: View<'_>,
    query: &ListQuery,
    matching: &Matching,
    range: Option<&Predicate>,
) {
    // The rows repeat the text that counts them, so that both find the same items.
    writer.statement(&matching.from);
    // `FROM` of the matching items has the joins of the filter already.
    let joins = Joins::of_order_alone(&query.order, &matching.joins);
    joins.write(writer, view, Alias::Item);
    writer.statement(&matching.condition);
    if let Some(range) = range {
        let is_first = matching.condition.text().is_empty();
        writer.sql(if is_first { " WHERE " } else { " AND " });
        write_predicate(writer, view, range, false);
    }
}

fn write_order(writer: &mut SqlWriter, order: &[Criterion]) {
    writer
        .sql(" ORDER BY ")
        .list(", ", order, |writer, criterion| {
            write_criterion(writer, alias_of(criterion.path), *criterion);
        });
}

/// ` LIMIT … OFFSET …`
fn write_limit<'writer>(
    writer: &'writer mut SqlWriter,
    view: View<'_>,
    query: &ListQuery,
) -> &'writer mut SqlWriter {
    let is_known = writer.dialect().keeps_plans() && suits_any_values(view, query);
    write_row_count(writer.sql(" LIMIT "), query.limit, is_known);
    // The first page is the one that most clients ask for.
    if is_known && query.offset == 0 {
        return writer;
    }
    // Bound, not written, so that all pages share one text and the driver finds it prepared.
    writer.sql(" OFFSET ").bind_integer(integer(query.offset))
}

/// A number of rows, written or bound.
pub(super) fn write_row_count(writer: &mut SqlWriter, rows: u64, is_written: bool) {
    if is_written {
        writer.integer(integer(rows));
    } else {
        writer.bind_integer(integer(rows));
    }
}

/// Tests whether one plan is good for whatever values the statement binds: they only say where in the order of the page its
/// rows begin and end. Of any other condition, the values decide which index serves it.
fn suits_any_values(view: View<'_>, query: &ListQuery) -> bool {
    let first = query.order.first().map(|criterion| criterion.path);
    let first = first.filter(|path| path.subresource.is_none());
    let is_of_order = |test: &Test| {
        let column = |path: AttributePath| (path.subresource, path.attribute.identifier());
        let is_compared = !test.negated && matches!(test.condition, Condition::Compare(..));
        is_compared && first.map(column) == Some(column(test.path))
    };
    let is_within_order = |filter: &Predicate| filter.all_tests(&mut |test| is_of_order(test));
    view.bound_owner().is_none() && query.filter.as_ref().is_none_or(is_within_order)
}

pub(super) fn write_from(writer: &mut SqlWriter, definition: &ResourceDefinition) {
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier())
        .sql(" AS ")
        .alias(Alias::Item);
}

pub(crate) fn integer(number: u64) -> i64 {
    // No list has rows beyond the greatest integer of a database, so such a page is empty.
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use resource_model::ApiResource as _;
    use resource_model::authorization::View;
    use resource_model::query::{ListParameters, ListQuery};
    use resource_model::samples::{Person, asked};

    use super::{PageQuery, page};
    use crate::Dialect;

    fn read_from(dialect: Dialect, offset: u64, limit: u64) -> PageQuery {
        let view = View::unrestricted(Person::DEFINITION);
        let query = ListQuery {
            offset,
            limit,
            ..asked(view, &ListParameters::default())
        };
        page(dialect, view, &query)
    }

    fn read(offset: u64, limit: u64) -> PageQuery {
        read_from(Dialect::Sqlite, offset, limit)
    }

    #[test]
    fn postgres_plans_by_values_that_are_beside_the_order() {
        let view = View::unrestricted(Person::DEFINITION);
        for (filter, order, is_kept) in [
            ("gt(id,7)", "", true),
            ("and(ge(age,7),lt(age,9))", "desc(age)", true),
            ("and(ge(age,7),lt(age,9))", "", false),
            ("and(gt(id,7),eq(age,9))", "", false),
            ("or(lt(id,7),gt(id,9))", "", false),
            ("ne(id,7)", "", false),
            ("eq(bill_address.id,7)", "", false),
        ] {
            let parameters = ListParameters {
                filter: Some(filter.to_owned()),
                order: Some(order.to_owned()).filter(|order| !order.is_empty()),
                ..ListParameters::default()
            };
            let page = page(Dialect::Postgres, view, &asked(view, &parameters));
            let text = page.rows.unwrap().text().to_owned();
            assert_eq!(text.ends_with("LIMIT 10"), is_kept, "{text}");
        }
    }

    #[test]
    fn postgres_sees_the_limit_when_it_plans() {
        let text = |dialect, offset| {
            let page = read_from(dialect, offset, 7).rows.unwrap();
            let (_, limit) = page.text().rsplit_once("\"id\" ").unwrap();
            (limit.to_owned(), page.binds().len())
        };
        let of = |text: &str, binds| (text.to_owned(), binds);
        assert_eq!(text(Dialect::Postgres, 0), of("LIMIT 7", 0));
        assert_eq!(text(Dialect::Postgres, 5), of("LIMIT 7 OFFSET $1", 1));
        assert_eq!(text(Dialect::Sqlite, 0), of("LIMIT ? OFFSET ?", 2));
    }

    #[test]
    fn page_that_is_not_full_implies_the_total() {
        assert_eq!(read(20, 10).total_from_row_count(3), Some(23));
        assert_eq!(read(0, 10).total_from_row_count(0), Some(0));
    }

    #[test]
    fn full_page_page_past_the_end_and_count_alone_imply_no_total() {
        assert_eq!(read(0, 10).total_from_row_count(10), None);
        assert_eq!(read(90, 10).total_from_row_count(0), None);
        assert_eq!(read(0, 0).total_from_row_count(0), None);
    }
}
