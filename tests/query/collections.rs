//! Collections: tests of the items that refer to an item, and their errors.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::json;

use crate::requests::{filtered, ordered, refused};

const CUSTOMERS: &str = "/api/1.0/customers";
const ORDERS: &str = "/api/1.0/orders";

#[derive(Debug, ApiResource)]
#[resource(name = "Customer", url = "/customers", version = "1.0")]
#[resource(collection(orders = Order::CUSTOMER_ID, gifts = Order::FOR_CODE))]
struct Customer {
    id: i64,
    #[resource(unique, max_length = 20)]
    code: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Order",
    url = "/orders",
    version = "1.0",
    subresource(customer = "customer_id")
)]
struct Order {
    id: i64,
    #[resource(references = Customer)]
    customer_id: i64,
    #[resource(references(Customer, code), max_length = 20)]
    for_code: Option<String>,
    total: Option<i64>,
    #[resource(write_only)]
    secret: Option<String>,
    #[resource(soft_delete)]
    deleted_at: Option<chrono::DateTime<chrono::Utc>>,
}

/// Three customers, of whom the second has no order and the third no code.
fn shop() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Customer>()
            .resource::<Order>()
            .build(database)
    });
    for code in [json!("a\"%"), json!("b"), json!(null)] {
        service.create(CUSTOMERS, &json!({"code": code}));
    }
    for (customer, code, total) in [
        (1, json!("b"), json!(70)),
        (1, json!(null), json!(20)),
        (3, json!("a\"%"), json!(null)),
        (3, json!("b"), json!(55)),
        (1, json!("b"), json!(70)),
    ] {
        let order =
            json!({"customer_id": customer, "for_code": code, "total": total, "secret": "s"});
        service.create(ORDERS, &order);
    }
    service
}

#[apply(every_database)]
fn has_finds_the_items_that_others_refer_to() {
    let service = shop();
    for (filter, found) in [
        ("has(orders)", &[1, 3][..]),
        ("not(has(orders))", &[2]),
        ("has(gifts)", &[1, 2]),
        // A null refers to nothing, and nothing refers to a null.
        ("not(has(gifts))", &[3]),
        ("has(orders,eq(total,55))", &[3]),
        ("has(orders,and(gt(id,1),lt(total,60)))", &[1, 3]),
        ("not(has(orders,eq(total,null)))", &[1, 2]),
        ("has(orders,not(eq(total,70)))", &[1, 3]),
        ("has(gifts,eq(customer.code,null))", &[1, 2]),
        ("and(has(orders),has(gifts),eq(id,1))", &[1]),
        ("or(has(orders,eq(id,3)),not(has(gifts,eq(id,3))))", &[2, 3]),
        ("has(orders,icontains(customer.code,\"A\"))", &[1]),
    ] {
        assert_eq!(filtered(&service, CUSTOMERS, filter), found, "{filter}");
    }
    assert_no_content(&service.delete(&format!("{ORDERS}/3")));
    assert_eq!(filtered(&service, CUSTOMERS, "has(gifts)"), [2]);
}

/// PostgreSQL keeps totals, which a change to the table of the collection outdates.
#[apply(every_database)]
fn the_total_follows_the_items_of_a_collection() {
    let service = shop();
    for total in [1, 2, 3] {
        let filter = format!("has(orders,eq(total,{total}))");
        assert_eq!(filtered(&service, CUSTOMERS, &filter), [0_i64; 0]);
        service.create(ORDERS, &json!({"customer_id": 2, "total": total}));
        assert_eq!(filtered(&service, CUSTOMERS, &filter), [2]);
    }
}

#[apply(every_database)]
fn mistakes_about_collections_are_told_at_their_columns() {
    let service = shop();
    for (parameter, text, said) in [
        (
            "filter",
            "has()",
            "column 5: expected a collection, found `)`",
        ),
        ("filter", "has(orders", "column 11: expected `)`"),
        ("filter", "has(orders,)", "column 12: expected a function"),
        (
            "filter",
            "has(order)",
            "column 5: `order` is not a collection of Customer; did you mean `orders`?",
        ),
        (
            "filter",
            "not(has(code))",
            "column 9: `code` is not a collection of Customer",
        ),
        (
            "filter",
            "has(orders,eq(totl,1))",
            "column 15: `totl` is not an attribute of Order; did you mean `total`?",
        ),
        (
            "filter",
            "has(orders,eq(secret,\"s\"))",
            "column 15: `secret` is not an attribute of Order",
        ),
        (
            "filter",
            "has(orders,eq(deleted_at,null))",
            "column 15: `deleted_at` is not an attribute of Order",
        ),
        (
            "filter",
            "has(orders,eq(total,\"1\"))",
            "column 21: `total` is compared with an integer",
        ),
        (
            "filter",
            "has(orders,or(eq(id,1),has(orders)))",
            "column 24: `has` does not stand within another `has`",
        ),
        (
            "filter",
            "eq(orders,1)",
            "column 4: `orders` is a collection; only a filter tests its items: `has(orders)`",
        ),
        (
            "filter",
            "eq(orders.total,1)",
            "column 4: `orders` is a collection",
        ),
        (
            "order",
            "asc(orders.total)",
            "column 5: `orders` is a collection",
        ),
    ] {
        refused(&service, CUSTOMERS, parameter, text).naming(&[said]);
    }
    let answer = service.post(CUSTOMERS, &json!({"orders": []}));
    assert_error(&answer, 400, 10010).naming(&["`orders` is a collection", "leave it out"]);
    assert_eq!(ordered(&service, CUSTOMERS, "desc(id)"), [3, 2, 1]);
}
