//! The tables themselves refuse what the model refuses, whoever writes to the file.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, address_book};
use rusqlite::{Connection, ErrorCode};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(
    name = "Reading",
    url = "/readings",
    version = "1.0",
    unique(sensor, minute)
)]
struct Reading {
    id: i64,
    sensor: i16,
    #[resource(min = 0, max = 59)]
    minute: i32,
    #[resource(min_length = 2)]
    unit: Option<String>,
    good: Option<bool>,
    value: Option<f64>,
}

fn open(service: &Service) -> Connection {
    let connection = Connection::open(service.file().path()).expect("the service's file");
    connection
        .pragma_update(None, "foreign_keys", true)
        .expect("foreign keys");
    connection
}

#[track_caller]
fn assert_refused(file: &Connection, statement: &str) {
    let error = file.execute(statement, []).expect_err(statement);
    assert_eq!(
        error.sqlite_error_code(),
        Some(ErrorCode::ConstraintViolation),
        "{statement}: {error}"
    );
}

#[test]
fn the_tables_require_what_the_model_requires() {
    let service = address_book();
    let file = open(&service);
    assert_refused(&file, "INSERT INTO settings (name) VALUES ('a')");
    assert_refused(
        &file,
        "INSERT INTO settings (name, value) VALUES (NULL, 'b')",
    );
    assert_refused(&file, "INSERT INTO addresses (city) VALUES ('Ely')");
}

#[test]
fn the_tables_know_what_is_unique() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_refused(
        &open(&service),
        "INSERT INTO settings (name, value) VALUES ('a', 'c')",
    );
}

#[test]
fn the_tables_know_the_references() {
    let service = address_book();
    service.create("/api/1.0/addresses", &json!({"line1": "x"}));
    service.create("/api/1.0/persons", &json!({"bill_address_id": 1}));
    let file = open(&service);
    assert_refused(&file, "INSERT INTO persons (bill_address_id) VALUES (2)");
    assert_refused(&file, "UPDATE persons SET ship_address_id = 2");
    assert_refused(&file, "DELETE FROM addresses");
}

#[test]
fn the_length_in_a_shared_table_is_the_widest_of_its_versions() {
    let service = address_book();
    let file = open(&service);
    let insert = |length: usize| {
        file.execute(
            "INSERT INTO settings (name, value) VALUES (?1, 'v')",
            ["ä".repeat(length)],
        )
    };
    insert(80).expect("the limit of version 2.0");
    let error = insert(81).expect_err("no version allows this");
    assert_eq!(
        error.sqlite_error_code(),
        Some(ErrorCode::ConstraintViolation)
    );
}

#[test]
fn the_tables_know_ranges_lengths_and_types() {
    let service = Service::start(|database| Api::builder().resource::<Reading>().build(database));
    let file = open(&service);
    file.execute(
        "INSERT INTO readings (sensor, minute, unit, good, value) VALUES (1, 59, 'mm', 1, 0.5)",
        [],
    )
    .expect("within every bound");
    for values in [
        "1, 60, 'mm', 1, 0.5",
        "1, -1, 'mm', 1, 0.5",
        "1, 1, 'm', 1, 0.5",
        "40000, 1, 'mm', 1, 0.5",
        "1, 1, 'mm', 2, 0.5",
        "'x', 1, 'mm', 1, 0.5",
        "1, 1, 'mm', 1, 'x'",
        "1, 59, 'mm', 1, 0.5",
        "1, NULL, 'mm', 1, 0.5",
    ] {
        assert_refused(
            &file,
            &format!("INSERT INTO readings (sensor, minute, unit, good, value) VALUES ({values})"),
        );
    }
}

#[test]
fn what_another_program_writes_is_served() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 1);
    let file = open(&service);
    file.execute("INSERT INTO settings (name, value) VALUES ('c', 'd')", [])
        .unwrap();
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 2);
    assert_eq!(
        service.read("/api/1.0/settings/2"),
        json!({"id": 2, "name": "c", "value": "d"})
    );
}
