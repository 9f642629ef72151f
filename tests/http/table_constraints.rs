//! Constraints of the tables: they hold for writes of other programs, too.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, address_book, apply, every_database};
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

#[apply(every_database)]
fn required_attributes_are_not_null_columns() {
    let service = address_book();
    let mut other = service.database().other_program();
    other.assert_refused("INSERT INTO settings (name) VALUES ('a')");
    other.assert_refused("INSERT INTO settings (name, value) VALUES (NULL, 'b')");
    other.assert_refused("INSERT INTO addresses (city) VALUES ('Ely')");
}

#[apply(every_database)]
fn unique_attributes_have_a_unique_constraint() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let mut other = service.database().other_program();
    other.assert_refused("INSERT INTO settings (name, value) VALUES ('a', 'c')");
}

#[apply(every_database)]
fn references_have_a_foreign_key() {
    let service = address_book();
    service.create("/api/1.0/addresses", &json!({"line1": "x"}));
    service.create("/api/1.0/persons", &json!({"bill_address_id": 1}));
    let mut other = service.database().other_program();
    other.assert_refused("INSERT INTO persons (bill_address_id) VALUES (2)");
    other.assert_refused("UPDATE persons SET ship_address_id = 2");
    other.assert_refused("DELETE FROM addresses");
}

#[apply(every_database)]
fn the_length_limit_of_a_shared_column_is_the_widest_of_its_versions() {
    let service = address_book();
    let mut other = service.database().other_program();
    let insert = |length: usize| {
        let name = "ä".repeat(length);
        format!("INSERT INTO settings (name, value) VALUES ('{name}', 'v')")
    };
    other.execute(&insert(80));
    other.assert_refused(&insert(81));
}

#[apply(every_database)]
fn tables_enforce_ranges_lengths_and_types() {
    let service = Service::start(|database| Api::builder().resource::<Reading>().build(database));
    let mut other = service.database().other_program();
    let insert = |values: &str| {
        format!("INSERT INTO readings (sensor, minute, unit, good, value) VALUES ({values})")
    };
    other.execute(&insert("1, 59, 'mm', true, 0.5"));
    for values in [
        "1, 60, 'mm', true, 0.5",
        "1, -1, 'mm', true, 0.5",
        "1, 1, 'm', true, 0.5",
        "40000, 1, 'mm', true, 0.5",
        "1, 1, 'mm', '2', 0.5",
        "'x', 1, 'mm', true, 0.5",
        "1, 1, 'mm', true, 'x'",
        "1, 59, 'mm', true, 0.5",
        "1, NULL, 'mm', true, 0.5",
    ] {
        other.assert_refused(&insert(values));
    }
}

#[apply(every_database)]
fn rows_of_another_program_are_served() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 1);
    let mut other = service.database().other_program();
    other.execute("INSERT INTO settings (name, value) VALUES ('c', 'd')");
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 2);
    assert_eq!(
        service.read("/api/1.0/settings/2"),
        json!({"id": 2, "name": "c", "value": "d"})
    );
}
