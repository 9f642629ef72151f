//! A music shop whose tables others made, served by the models that `cargo resource scaffold` writes of them.

#[allow(
    clippy::struct_field_names,
    unreachable_pub,
    reason = "as it is written into the crate of a service"
)]
mod postgres;
#[allow(
    clippy::struct_field_names,
    unreachable_pub,
    reason = "as it is written into the crate of a service"
)]
mod sqlite;

use resource_runtime::{Api, ApiBuilder, Database};
use resource_tests::{
    Backend, Service, TestDatabase, apply, assert_created, assert_error, assert_no_content,
    block_on, every_database,
};
use serde_json::{Value, json};

use crate::fixtures::{SHOP, shop};

fn models() -> ApiBuilder {
    match Backend::under_test() {
        Backend::Sqlite => sqlite::v1_0::register(Api::builder()),
        Backend::Postgres => postgres::v1_0::register(Api::builder()),
    }
}

fn service() -> Service {
    Service::start_on(&shop(), |database| models().build(database))
}

/// Everything that the database says of its tables.
fn schema(database: &TestDatabase) -> String {
    database.other_program().text(match Backend::under_test() {
        Backend::Sqlite => "SELECT group_concat(coalesce(sql, name)) FROM sqlite_schema",
        Backend::Postgres => {
            "SELECT concat(
                (SELECT string_agg(columns::text, ',' ORDER BY table_name, ordinal_position)
                    FROM information_schema.columns WHERE table_schema = current_schema()),
                (SELECT string_agg(pg_get_constraintdef(oid), ',' ORDER BY oid) FROM pg_constraint
                    WHERE connamespace = current_schema()::regnamespace),
                (SELECT string_agg(indexdef, ',' ORDER BY indexname) FROM pg_indexes
                    WHERE schemaname = current_schema()))"
        }
    })
}

#[apply(every_database)]
fn tables_are_what_the_models_need_and_stay_as_they_are() {
    let database = shop();
    let before = schema(&database);
    block_on(async {
        let opened = Database::connect(&database.url()).await.unwrap();
        let api = models().build(opened).unwrap();
        api.create_missing_tables().await.unwrap();
        let report = api.check_schema().await.unwrap();
        assert!(report.is_empty(), "{report}");
    });
    assert_eq!(schema(&database), before);
}

/// The path of an item, by the attributes of its key.
fn path(collection: &str, item: &Value) -> String {
    let id = |name: &str| item[name].to_string();
    let key = if collection == "playlist-tracks" {
        format!("{},{}", id("playlist_id"), id("track_id"))
    } else {
        let name = collection.trim_end_matches('s').replace('-', "_");
        id(&format!("{name}_id"))
    };
    format!("/api/1.0/{collection}/{key}")
}

#[apply(every_database)]
fn every_row_is_listed_and_retrieved() {
    let shop = service();
    for (collection, _) in SHOP {
        let list = shop.read(&format!("/api/1.0/{collection}"));
        let items = list["items"].as_array().unwrap();
        assert!(!items.is_empty(), "{collection}");
        assert_eq!(list["totalItems"], items.len(), "{collection}");
        for item in items {
            assert_eq!(shop.read(&path(collection, item)), *item);
        }
    }
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
