use super::column::write_column;
use super::{Dialect, Statement, Writer};
use crate::schema::{Column, ForeignKey, Identifier, Table};

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
        write_compared_columns(&mut writer, table, columns, |_| "");
    }
    for key in &table.foreign_keys {
        write_foreign_key(&mut writer, key);
    }
    writer.sql("\n)").sql(dialect.table_options());
    writer.finish()
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
    let nulls = writer.dialect().nulls(false);
    // An order on a column that is never null asks for no place of theirs.
    let nulls = |column: &Column| if column.primary_key { "" } else { nulls };
    write_compared_columns(writer, table, columns, nulls);
}

/// Columns whose values an index compares.
fn write_compared_columns(
    writer: &mut Writer,
    table: &Table,
    columns: &[Identifier],
    nulls: impl Fn(&Column) -> &'static str,
) {
    let columns = columns.iter().filter_map(|name| table.column(*name));
    writer.sql("(").list(", ", columns, |writer, column| {
        let collation = writer.dialect().collation(column.kind);
        writer
            .identifier(column.name)
            .sql(collation)
            .sql(nulls(column));
    });
    writer.sql(")");
}

#[cfg(test)]
mod tests {
    use super::{Column, Dialect, ForeignKey, Identifier, Table, create_missing_table, schema_sql};
    use crate::schema::{Bound, Kind};

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

    #[test]
    fn postgres_has_types_of_its_own() {
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
        let price = Column {
            nullable: true,
            min: Some(Bound::Real(0.5)),
            ..column("price", Kind::Decimal)
        };
        let table = Table {
            name: Identifier::new("wares"),
            columns: vec![
                id,
                name,
                price,
                column("note", Kind::Text),
                column("sold", Kind::Boolean),
                column("at", Kind::Timestamp),
                column("data", Kind::Json),
            ],
            unique: vec![vec![Identifier::new("name")]],
            foreign_keys: Vec::new(),
            indexes: vec![vec![Identifier::new("price")]],
        };
        assert_eq!(
            schema_sql(Dialect::Postgres, &[table]),
            r#"CREATE TABLE "wares" (
  "id" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  "name" varchar(80) COLLATE "C" NOT NULL CHECK (length("name") >= 1),
  "price" numeric CHECK ("price" >= 0.5),
  "note" text COLLATE "C" NOT NULL,
  "sold" boolean NOT NULL,
  "at" timestamptz NOT NULL,
  "data" jsonb NOT NULL,
  UNIQUE ("name")
);
CREATE INDEX "wares.price" ON "wares" ("price" NULLS FIRST);
"#
        );
    }
}
