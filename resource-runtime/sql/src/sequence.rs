//! Statements that compare the sequence of a key on PostgreSQL with the keys of rows.

use resource_model::schema::{Identifier, StoredSequence};

use crate::{Dialect, SqlWriter, Statement};

/// The statement that returns one row if the next value of `sequence`, which grows by `step`, is not above
/// all keys of `table`.
pub fn is_behind(
    sequence: &StoredSequence,
    step: i64,
    table: Identifier,
    key: Identifier,
) -> Statement {
    let mut writer = SqlWriter::new(Dialect::Postgres);
    writer
        .sql("SELECT 1 FROM ")
        .sequence(sequence)
        // The sum is a `numeric`, which cannot overflow.
        // A sequence that was never called returns `last_value` itself as its next value.
        .sql(" WHERE CAST(last_value AS numeric) + CASE WHEN is_called THEN ")
        .bind_integer(step)
        .sql(" ELSE 0 END <= ");
    // The highest key of an empty table is null, so its sequence is never behind.
    write_highest(&mut writer, table, key);
    writer.finish()
}

/// The statement that advances `sequence` to the highest key of `table`.
pub fn set_on(sequence: &StoredSequence, table: Identifier, key: Identifier) -> Statement {
    let mut writer = SqlWriter::new(Dialect::Postgres);
    writer
        .sql("SELECT setval(")
        // `setval` takes the name as a text, which it parses like an identifier.
        .sequence_literal(sequence)
        .sql(", ");
    write_highest(&mut writer, table, key);
    writer.sql(")");
    writer.finish()
}

fn write_highest(writer: &mut SqlWriter, table: Identifier, key: Identifier) {
    writer.sql("(SELECT max(").identifier(key).sql(") FROM ");
    writer.identifier(table).sql(")");
}

#[cfg(test)]
mod tests {
    use super::{Identifier, StoredSequence, set_on};

    #[test]
    fn the_name_of_a_sequence_is_quoted_as_a_name_and_as_a_text() {
        let sequence = StoredSequence {
            schema: String::from("o'clock"),
            name: String::from("a\"b.c"),
        };
        let statement = set_on(&sequence, Identifier::new("parcels"), Identifier::new("id"));
        assert_eq!(
            statement.text(),
            r#"SELECT setval('"o''clock"."a""b.c"', (SELECT max("id") FROM "parcels"))"#
        );
    }
}
