//! The defaults of tables that others made: each is evaluated once, since new items have to be read with it.

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{
    Attribute, Identifier, Operation, ResourceDefinition, StoredTable, Table,
};
use resource_model::value::{Value, ValueRef};
use resource_sql::{self, Misfit, Statement};

use super::Difference::{self, Fatal};
use super::table_comparison::{TableComparison, attribute_in};
use crate::json;
use crate::store::{Database, ReadKind, Row, RowVisitor, restored};

/// The differences of defaults that an item may get, and no client could read.
pub(crate) async fn unfit_defaults(
    database: &Database,
    definitions: &[&'static ResourceDefinition],
    tables: &[(&Table, Option<&StoredTable>)],
) -> DatabaseResult<Vec<(Identifier, Difference)>> {
    let dialect = database.dialect();
    let mut unfit = Vec::new();
    for (needed, stored) in tables {
        let Some(stored) = stored.filter(|_| needed.existing) else {
            continue;
        };
        let sides = TableComparison {
            dialect,
            definitions,
            needed,
            stored,
        };
        let columns = needed.columns.iter().filter_map(|it| sides.column(it));
        for column in columns.filter(|it| is_left(sides, it.needed.name)) {
            let attribute = sides.attribute_where(column.needed.name, |_| true);
            let stored = column.stored;
            let Some((attribute, default)) = attribute.zip(stored.default.as_ref()) else {
                continue;
            };
            let statement = resource_sql::select_default(dialect, attribute, stored, default);
            let words = match visited(database, statement, Unfit(attribute, None)).await {
                Ok(Unfit(_, words)) => words,
                // Nothing is known of what the role may not evaluate.
                Err(DatabaseFailure::Internal(_)) => None,
                Err(failure) => return Err(failure),
            };
            unfit.extend(words.map(|words| {
                let sentence = format!(
                    "{} is `{default}` in a new row that does not name it, but {} cannot read that: {words}; declare \
                     the form of this value, or give the field a `default` of its own",
                    column.place(),
                    column.version(|_| true)
                );
                (needed.name, Fatal(sentence))
            }));
        }
    }
    Ok(unfit)
}

/// Tests whether a client may create an item that has the default of a column.
fn is_left(sides: TableComparison<'_>, column: Identifier) -> bool {
    let sharing = sides.sharing();
    let mut creating = sharing.filter(|it| it.offered_operations().contains(&Operation::Create));
    creating.any(|it| {
        let attribute = attribute_in(it, column, |_| true);
        attribute.is_none_or(|it| it.is_set_by_database(true))
    })
}

/// Looks at a value of an attribute, and notes the reason for which it does not fit.
#[derive(Clone)]
struct Unfit(&'static Attribute, Option<String>);

impl RowVisitor for Unfit {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        let misfit = misfit(self.0, row.value(0), &mut Vec::new());
        self.1 = misfit.map(|(_, words)| words);
        Ok(())
    }
}

/// The visitor after it has seen the rows of a statement.
pub(super) async fn visited<V: RowVisitor + Clone + Sync>(
    database: &Database,
    statement: Statement,
    visitor: V,
) -> DatabaseResult<V> {
    let visitors = Box::new(move || Box::new(visitor.clone()) as Box<dyn RowVisitor>);
    let driver = database.driver()?;
    let (visitor, _) = driver.read(statement, ReadKind::List, visitors).await?;
    restored(visitor)
}

/// The reason for which a value does not fit, with its words.
pub(super) fn misfit(
    attribute: &Attribute,
    value: DatabaseResult<ValueRef<'_>>,
    json: &mut Vec<u8>,
) -> Option<(Misfit, String)> {
    let value = match value {
        Ok(ValueRef::Null) if attribute.is_nullable() => return None,
        Ok(ValueRef::Null) => return Some((Misfit::Null, String::from("null"))),
        Ok(value) => value,
        Err(failure) => return Some((Misfit::Form, failure.to_string())),
    };
    json.clear();
    if let Err(failure) = json::write(value, attribute.kind(), json) {
        return Some((Misfit::Form, failure.to_string()));
    }
    let value = value.keep(attribute.kind());
    // SQLite stores integers of any width.
    if let (Value::Integer(number), Some((least, greatest))) =
        (&value, attribute.kind().integer_range())
        && !(least..=greatest).contains(number)
    {
        let words = format!("an integer that is not from {least} to {greatest}");
        return Some((Misfit::Form, words));
    }
    let words = attribute.violation(&value)?;
    let misfit = match attribute.exceeded(&value) {
        Some(exceeded) if exceeded == words && attribute.length_limits() != (None, None) => {
            Misfit::Length
        }
        Some(exceeded) if exceeded == words => Misfit::Range,
        _ => Misfit::Form,
    };
    Some((misfit, words))
}
