//! The condition that the target of a reference exists, for a write and for the lookup of what it lacked.

use resource_model::authorization::Rows;
use resource_model::query::Target;
use resource_model::schema::Identifier;

use crate::filter::and_rows;
use crate::{Alias, SqlWriter};

/// `(EXISTS (SELECT 1 FROM … WHERE …) OR … IS NULL)`: the target exists, or the item keeps a null in a column of the
/// key, which then points nowhere.
///
/// A write that leaves out deleted targets locks the target, so that a deletion waits for the write or the write for the
/// deletion: the foreign key alone, which both keep, would let both succeed.
///
/// `write_own` writes the value of a column that the item keeps: a partial update may set some columns of a key.
pub(super) fn write_target(
    writer: &mut SqlWriter,
    target: &Target<'_>,
    is_write: bool,
    write_own: impl Fn(&mut SqlWriter, Identifier),
) {
    let Target {
        foreign_key,
        values,
        rows,
    } = target;
    writer
        .sql("(EXISTS (SELECT 1 FROM ")
        .identifier(foreign_key.target);
    // The target has an alias, because it may be in the table that is written.
    writer.sql(" AS ").alias(Alias::Target).sql(" WHERE ");
    let columns = foreign_key.target_columns.iter().zip(&foreign_key.columns);
    writer.list(
        " AND ",
        columns.zip(values),
        |writer, ((target, own), value)| {
            writer.column(Alias::Target, *target).sql(" = ");
            match value {
                Some((attribute, value)) => drop(writer.bind_value(attribute, value.clone())),
                None => write_own(writer, *own),
            }
        },
    );
    // A target that is hidden from the caller counts as missing, so the answer does not reveal it.
    and_rows(writer, Some(Alias::Target), rows);
    if is_write && matches!(rows, Rows::Living(..)) {
        writer.sql(writer.dialect().for_key_share());
    }
    writer.sql(")");
    for (own, value) in foreign_key.columns.iter().zip(values) {
        // A bound value is never null here: a null refers to nothing, so it makes no target.
        if value.is_none() {
            write_own(writer.sql(" OR "), *own);
            writer.sql(" IS NULL");
        }
    }
    writer.sql(")");
}
