//! `check_schema` on existing tables: differences that are refused, reported, or ignored.

mod creation;
mod narrower_limits;
mod number_ranges;
mod rejected_differences;
mod tolerated_differences;

use resource_runtime::{Api, ApiBuilder, ApiResource, Database, Error, SchemaReport};
use resource_tests::{TestDatabase, block_on, problems};
use rusqlite::Connection;

/// Every kind of constraint that one resource can have.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Book",
    url = "/books",
    version = "1.0",
    unique(title, volume),
    subresource(sequel = "sequel_id")
)]
struct Book {
    id: i64,
    #[resource(min_length = 1, max_length = 80)]
    title: String,
    #[resource(min = 1, max = 99)]
    volume: i32,
    #[resource(unique)]
    code: Option<String>,
    price: Option<f64>,
    lent: bool,
    #[resource(references = Book)]
    sequel_id: Option<i64>,
}

/// A table that differs from the definition only by being wider.
const BOOKS: &str = r#"CREATE TABLE Books (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title VARCHAR(20) NOT NULL CHECK (length(title) BETWEEN 1 AND 80),
    volume SMALLINT NOT NULL CHECK (volume > 0 AND volume < 100),
    code CHARACTER(9) UNIQUE,
    price DOUBLE PRECISION,
    lent BOOLEAN NOT NULL CHECK (lent = 0 OR lent = 1),
    sequel_id INT REFERENCES books,
    CONSTRAINT "no two" UNIQUE (volume, title)
);
CREATE INDEX sequels ON books (sequel_id, price)"#;

fn books() -> ApiBuilder {
    Api::builder().resource::<Book>()
}

/// A database file after these statements.
fn made_by(statements: &str) -> TestDatabase {
    let file = TestDatabase::default();
    Connection::open(file.path())
        .and_then(|connection| connection.execute_batch(statements))
        .expect(statements);
    file
}

/// The report of a check of the file.
fn checked(builder: ApiBuilder, file: &TestDatabase) -> Result<SchemaReport, Error> {
    block_on(async {
        let database = Database::connect(&file.url()).await.expect("it opens");
        let api = builder.build(database).expect("nothing is wrong");
        api.check_schema().await
    })
}

/// The differences of the tables of these statements that prevent the service from starting.
#[track_caller]
fn refusals(builder: ApiBuilder, statements: &str) -> Vec<String> {
    match checked(builder, &made_by(statements)) {
        Ok(report) => panic!("it fits, but for: {report}"),
        Err(error) => problems(&error),
    }
}

/// The refused differences of [`BOOKS`] after a replacement.
#[track_caller]
fn refusals_with(replaced: &str, replacement: &str) -> Vec<String> {
    assert!(BOOKS.contains(replaced), "{replaced}");
    refusals(books(), &BOOKS.replacen(replaced, replacement, 1))
}

#[track_caller]
fn assert_fits(builder: ApiBuilder, file: &TestDatabase) {
    let report = checked(builder, file).expect("it fits");
    assert!(report.is_empty(), "{report}");
    assert_eq!(report.differences(), [""; 0]);
}
