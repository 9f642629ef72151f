//! A wholesaler of food, with what the well-known sample has on each database, served by the models that `cargo resource
//! scaffold` writes of it.

use resource_runtime::{Api, ApiBuilder};
use resource_tests::{
    Service, apply, assert_created, assert_error, assert_no_content, every_database,
    responses_differ,
};
use serde_json::json;

use crate::fixtures::northwind;
use crate::models::northwind::{postgres, sqlite};
use crate::served::assert_served;
use crate::{of_backend, sentences};

fn models() -> ApiBuilder {
    let register: fn(ApiBuilder) -> ApiBuilder =
        of_backend(sqlite::v1_0::register, postgres::v1_0::register);
    register(Api::builder())
}

#[apply(every_database)]
fn every_row_is_served_of_tables_that_stay_as_they_are() {
    responses_differ("the two databases have other tables");
    let folder = of_backend("northwind/sqlite", "northwind/postgres");
    let (service, _) = assert_served(&northwind(), folder, models);
    for (path, count) in [
        ("order-details?filter=eq(order.customer_id,\"ALFKI\")", 3),
        (
            "order-details?filter=lt(discount,0.3)&order=desc(discount)",
            5,
        ),
        ("customers?filter=eq(company_name,\"alfreds\")", 1),
        ("customers?filter=eq(customer_id,\"a%2Fb%20%25\")", 1),
        (
            "employees?filter=eq(reports_to_employee.last_name,\"Fell\")",
            2,
        ),
        (
            "customer-customer-demos?filter=eq(customer_id,\"ALFKI\")",
            5,
        ),
    ] {
        let list = service.read(&format!("/api/1.0/{path}"));
        assert_eq!(list["totalItems"], count, "{path}");
    }
}

#[apply(every_database)]
fn rows_are_written_as_others_wrote_them() {
    responses_differ("the two databases have other tables");
    let service = Service::start_on(&northwind(), |database| models().build(database));
    let new = |collection: &str, item| service.post(&format!("/api/1.0/{collection}"), &item);
    let region = of_backend(
        json!({"region_description": "West"}),
        json!({"region_id": 7, "region_description": "West"}),
    );
    assert_created(&new("regions", region));
    let shipper = assert_created(&new("shippers", json!({"company_name": "New"})));
    assert_eq!(shipper, "/api/1.0/shippers/6");
    let detail = json!({"order_id": 10248, "product_id": 1, "unit_price": of_backend(json!("1.5"), json!(1.5)), "quantity": 1,
                        "discount": 0.25});
    let path = assert_created(&new("order-details", detail.clone()));
    assert_eq!(path, "/api/1.0/order-details/10248,1");
    let read = service.read(&path);
    assert_eq!(read["unit_price"], of_backend(json!("1.5000"), json!(1.5)));
    assert_error(&new("order-details", detail), 400, 10030);
    assert_no_content(&service.put(&path, &json!({"discount": 1})));
    let moved = service.put(&path, &json!({"product_id": 2}));
    assert_error(&moved, 400, 10010);
    let customer = json!({"customer_id": "ä,b/", "company_name": "New"});
    let path = assert_created(&new("customers", customer));
    assert_eq!(path, "/api/1.0/customers/%C3%A4%2Cb%2F");
    let of_it = json!({"customer_id": "ä,b/", "customer_type_id": "a, b"});
    let path = assert_created(&new("customer-customer-demos", of_it.clone()));
    assert_eq!(service.read(&path), of_it);
    assert_error(
        &service.delete("/api/1.0/customers/%C3%A4%2Cb%2F"),
        400,
        10020,
    );
    assert_error(&service.delete("/api/1.0/products/1"), 400, 10020);
    let unknown = json!({"customer_id": "NONE!", "customer_type_id": "small"});
    assert_error(&new("customer-customer-demos", unknown), 400, 10031);
    let employee = json!({"reports_to": 99});
    assert_error(&service.put("/api/1.0/employees/1", &employee), 400, 10031);
}

#[apply(every_database)]
fn a_number_that_json_does_not_have_is_never_shown_as_null() {
    responses_differ("the two databases have other tables");
    let database = northwind();
    database.other_program().execute(of_backend(
        "UPDATE [Order Details] SET [Discount] = 1 WHERE [ProductID] = 1;
         UPDATE [Products] SET [Weight] = 9e999 WHERE [ProductID] = 1",
        "UPDATE products SET unit_price = 'infinity' WHERE product_id = 1",
    ));
    let service = Service::start_on(&database, |database| models().build(database));
    let name = of_backend("weight", "unit_price");
    assert_eq!(service.get("/api/1.0/products/1").status, 500);
    assert_eq!(service.get("/api/1.0/products").status, 500);
    let others = format!("/api/1.0/products?filter=lt({name},1e30)");
    assert_eq!(service.get(&others).status, 200);
}

#[test]
fn keys_of_sqlite_that_are_null_are_fatal() {
    let database = northwind();
    database
        .other_program()
        .execute("INSERT INTO [Customers] ([CompanyName]) VALUES ('Nobody'), ('Nobody')");
    let (fatal, _) = sentences(models(), &database);
    let [sentence] = &*fatal else {
        panic!("{fatal:?}");
    };
    assert!(sentence.contains("`Customers`"), "{sentence}");
}

#[test]
fn triggers_of_sqlite_refuse_with_400() {
    let service = Service::start_on(&northwind(), |database| models().build(database));
    let products = "/api/1.0/products";
    assert_error(
        &service.post(products, &json!({"product_name": ""})),
        400,
        10010,
    );
    let changed = service.put(&format!("{products}/1"), &json!({"units_on_order": -1}));
    assert_error(&changed, 400, 10010);
    assert_eq!(service.read(products)["totalItems"], 6);
}
