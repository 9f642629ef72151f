//! A file whose tables are not what the structs need: refused by name, before a request fails.

use resource_tests::TestDatabase;
use resource_tests::watch::{self, Output};
use rusqlite::Connection;
use serde_json::json;

use crate::address_book::{AddressBook, command};

/// A file of the time when settings had short names and no value.
const SHORT: &str = "CREATE TABLE settings (
    id INTEGER PRIMARY KEY, name VARCHAR(50) NOT NULL UNIQUE CHECK (length(name) <= 50)
)";

/// A file in which a setting may lack its value.
const LAX: &str = "CREATE TABLE settings (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT
)";

fn made_by(statements: &str) -> TestDatabase {
    let file = TestDatabase::default();
    Connection::open(file.path())
        .and_then(|connection| connection.execute_batch(statements))
        .expect("sound statements");
    file
}

/// The output of an address book that refuses to serve the file.
fn refusal(statements: &str) -> Output {
    let file = made_by(statements);
    let output = watch::output(&mut command(&file));
    assert!(!output.status.success());
    assert_eq!(output.stdout, b"");
    output
}

#[test]
fn it_refuses_a_file_that_is_too_old_and_names_every_column() {
    assert_eq!(
        refusal(SHORT).told(),
        "address-book: `settings.name` holds at most 50 characters, but `Setting` 2.0 allows 80; \
         rebuild the table as the guide on resources shows, with the length of `schema_sql`\n\
         the table `settings` lacks the column `value`; add it with `ALTER TABLE \"settings\" ADD \
         COLUMN \"value\" TEXT` and fill it in, since no version allows null; as `NOT NULL` it \
         needs a default\n"
    );
}

#[test]
fn it_names_a_column_that_is_missing_though_it_would_have_an_index() {
    let told = refusal("CREATE TABLE persons (id INTEGER PRIMARY KEY)").told();
    for column in ["bill_address_id", "ship_address_id", "mail_address_id"] {
        let sentence = format!("the table `persons` lacks the column `{column}`; add it with");
        assert!(told.contains(&sentence), "{told}");
    }
}

#[test]
fn what_it_can_live_with_is_told_beside_a_refusal() {
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
fn it_serves_a_file_that_it_can_live_with_and_warns() {
    let file = made_by(LAX);
    let book = AddressBook::start(&file);
    book.client
        .create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let told = book.stopped();
    assert!(
        told.contains("WARN") && told.contains("`settings.value` may be null"),
        "{told}"
    );
}
