use std::iter;

use super::expanded::write_expanded_page;
use super::filter::write_where;
use super::join::{Joins, write_attributes, write_direction, write_path};
use super::kept::{Kept, written};
use super::total::{write_counted, write_total};
use super::writer::Writer;
use super::{Alias, Count, Dialect, Statement};
use crate::guard::View;
use crate::query::{ListQuery, Selection};
use crate::schema::{Identifier, Kind, ResourceDefinition};
use crate::value::Value;

/// How a page and its total are read; both from one snapshot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageRead {
    /// The rows; none is asked for when the client wants the count alone.
    pub(crate) rows: Option<Statement>,
    /// The rows, and in a last column, null in all but the last row of a full page, the total: one
    /// statement is one snapshot. For a database that is far away, so that each answer is waited for.
    pub(crate) whole: Option<Count>,
    /// The count of all that match, for when the page does not tell it.
    pub(crate) count: Count,
    /// The tables whose rows are counted, or decide what counts; only where somebody asks for them.
    pub(crate) counted_tables: Vec<&'static str>,
    offset: u64,
    limit: u64,
}

impl PageRead {
    /// The total, when a page of `rows` rows tells it: its end is the end of the collection.
    pub(crate) const fn total_told_by(&self, rows: u64) -> Option<u64> {
        let reaches_the_end = rows < self.limit;
        let starts_within = rows > 0 || self.offset == 0;
        if reaches_the_end && starts_within {
            Some(self.offset.saturating_add(rows))
        } else {
            None
        }
    }
}

/// The texts of pages of one shape.
#[derive(Debug, Default)]
pub(super) struct KeptPage {
    rows: Kept,
    whole: Kept,
    count: Kept,
}

/// Reads one page of a collection, whose texts may have been written before.
pub(super) fn page(
    dialect: Dialect,
    kept: Option<&KeptPage>,
    view: View<'_>,
    query: &ListQuery,
) -> PageRead {
    let asks_for_rows = query.limit > 0;
    let rows = || {
        let kept = kept.map(|page| &page.rows);
        written(dialect, kept, |writer| write_rows(writer, view, query))
    };
    let whole = || {
        let kept = kept.map(|page| &page.whole);
        Count::written(dialect, kept, |writer| {
            Some(write_whole(writer, view, query))
        })
    };
    let count = || {
        let kept = kept.map(|page| &page.count);
        Count::written(dialect, kept, |writer| write_counted(writer, view, query))
    };
    PageRead {
        rows: asks_for_rows.then(rows),
        whole: (asks_for_rows && dialect == Dialect::Postgres).then(whole),
        count: count(),
        counted_tables: match dialect {
            Dialect::Sqlite => Vec::new(),
            Dialect::Postgres => counted_tables(view, query),
        },
        offset: query.offset,
        limit: query.limit,
    }
}

/// Nothing is counted before the last row is reached, which a page that is not full does not have.
/// Answers where the known total is bound.
fn write_whole(writer: &mut Writer, view: View<'_>, query: &ListQuery) -> usize {
    writer.sql("SELECT ").alias(Alias::Rows).sql(".*, ");
    write_last_row(writer, query);
    let known = write_total(writer, view, query);
    writer.sql(" END FROM (");
    write_rows(writer, view, query);
    writer.sql(") AS ").alias(Alias::Rows);
    known
}

fn write_last_row(writer: &mut Writer, query: &ListQuery) {
    writer
        .sql("CASE WHEN row_number() OVER () = ")
        .bind(Kind::BigInteger, bound(query.limit))
        .sql(" THEN ");
}

fn write_rows(writer: &mut Writer, view: View<'_>, query: &ListQuery) {
    writer.sql("SELECT ");
    match &query.selection {
        Some(selection) if !selection.expansions.is_empty() => {
            return write_expanded_page(writer, view, query, selection);
        }
        Some(selection) => write_attributes(writer, Alias::Item, &selection.columns),
        None => write_all(writer, view.definition(), query),
    }
    write_page(writer, view, query);
}

/// All columns: the list that the derive wrote, unless joined tables could share a name with it.
fn write_all(writer: &mut Writer, definition: &ResourceDefinition, query: &ListQuery) {
    if inner_joins(query).is_empty() {
        writer.sql(definition.column_list());
    } else {
        let selection = Selection::all(View::whole(definition));
        write_attributes(writer, Alias::Item, &selection.columns);
    }
}

fn inner_joins(query: &ListQuery) -> Joins {
    Joins::of_filter(query.filter.as_ref()).and_order(&query.order)
}

/// ` FROM … WHERE … ORDER BY … LIMIT … OFFSET …`
pub(super) fn write_page(writer: &mut Writer, view: View<'_>, query: &ListQuery) {
    write_from(writer, view.definition());
    inner_joins(query).write(writer, view, Alias::Item);
    write_where(writer, &view.rows(), query.filter.as_ref());
    writer
        .sql(" ORDER BY ")
        .list(", ", &query.order, |writer, criterion| {
            write_path(writer, criterion.path);
            write_direction(writer, *criterion);
        });
    writer
        .sql(" LIMIT ")
        .bind(Kind::BigInteger, bound(query.limit));
    writer
        .sql(" OFFSET ")
        .bind(Kind::BigInteger, bound(query.offset));
}

pub(super) fn write_from(writer: &mut Writer, definition: &ResourceDefinition) {
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier())
        .sql(" AS ")
        .alias(Alias::Item);
}

pub(super) fn write_count(writer: &mut Writer, view: View<'_>, query: &ListQuery) {
    writer.sql("SELECT COUNT(*)");
    write_from(writer, view.definition());
    let joins = Joins::of_filter(query.filter.as_ref());
    joins.write(writer, view, Alias::Item);
    write_where(writer, &view.rows(), query.filter.as_ref());
}

fn counted_tables(view: View<'_>, query: &ListQuery) -> Vec<&'static str> {
    let definition = view.definition();
    let joined = Joins::of_filter(query.filter.as_ref());
    let joined = joined
        .targets(definition)
        .map(ResourceDefinition::table_identifier);
    let tables = iter::once(definition.table_identifier()).chain(joined);
    tables.map(Identifier::as_str).collect()
}

fn bound(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::PageRead;
    use crate::plan::{Count, Dialect};

    fn read(offset: u64, limit: u64) -> PageRead {
        let count = Count::written(Dialect::Sqlite, None, |_| None);
        PageRead {
            rows: None,
            whole: None,
            count,
            counted_tables: Vec::new(),
            offset,
            limit,
        }
    }

    #[test]
    fn a_page_that_is_not_full_tells_the_total() {
        assert_eq!(read(20, 10).total_told_by(3), Some(23));
        assert_eq!(read(0, 10).total_told_by(0), Some(0));
    }

    #[test]
    fn a_full_page_one_past_the_end_and_the_count_alone_tell_nothing() {
        assert_eq!(read(0, 10).total_told_by(10), None);
        assert_eq!(read(90, 10).total_told_by(0), None);
        assert_eq!(read(0, 0).total_told_by(0), None);
    }
}
