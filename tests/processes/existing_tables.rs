//! A database whose tables do not fit the structs: refused at startup, naming each difference.

use resource_tests::TestDatabase;
use resource_tests::watch::{self, Output};
use rusqlite::Connection;
use serde_json::json;

use crate::address_book::{AddressBook, command};

/// A table with short names and without the column `value`.
const SHORT: &str = "CREATE TABLE settings (
    id INTEGER PRIMARY KEY, name VARCHAR(50) NOT NULL UNIQUE CHECK (length(name) <= 50)
)";

/// A table in which `value` may be null.
const LAX: &str = "CREATE TABLE settings (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT
)";

fn database_after(statements: &str) -> TestDatabase {
    let file = TestDatabase::default();
    Connection::open(file.path())
        .and_then(|connection| connection.execute_batch(statements))
        .expect("valid statements");
    file
}

/// Output of an address book that refuses to serve the database after these statements.
fn refusal(statements: &str) -> Output {
    let file = database_after(statements);
    let output = watch::output(&mut command(&file));
    assert!(!output.status.success());
    assert_eq!(output.stdout, b"");
    output
}

#[test]
fn an_outdated_table_is_refused_naming_every_column() {
    assert_eq!(
        refusal(SHORT).told(),
        "address-book: `settings.name` holds at most 50 characters, but `Setting` 2.0 allows 80; \
         rebuild the table by the statements that the command `check --rebuild settings` prints\n\
         the table `settings` lacks the column `value`; add it with `ALTER TABLE \"settings\" ADD \
         COLUMN \"value\" TEXT` and fill it in, since no version allows null; as `NOT NULL` it \
         needs a default\n"
    );
}

#[test]
fn a_missing_column_with_an_index_is_named() {
    let told = refusal("CREATE TABLE persons (id INTEGER PRIMARY KEY)").told();
    for column in ["bill_address_id", "ship_address_id", "mail_address_id"] {
        let sentence = format!("the table `persons` lacks the column `{column}`; add it with");
        assert!(told.contains(&sentence), "{told}");
    }
}

#[test]
fn warnings_are_logged_beside_a_refusal() {
    let statements = format!("{LAX}; CREATE TABLE addresses (id INTEGER PRIMARY KEY)");
    let told = refusal(&statements).stderr;
    let mut lines = told.lines();
    let warning = lines
        .find(|line| line.contains("`settings.value` may be null"))
        .expect(&told);
    assert!(warning.contains("WARN"), "{warning}");
    assert!(
        told.contains("address-book: the table `addresses` lacks the column `line1`"),
        "{told}"
    );
}

#[test]
fn a_nullable_column_is_served_with_a_warning() {
    let file = database_after(LAX);
    let book = AddressBook::start(&file);
    book.client
        .create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let told = book.stopped();
    assert!(
        told.contains("WARN") && told.contains("`settings.value` may be null"),
        "{told}"
    );
}
