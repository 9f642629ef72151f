//! Another program on the SQLite file, without the collation of decimals of the service.

use resource_runtime::{Api, ApiResource};
use resource_tests::Service;
use rusqlite::Connection;
use rust_decimal::Decimal;
use serde_json::json;

use crate::requests::{filtered, ordered};

const PLAIN: &str = "/api/1.0/plain_prices";
const UNIQUE: &str = "/api/1.0/unique_prices";

/// The decimal is neither unique nor indexed.
#[derive(Debug, ApiResource)]
#[resource(name = "PlainPrice", url = "/plain_prices", version = "1.0")]
struct PlainPrice {
    id: i64,
    #[resource(min = 0)]
    amount: Decimal,
}

#[derive(Debug, ApiResource)]
#[resource(name = "UniquePrice", url = "/unique_prices", version = "1.0")]
struct UniquePrice {
    id: i64,
    #[resource(unique)]
    amount: Decimal,
    name: Option<String>,
}

fn service() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<PlainPrice>()
            .resource::<UniquePrice>()
            .build(database)
    });
    for path in [PLAIN, UNIQUE] {
        for amount in ["9.99", "10"] {
            service.create(path, &json!({"amount": amount}));
        }
    }
    service
}

fn open(service: &Service) -> Connection {
    Connection::open(service.database().path()).expect("the service's file")
}

#[track_caller]
fn amounts(file: &Connection, query: &str) -> Vec<String> {
    let mut statement = file.prepare(query).expect(query);
    let rows = statement.query_map([], |row| row.get(0)).expect(query);
    rows.collect::<Result<_, _>>().expect(query)
}

#[test]
fn other_program_reads_decimals_as_text() {
    let service = service();
    let file = open(&service);
    for query in [
        "SELECT amount FROM plain_prices ORDER BY id",
        "SELECT amount FROM plain_prices ORDER BY CAST(amount AS REAL)",
        "SELECT amount FROM plain_prices WHERE amount IN ('9.99', '10') ORDER BY id",
        "SELECT amount, name FROM unique_prices ORDER BY id",
        "SELECT amount, name FROM unique_prices WHERE amount >= '' ORDER BY id",
    ] {
        assert_eq!(amounts(&file, query), ["9.99", "10"], "{query}");
    }
}

#[test]
fn other_program_writes_plain_decimals() {
    let service = service();
    let file = open(&service);
    file.execute("INSERT INTO plain_prices (amount) VALUES ('1.50')", [])
        .unwrap();
    file.execute("UPDATE plain_prices SET amount = '9.50' WHERE id = 1", [])
        .unwrap();
    assert_eq!(ordered(&service, PLAIN, "asc(amount)"), [3, 1, 2]);
    assert_eq!(filtered(&service, PLAIN, "eq(amount,1.5)"), [3]);
    assert_eq!(service.read(&format!("{PLAIN}/3"))["amount"], "1.50");
    file.execute("DELETE FROM plain_prices WHERE id = 2", [])
        .unwrap();
    assert_eq!(ordered(&service, PLAIN, "desc(amount)"), [1, 3]);
}

#[test]
fn limits_of_decimals_hold_for_other_programs() {
    let service = service();
    let insert = "INSERT INTO plain_prices (amount) VALUES ('-0.01')";
    let error = open(&service).execute(insert, []).expect_err(insert);
    assert!(
        error.to_string().starts_with("CHECK constraint failed"),
        "{error}"
    );
}

/// Without the collation, a write would corrupt the index, so SQLite refuses it.
#[test]
fn other_program_cannot_write_unique_decimals() {
    let service = service();
    let insert = "INSERT INTO unique_prices (amount) VALUES ('1.50')";
    let error = open(&service).execute(insert, []).expect_err(insert);
    assert!(
        error
            .to_string()
            .contains("no such collation sequence: decimal"),
        "{error}"
    );
}
