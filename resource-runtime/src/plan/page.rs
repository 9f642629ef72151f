use super::expanded::write_expanded_page;
use super::filter::write_where;
use super::join::{Joins, write_attributes, write_direction, write_path};
use super::writer::Writer;
use super::{Alias, Dialect, Statement};
use crate::guard::View;
use crate::query::{ListQuery, Selection};
use crate::schema::{Kind, ResourceDefinition};
use crate::value::Value;

/// How a page and its total are read; both from one snapshot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageRead {
    /// The rows; none is asked for when the client wants the count alone.
    pub(crate) rows: Option<Statement>,
    /// The count of all that match, for when the page does not tell it.
    pub(crate) count: Statement,
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

/// Reads one page of a collection.
pub(crate) fn page(dialect: Dialect, view: View<'_>, query: &ListQuery) -> PageRead {
    PageRead {
        rows: (query.limit > 0).then(|| rows(dialect, view, query)),
        count: count(dialect, view, query),
        offset: query.offset,
        limit: query.limit,
    }
}

fn rows(dialect: Dialect, view: View<'_>, query: &ListQuery) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT ");
    match &query.selection {
        Some(selection) if !selection.expansions.is_empty() => {
            write_expanded_page(&mut writer, view, query, selection);
            return writer.finish();
        }
        Some(selection) => write_attributes(&mut writer, Alias::Item, &selection.columns),
        None => write_all(&mut writer, view.definition(), query),
    }
    write_page(&mut writer, view, query);
    writer.finish()
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

fn count(dialect: Dialect, view: View<'_>, query: &ListQuery) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT COUNT(*)");
    write_from(&mut writer, view.definition());
    let joins = Joins::of_filter(query.filter.as_ref());
    joins.write(&mut writer, view, Alias::Item);
    write_where(&mut writer, &view.rows(), query.filter.as_ref());
    writer.finish()
}

fn bound(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::PageRead;
    use crate::plan::{Dialect, Statement, Writer};

    fn read(offset: u64, limit: u64) -> PageRead {
        let count: Statement = Writer::new(Dialect::Sqlite).finish();
        PageRead {
            rows: None,
            count,
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
