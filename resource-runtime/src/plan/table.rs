use super::{Dialect, Statement, Writer};
use crate::schema::{Bound, Column, ForeignKey, Identifier, Kind, Table};

/// What leaves alone a table or an index that is there already.
const IF_MISSING: &str = "IF NOT EXISTS ";

/// The statements that make `table` and its indexes where they are missing.
pub(crate) fn create_missing_table(dialect: Dialect, table: &Table) -> Vec<Statement> {
    statements(dialect, table, IF_MISSING)
}

/// The statements that make `table` and its indexes where there is nothing yet.
fn create_table(dialect: Dialect, table: &Table) -> Vec<Statement> {
    statements(dialect, table, "")
}

/// [`create_table`] for all `tables`, in their order, as the text of a migration.
pub(crate) fn schema_sql(dialect: Dialect, tables: &[Table]) -> String {
    let statements = tables.iter().flat_map(|table| create_table(dialect, table));
    statements.fold(String::new(), |text, statement| {
        text + statement.text() + ";\n"
    })
}

fn statements(dialect: Dialect, table: &Table, condition: &'static str) -> Vec<Statement> {
    let mut statements = vec![table_statement(dialect, table, condition)];
    let indexes = table.indexes.iter();
    statements.extend(indexes.map(|columns| {
        let mut writer = Writer::new(dialect);
        writer.sql("CREATE INDEX ").sql(condition);
        write_index(&mut writer, table, columns);
        writer.finish()
    }));
    statements
}

fn table_statement(dialect: Dialect, table: &Table, condition: &'static str) -> Statement {
    let mut writer = Writer::new(dialect);
    writer
        .sql("CREATE TABLE ")
        .sql(condition)
        .identifier(table.name)
        .sql(" (\n  ");
    writer.list(",\n  ", &table.columns, write_column);
    for columns in &table.unique {
        writer.sql(",\n  UNIQUE ");
        write_compared_columns(&mut writer, table, columns);
    }
    for key in &table.foreign_keys {
        write_foreign_key(&mut writer, key);
    }
    writer.sql("\n)").sql(dialect.table_options());
    writer.finish()
}

pub(super) fn write_column(writer: &mut Writer, column: &Column) {
    let dialect = writer.dialect();
    writer
        .identifier(column.name)
        .sql(" ")
        .sql(dialect.column_type(column.kind));
    if column.assigned_by_database {
        writer.sql(dialect.assigned_key());
    } else if column.primary_key {
        writer.sql(" NOT NULL PRIMARY KEY");
    } else if !column.nullable {
        writer.sql(" NOT NULL");
    }
    write_kind_check(writer, column);
    write_name_check(writer, column);
    write_length_check(writer, column);
    write_bound_check(writer, column, " >= ", column.min);
    write_bound_check(writer, column, " <= ", column.max);
}

/// SQLite keeps to no range and has no booleans; the model's kinds do.
fn write_kind_check(writer: &mut Writer, column: &Column) {
    match column.kind {
        Kind::Boolean => {
            writer.sql(" CHECK (").identifier(column.name);
            writer.sql(" IN (0, 1))");
        }
        Kind::Json => {
            writer.sql(" CHECK (json_valid(").identifier(column.name);
            writer.sql("))");
        }
        Kind::SmallInteger | Kind::Integer if !column.assigned_by_database => {
            if let Some((least, greatest)) = column.kind.integer_range() {
                writer.sql(" CHECK (").identifier(column.name);
                writer.sql(" BETWEEN ").integer(least);
                writer.sql(" AND ").integer(greatest).sql(")");
            }
        }
        _ => {}
    }
}

fn write_name_check(writer: &mut Writer, column: &Column) {
    if column.names.is_empty() {
        return;
    }
    writer.sql(" CHECK (").identifier(column.name).sql(" IN (");
    writer.list(", ", column.names.iter().copied(), |writer, name| {
        writer.string(name);
    });
    writer.sql("))");
}

fn write_length_check(writer: &mut Writer, column: &Column) {
    let limits = [(" >= ", column.min_length), (" <= ", column.max_length)];
    for (comparison, limit) in limits {
        if let Some(characters) = limit {
            writer.sql(" CHECK (length(").identifier(column.name);
            writer.sql(")").sql(comparison).integer(characters.into());
            writer.sql(")");
        }
    }
}

fn write_bound_check(
    writer: &mut Writer,
    column: &Column,
    comparison: &'static str,
    bound: Option<Bound>,
) {
    let Some(bound) = bound else { return };
    writer.sql(" CHECK (");
    if column.kind == Kind::Decimal {
        // Rounding keeps an order, so no decimal within the bound is refused; those a hair beyond
        // it are refused by the service, which compares every digit.
        writer.sql("CAST(").identifier(column.name);
        writer
            .sql(" AS REAL)")
            .sql(comparison)
            .real(bound.as_real());
    } else {
        writer.identifier(column.name).sql(comparison);
        match bound {
            Bound::Integer(integer) => writer.integer(integer),
            Bound::Real(real) => writer.real(real),
        };
    }
    writer.sql(")");
}

fn write_foreign_key(writer: &mut Writer, key: &ForeignKey) {
    writer.sql(",\n  FOREIGN KEY ");
    write_columns(writer, &key.columns);
    write_reference(writer, key);
}

/// What a foreign key points at, behind its columns.
pub(super) fn write_reference(writer: &mut Writer, key: &ForeignKey) {
    writer.sql(" REFERENCES ").identifier(key.target).sql(" ");
    write_columns(writer, &key.target_columns);
    writer.sql(" ON DELETE RESTRICT ON UPDATE RESTRICT");
}

fn write_columns(writer: &mut Writer, columns: &[Identifier]) {
    writer
        .sql("(")
        .identifiers(", ", columns.iter().copied())
        .sql(")");
}

/// The name of an index on `columns`, and what it is on. Indexes share one space of names on SQLite.
/// A point joins the parts, which no table or column has in its name, so that no two are alike.
pub(super) fn write_index(writer: &mut Writer, table: &Table, columns: &[Identifier]) {
    writer.joined_identifier(std::iter::once(table.name).chain(columns.iter().copied()));
    writer.sql(" ON ").identifier(table.name).sql(" ");
    write_compared_columns(writer, table, columns);
}

/// Columns whose values an index compares.
fn write_compared_columns(writer: &mut Writer, table: &Table, columns: &[Identifier]) {
    writer.sql("(").list(", ", columns, |writer, column| {
        let dialect = writer.dialect();
        let collation = table.kind_of(*column).map(|kind| dialect.collation(kind));
        writer
            .identifier(*column)
            .sql(collation.unwrap_or_default());
    });
    writer.sql(")");
}

#[cfg(test)]
mod tests {
    use super::{
        Bound, Column, Dialect, ForeignKey, Identifier, Kind, Table, create_missing_table,
        schema_sql,
    };

    fn column(name: &'static str, kind: Kind) -> Column {
        Column {
            name: Identifier::new(name),
            kind,
            nullable: false,
            primary_key: false,
            assigned_by_database: false,
            min_length: None,
            max_length: None,
            min: None,
            max: None,
            names: Vec::new(),
        }
    }

    #[test]
    fn a_table_says_every_constraint_of_the_model() {
        let id = Column {
            primary_key: true,
            assigned_by_database: true,
            ..column("id", Kind::BigInteger)
        };
        let name = Column {
            min_length: Some(1),
            max_length: Some(80),
            ..column("name", Kind::Text)
        };
        let share = Column {
            nullable: true,
            min: Some(Bound::Real(0.0)),
            max: Some(Bound::Integer(1)),
            ..column("share", Kind::Double)
        };
        let table = Table {
            name: Identifier::new("persons"),
            columns: vec![
                id,
                name,
                share,
                Column {
                    names: vec!["red", "o'range"],
                    ..column("colour", Kind::Text)
                },
                column("active", Kind::Boolean),
                column("age", Kind::SmallInteger),
                column("address_id", Kind::BigInteger),
            ],
            unique: vec![vec![Identifier::new("name"), Identifier::new("age")]],
            foreign_keys: vec![ForeignKey {
                columns: vec![Identifier::new("address_id")],
                target: Identifier::new("addresses"),
                target_columns: vec![Identifier::new("id")],
            }],
            indexes: vec![vec![Identifier::new("address_id")]],
        };
        let statements = create_missing_table(Dialect::Sqlite, &table);
        let text: Vec<&str> = statements.iter().map(super::Statement::text).collect();
        assert_eq!(
            text,
            [
                r#"CREATE TABLE IF NOT EXISTS "persons" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "name" TEXT NOT NULL CHECK (length("name") >= 1) CHECK (length("name") <= 80),
  "share" REAL CHECK ("share" >= 0.0) CHECK ("share" <= 1),
  "colour" TEXT NOT NULL CHECK ("colour" IN ('red', 'o''range')),
  "active" INTEGER NOT NULL CHECK ("active" IN (0, 1)),
  "age" INTEGER NOT NULL CHECK ("age" BETWEEN -32768 AND 32767),
  "address_id" INTEGER NOT NULL,
  UNIQUE ("name", "age"),
  FOREIGN KEY ("address_id") REFERENCES "addresses" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT
) STRICT"#,
                r#"CREATE INDEX IF NOT EXISTS "persons.address_id" ON "persons" ("address_id")"#,
            ]
        );
    }

    #[test]
    fn a_migration_is_every_statement_with_its_semicolon_and_no_condition() {
        let tables = ["words", "books"].map(|name| Table {
            name: Identifier::new(name),
            columns: vec![column("text", Kind::Text)],
            unique: Vec::new(),
            foreign_keys: Vec::new(),
            indexes: vec![vec![Identifier::new("text")]],
        });
        assert_eq!(
            schema_sql(Dialect::Sqlite, &tables),
            r#"CREATE TABLE "words" (
  "text" TEXT NOT NULL
) STRICT;
CREATE INDEX "words.text" ON "words" ("text");
CREATE TABLE "books" (
  "text" TEXT NOT NULL
) STRICT;
CREATE INDEX "books.text" ON "books" ("text");
"#
        );
    }
}
