//! The statements by which a new table of SQLite takes the place of one that cannot be altered; they are printed, never
//! sent.

use resource_model::schema::{Column, StoredTable, Table};

use crate::stored_form::write_stored_form;
use crate::table::create_table;
use crate::writer::Literal;
use crate::{Dialect, SqlWriter, Statement};

/// Makes `table` anew with the rows, indexes and triggers of the `stored` one, which has all of its columns. The values
/// of a column that is converted get the form of its kind. Nothing is changed unless all of them are there again, and
/// every reference leads to a row.
pub fn rebuild_table(
    table: &Table,
    stored: &StoredTable,
    is_converted: impl Fn(&Column) -> bool,
) -> Statement {
    let mut writer = SqlWriter::new(Dialect::Sqlite);
    let name = Literal::Text(table.name.as_str());
    // SQLite does not keep the number of the last key of a table that it drops.
    let is_numbered = stored.assigns_key && !stored.assigns_key_again;
    // Foreign keys cannot be turned off within a transaction; turned on, `DROP TABLE` would delete or refuse the rows
    // that refer to the table.
    writer.sql("-- no-transaction\nPRAGMA foreign_keys = OFF;\nBEGIN IMMEDIATE;\n\n");

    writer.sql("CREATE TEMP TABLE \"rebuild.rows\" AS SELECT * FROM ");
    writer.identifier(table.name).sql(";\n");
    if is_numbered {
        writer.sql(
            "CREATE TEMP TABLE \"rebuild.sequence\" AS SELECT * FROM sqlite_sequence WHERE \"name\" = ",
        );
        writer.literal(name).sql(" COLLATE NOCASE;\n");
    }
    writer.sql("CREATE TEMP TABLE \"rebuild.parts\" AS SELECT \"name\" FROM sqlite_schema\n  WHERE \"tbl_name\" = ");
    writer.literal(name);
    writer.sql(" COLLATE NOCASE AND \"type\" IN ('index', 'trigger') AND \"sql\" IS NOT NULL;\n");
    // References that were broken before are no reason to undo everything.
    writer.sql("CREATE TEMP TABLE \"rebuild.broken\" AS SELECT * FROM pragma_foreign_key_check;\n");
    writer
        .sql("DROP TABLE ")
        .identifier(table.name)
        .sql(";\n\n");

    // Under the same name at once: to rename a table fails where a view reads it.
    // The release before may not know a column that was added with a default, and goes on to write rows.
    let has_default = |column: &Column| {
        let stored = stored.column(column.name);
        stored.is_some_and(|it| it.has_default)
    };
    create_table(&mut writer, table, "", |_| true, has_default);
    writer.sql(";\nINSERT INTO ").identifier(table.name);
    let names = table.columns.iter().map(|column| column.name);
    writer.sql(" (").identifiers(names).sql(")\n  SELECT ");
    writer.list(", ", &table.columns, |writer, column| {
        if is_converted(column) {
            write_stored_form(writer, column, stored.column(column.name));
        } else {
            writer.identifier(column.name);
        }
    });
    writer.sql(" FROM \"rebuild.rows\";\n");
    if is_numbered {
        writer
            .sql("DELETE FROM sqlite_sequence WHERE \"name\" = ")
            .literal(name);
        writer
            .sql(";\nINSERT INTO sqlite_sequence SELECT ")
            .literal(name);
        writer.sql(", \"seq\" FROM \"rebuild.sequence\";\n");
    }
    for part in &stored.parts {
        writer.catalogued(part).sql(";\n");
    }

    // The error of a statement that undoes everything has the name of its constraint.
    writer.sql(
        "\nCREATE TEMP TABLE \"rebuild.checks\" (\n  \
         \"rows\" INTEGER CONSTRAINT \"every row is there again\" CHECK (\"rows\"),\n  \
         \"parts\" INTEGER CONSTRAINT \"every index and trigger is there again\" CHECK (\"parts\"),\n  \
         \"references\" INTEGER CONSTRAINT \"every reference leads to a row\" CHECK (\"references\")\n);\n",
    );
    writer.sql("INSERT OR ROLLBACK INTO \"rebuild.checks\" (\"rows\")\n  SELECT count(*) = (SELECT count(*) FROM \"rebuild.rows\") FROM ");
    writer.identifier(table.name).sql(";\n");
    writer.sql(
        "INSERT OR ROLLBACK INTO \"rebuild.checks\" (\"parts\")\n  \
         SELECT NOT EXISTS (SELECT \"name\" FROM \"rebuild.parts\" EXCEPT SELECT \"name\" FROM sqlite_schema);\n\
         INSERT OR ROLLBACK INTO \"rebuild.checks\" (\"references\")\n  \
         SELECT NOT EXISTS (SELECT \"table\", \"rowid\", \"parent\" FROM pragma_foreign_key_check\n    \
         EXCEPT SELECT \"table\", \"rowid\", \"parent\" FROM \"rebuild.broken\");\n\n\
         DROP TABLE \"rebuild.rows\";\nDROP TABLE \"rebuild.parts\";\nDROP TABLE \"rebuild.broken\";\n\
         DROP TABLE \"rebuild.checks\";\n",
    );
    if is_numbered {
        writer.sql("DROP TABLE \"rebuild.sequence\";\n");
    }
    writer.sql("COMMIT;\nPRAGMA foreign_keys = ON;\n");
    writer.finish()
}
