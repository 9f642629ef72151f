//! A music shop whose tables others made, served by the models that `cargo resource scaffold` writes of them.

use resource_runtime::{Api, ApiBuilder};
use resource_tests::{
    Backend, Service, apply, assert_created, assert_error, assert_no_content, every_database,
};
use serde_json::json;

use crate::fixtures::shop;
use crate::models::chinook::{postgres, sqlite};
use crate::of_backend;
use crate::served::assert_served;

fn models() -> ApiBuilder {
    let register: fn(ApiBuilder) -> ApiBuilder =
        of_backend(sqlite::v1_0::register, postgres::v1_0::register);
    register(Api::builder())
}

fn service() -> Service {
    Service::start_on(&shop(), |database| models().build(database))
}

#[apply(every_database)]
fn every_row_is_served_of_tables_that_stay_as_they_are() {
    let folder = of_backend("chinook/sqlite", "chinook/postgres");
    let (_, tolerable) = assert_served(&shop(), folder, models);
    assert_eq!(tolerable, [""; 0]);
}

#[apply(every_database)]
fn dates_and_amounts_are_found_and_ordered() {
    let shop = service();
    let ids = |query: &str| {
        let list = shop.read(&format!("/api/1.0/invoices?{query}&fields=invoice_id"));
        let items = list["items"].as_array().unwrap().clone();
        let ids = items.iter().map(|it| it["invoice_id"].as_i64().unwrap());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids("filter=eq(invoice_date,\"2009-01-02T13:30:00\")"), [2]);
    assert_eq!(
        ids("filter=gt(invoice_date,\"2009-01-01T00:00:00\")&order=desc(invoice_date)"),
        [3, 2]
    );
    assert_eq!(ids("filter=eq(total,10)"), [3]);
    assert_eq!(ids("order=desc(total)"), [3, 1, 2]);
    assert_eq!(ids("filter=eq(customer.last_name,\"Gomes\")"), [1]);
    let first = shop.read("/api/1.0/invoices/3?fields=invoice_date,total");
    assert_eq!(
        first,
        json!({"invoice_date": "2009-02-11T00:00:00", "total": "10.00"})
    );
}

#[apply(every_database)]
fn related_items_are_expanded() {
    let shop = service();
    let expanded = "fields=track(name,unit_price),playlist(name)";
    assert_eq!(
        shop.read(&format!("/api/1.0/playlist-tracks/1,3?{expanded}")),
        json!({
            "track": {"name": "Dusk", "unit_price": "2.00"},
            "playlist": {"name": "Music"},
        })
    );
    let employee = shop.read("/api/1.0/employees/2?fields=reports_to_employee(first_name)");
    assert_eq!(
        employee,
        json!({"reports_to_employee": {"first_name": "Ann"}})
    );
}

#[apply(every_database)]
fn items_are_written_as_others_wrote_them() {
    let shop = service();
    let invoice = json!({"customer_id": 1, "invoice_date": "2025-12-31T23:59:59", "total": "1.5"});
    let created = shop.post("/api/1.0/invoices", &invoice);
    let path = assert_created(&created);
    assert_eq!(shop.read(&path)["total"], "1.50");
    let fine = json!({"invoice_date": "2025-12-31T23:59:59", "total": "1.505"});
    assert_error(&shop.put(&path, &fine), 400, 10010);
    assert_no_content(&shop.put(&path, &json!({"total": "7"})));
    let mut program = shop.database().other_program();
    let stored = program.text(match Backend::under_test() {
        Backend::Sqlite => {
            "SELECT InvoiceDate || ' ' || typeof(Total) || ' ' || Total FROM Invoice WHERE BillingCity IS NULL"
        }
        Backend::Postgres => {
            "SELECT invoice_date::text || ' integer ' || total::int FROM invoice WHERE billing_city IS NULL"
        }
    });
    assert_eq!(stored, "2025-12-31 23:59:59 integer 7");
    let entry = json!({"playlist_id": 2, "track_id": 4});
    let created = shop.post("/api/1.0/playlist-tracks", &entry);
    assert_eq!(assert_created(&created), "/api/1.0/playlist-tracks/2,4");
    assert_error(&shop.post("/api/1.0/playlist-tracks", &entry), 400, 10030);
    assert_no_content(&shop.delete("/api/1.0/playlist-tracks/2,4"));
    assert_error(&shop.delete("/api/1.0/tracks/1"), 400, 10020);
    let dangling = json!({"title": "x", "artist_id": 99});
    assert_error(&shop.post("/api/1.0/albums", &dangling), 400, 10031);
    let long = json!({"title": "x".repeat(161), "artist_id": 1});
    assert_error(&shop.post("/api/1.0/albums", &long), 400, 10010);
}
