//! The statements that rebuild a SQLite table, as the guide shows them: no row is lost, whatever refers to the table.

use resource_runtime::{Api, ApiBuilder, ApiResource, Database, Error, sqlx};
use resource_tests::{TestDatabase, block_on, problems};
use rusqlite::Connection;
use sqlx::Connection as _;

const GUIDE: &str = include_str!("../../resource-runtime/docs/resources.md");

#[derive(Debug, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "2.0")]
struct Setting {
    id: i64,
    #[resource(max_length = 80, unique)]
    name: String,
    #[resource(index)]
    value: Option<String>,
}

fn settings() -> ApiBuilder {
    Api::builder().resource::<Setting>()
}

/// The statements in the guide.
fn migration() -> &'static str {
    let (_, from) = GUIDE.split_once("```sql\n-- no-transaction\n").unwrap();
    let (text, _) = from.split_once("```").unwrap();
    text
}

/// A file with these tables.
fn stored(tables: &Connection) -> TestDatabase {
    let file = TestDatabase::sqlite();
    let into = format!("VACUUM INTO '{}'", file.path().display());
    tables.execute_batch(&into).unwrap();
    file
}

/// The statements of the service for the table of this name.
fn rebuilt(builder: ApiBuilder, database: &TestDatabase, table: &str) -> Result<String, Error> {
    block_on(async {
        let database = Database::connect(&database.url()).await?;
        builder.build(database)?.rebuild_sql(table).await
    })
}

/// Settings with shorter names, the newest one deleted, and rows that refer to them with this `ON DELETE`.
fn older(action: &str) -> Connection {
    let file = Connection::open_in_memory().unwrap();
    let tables = format!(
        r#"PRAGMA foreign_keys = ON;
        CREATE TABLE settings (
            id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT,
            name VARCHAR(50) NOT NULL UNIQUE CHECK (length(name) <= 50)
        );
        CREATE TABLE changes (setting INTEGER);
        CREATE INDEX "settings.value" ON "settings" ("value");
        CREATE TRIGGER "settings.log" AFTER UPDATE ON "settings"
        BEGIN
          INSERT INTO "changes" ("setting") VALUES (NEW."id");
        END;
        CREATE VIEW named AS SELECT name FROM settings;
        CREATE TABLE children (
            id INTEGER PRIMARY KEY,
            setting INTEGER REFERENCES settings ON DELETE {action} ON UPDATE {action},
            name TEXT REFERENCES settings (name) ON DELETE {action} ON UPDATE {action}
        );
        INSERT INTO settings (name, value) VALUES ('a', 'A'), ('b', NULL), ('c', 'C'), ('d', 'D');
        DELETE FROM settings WHERE name = 'd';
        INSERT INTO children (setting, name) VALUES (1, 'a'), (2, 'c'), (NULL, 'b'), (3, NULL);"#
    );
    file.execute_batch(&tables).unwrap();
    file
}

/// All rows and values that the migration must preserve.
fn rows(file: &Connection) -> Vec<String> {
    let queries = [
        "SELECT group_concat(concat_ws('/', id, name, value), ' ') FROM (SELECT * FROM settings ORDER BY id)",
        "SELECT group_concat(concat_ws('/', id, setting, name), ' ') FROM (SELECT * FROM children ORDER BY id)",
        "SELECT group_concat(name) FROM (SELECT name FROM named ORDER BY name)",
        "SELECT seq || '' FROM sqlite_sequence WHERE name = 'settings'",
        "SELECT count(*) || '' FROM changes",
        "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name LIKE 'settings.%' ORDER BY name)",
        "SELECT (SELECT count(*) FROM pragma_foreign_key_check) || ''",
        "SELECT foreign_keys || '' FROM pragma_foreign_keys",
        "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name)",
        "SELECT (SELECT count(*) FROM sqlite_temp_schema) || ''",
        "PRAGMA integrity_check",
    ];
    let text =
        |query: &str| -> String { file.query_row(query, [], |row| row.get(0)).expect(query) };
    queries.map(text).to_vec()
}

#[test]
fn guide_has_the_statements_of_the_service() {
    let shown = rebuilt(settings(), &stored(&older("CASCADE")), "settings").unwrap();
    let lines = |text: &str| {
        text.lines()
            .map(|line| line.trim().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&shown)[1..], lines(migration()), "{shown}");
}

#[test]
fn rebuilt_table_preserves_its_rows_and_references() {
    for action in [
        "NO ACTION",
        "RESTRICT",
        "CASCADE",
        "SET NULL",
        "SET DEFAULT",
    ] {
        let file = older(action);
        let before = rows(&file);
        file.execute_batch(migration()).unwrap();
        assert_eq!(rows(&file), before, "{action}");
        let long = format!("INSERT INTO settings (name) VALUES ('{}')", "n".repeat(80));
        file.execute_batch(&long).unwrap();
        assert_eq!(file.last_insert_rowid(), 5, "{action}");
        file.execute_batch("UPDATE settings SET value = 'B' WHERE id = 2")
            .unwrap();
        assert_eq!(rows(&file)[4], "1", "{action}");
    }
}

#[test]
fn a_reference_that_was_broken_before_hinders_no_rebuild() {
    let file = older("NO ACTION");
    let broken = "PRAGMA foreign_keys = OFF; INSERT INTO children (setting) VALUES (99)";
    file.execute_batch(broken).unwrap();
    file.execute_batch(migration()).unwrap();
    let (settings, broken) = (&rows(&file)[0], &rows(&file)[6]);
    assert_eq!(
        (settings.as_str(), broken.as_str()),
        ("1/a/A 2/b 3/c/C", "1")
    );
}

#[test]
fn failed_rebuild_leaves_the_table_unchanged() {
    let lacking_index = r#"CREATE INDEX "settings.value" ON "settings" ("value");"#;
    for (replaced, replacement, told) in [
        (lacking_index, "", "every index and trigger is there again"),
        (
            r#"FROM "rebuild.rows";"#,
            r#"FROM "rebuild.rows" WHERE "id" <> 1;"#,
            "every row is there again",
        ),
        (
            r#"SELECT "id", "name", "value" FROM"#,
            r#"SELECT "id" + 9, "name", "value" FROM"#,
            "every reference leads to a row",
        ),
        (
            r#"CHECK (length("name") <= 80)"#,
            r#"CHECK (length("name") > 1)"#,
            "length(",
        ),
        (r#""value" TEXT,"#, r#""other" TEXT,"#, "value"),
    ] {
        let file = older("CASCADE");
        let before = rows(&file);
        assert!(migration().contains(replaced), "{replaced}");
        let changed = migration().replacen(replaced, replacement, 1);
        let error = file.execute_batch(&changed).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
        // A connection that closes does the same.
        let _ = file.execute_batch("ROLLBACK");
        file.execute_batch("PRAGMA foreign_keys = ON").unwrap();
        assert_eq!(rows(&file), before, "{replaced}");
    }
    // Within a transaction, foreign keys could not be turned off.
    let file = older("CASCADE");
    let before = rows(&file);
    file.execute_batch("BEGIN").unwrap();
    file.execute_batch(migration()).unwrap_err();
    file.execute_batch("ROLLBACK").unwrap();
    assert_eq!(rows(&file), before);
}

#[test]
fn rebuilt_table_passes_check_schema() {
    let file = stored(&older("CASCADE"));
    block_on(async {
        let options = Database::sqlite_options(&file.url()).unwrap();
        let mut connection = sqlx::SqliteConnection::connect_with(&options)
            .await
            .unwrap();
        // Like a migration tool with a file that begins with `-- no-transaction`.
        let migration = sqlx::raw_sql(migration());
        migration.execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let database = Database::connect(&file.url()).await.unwrap();
        let api = settings().build(database).unwrap();
        let report = api.check_schema().await.unwrap();
        assert!(report.is_empty(), "{report}");
    });
    let file = Connection::open(file.path()).unwrap();
    let children = "SELECT count(setting) || '/' || count(name) FROM children";
    let children: String = file.query_row(children, [], |row| row.get(0)).unwrap();
    assert_eq!(children, "3/3");
}

#[test]
fn a_table_is_not_rebuilt_where_a_value_would_be_lost_or_is_missing() {
    let file = || stored(&older("CASCADE"));
    let refused = |file: &TestDatabase, table| {
        let error = rebuilt(settings(), file, table).unwrap_err();
        problems(&error).concat()
    };
    let told = refused(&file(), "setings");
    assert_eq!(
        told,
        "the API has no table `setings`; did you mean `settings`?"
    );
    let narrower = file();
    let mut other = narrower.other_program();
    other.execute("ALTER TABLE settings ADD COLUMN colour TEXT");
    assert_eq!(
        refused(&narrower, "settings"),
        "the values in `settings.colour` would be lost, as no registered version has them; declare the column, or drop it \
         before by `ALTER TABLE \"settings\" DROP COLUMN \"colour\"`"
    );
    other.execute("ALTER TABLE settings DROP COLUMN colour");
    other.execute("DROP INDEX \"settings.value\"; ALTER TABLE settings DROP COLUMN value");
    assert_eq!(
        refused(&narrower, "settings"),
        "the table `settings` lacks the column `value`; add it before by the statement that `check` prints"
    );
    other.execute("ALTER TABLE settings RENAME TO others");
    assert_eq!(
        refused(&narrower, "settings"),
        "the table `settings` is missing; `schema` prints the statements that make it"
    );
    let Some(postgres) = TestDatabase::postgres() else {
        return;
    };
    assert_eq!(
        refused(&postgres, "settings"),
        "only tables of SQLite are rebuilt; `check` prints the statements that alter a table"
    );
}
