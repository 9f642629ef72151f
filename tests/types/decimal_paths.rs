//! Decimals of subresources: filters and orders by a path, on plain and on expanded pages.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, every_database};
use rust_decimal::Decimal;
use serde_json::json;

use crate::requests::{filtered, ids, ordered, page};

const LINES: &str = "/api/1.0/lines";

#[derive(Debug, ApiResource)]
#[resource(name = "Product", url = "/products", version = "1.0")]
struct Product {
    id: i64,
    price: Decimal,
    rebate: Option<Decimal>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Line",
    url = "/lines",
    version = "1.0",
    subresource(product = "product_id")
)]
struct Line {
    id: i64,
    #[resource(references = Product)]
    product_id: Option<i64>,
    amount: Decimal,
}

/// A line for each of five products, whose prices have another order as texts, and one without a product.
fn lines() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Product>()
            .resource::<Line>()
            .build(database)
    });
    for (number, price) in ["0.1", "10", "9.99", "-3", "1.50"].into_iter().enumerate() {
        let product = json!({"price": price, "rebate": (number != 1).then_some(price)});
        service.create("/api/1.0/products", &product);
        let line = json!({"product_id": number + 1, "amount": format!("{}.0", 12 - number)});
        service.create(LINES, &line);
    }
    service.create(LINES, &json!({"amount": 3}));
    service
}

#[apply(every_database)]
fn path_to_a_decimal_compares_as_a_number() {
    let service = lines();
    for (filter, found) in [
        ("eq(product.price,1.5)", &[5][..]),
        (r#"eq(product.price,"10.0")"#, &[2]),
        ("gt(product.price,9.5)", &[2, 3]),
        ("le(product.price,0.10)", &[1, 4]),
        ("in(product.price,[-3.0,9.990])", &[3, 4]),
        ("ne(product.price,1.5)", &[1, 2, 3, 4, 6]),
        ("not(lt(product.rebate,1.5))", &[2, 3, 5, 6]),
        ("eq(product.rebate,null)", &[2, 6]),
    ] {
        assert_eq!(filtered(&service, LINES, filter), found, "{filter}");
    }
}

#[apply(every_database)]
fn path_to_a_decimal_orders_as_a_number() {
    let service = lines();
    let order = |order: &str| ordered(&service, LINES, order);
    assert_eq!(order("asc(product.price)"), [6, 4, 1, 5, 3, 2]);
    assert_eq!(order("desc(product.price)"), [2, 3, 5, 1, 4, 6]);
    assert_eq!(
        order("asc(product.rebate),desc(amount)"),
        [2, 6, 4, 1, 5, 3]
    );
    assert_eq!(order("asc(amount)"), [6, 5, 4, 3, 2, 1]);
}

#[apply(every_database)]
fn expanded_page_orders_a_decimal_as_a_number() {
    let service = lines();
    for (order, expected) in [
        ("desc(product.price)", [2, 3, 5, 1, 4, 6]),
        ("asc(product.price)", [6, 4, 1, 5, 3, 2]),
        ("asc(amount)", [6, 5, 4, 3, 2, 1]),
        ("desc(amount)", [1, 2, 3, 4, 5, 6]),
    ] {
        for fields in ["id,product", "id,product(price)", "id,amount,product(id)"] {
            let asked = [("order", order), ("fields", fields)];
            assert_eq!(ids(&page(&service, LINES, &asked)), expected);
            let asked = [&asked[..], &[("offset", "1"), ("limit", "3")]].concat();
            assert_eq!(ids(&page(&service, LINES, &asked)), expected[1..4]);
        }
    }
}

#[apply(every_database)]
fn expanded_decimal_keeps_its_digits() {
    let asked = [
        ("filter", "ge(product.price,1.5)"),
        ("order", "asc(product.price)"),
        ("fields", "product(price,rebate)"),
    ];
    assert_eq!(
        page(&lines(), LINES, &asked),
        json!({"items": [
            {"product": {"price": "1.50", "rebate": "1.50"}},
            {"product": {"price": "9.99", "rebate": "9.99"}},
            {"product": {"price": "10", "rebate": null}},
        ], "totalItems": 3})
    );
}
