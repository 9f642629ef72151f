//! Unique and indexed decimals: `1.50` equals `1.5`.

use resource_runtime::{Api, ApiResource, Database};
use resource_tests::{
    Client, Service, TestDatabase, apply, assert_error, assert_no_content, block_on,
    every_database, responses_differ,
};
use rust_decimal::Decimal;
use serde_json::json;

use crate::requests::{filtered, ordered};
use crate::round_trip::{create, send};

#[derive(Debug, ApiResource)]
#[resource(name = "Surcharge", url = "/surcharges", version = "1.0")]
struct Surcharge {
    id: i64,
    #[resource(references(Price, amount))]
    amount: Decimal,
}

const PRICES: &str = "/api/1.0/prices";
const TARIFFS: &str = "/api/1.0/tariffs";

#[derive(Debug, ApiResource)]
#[resource(name = "Price", url = "/prices", version = "1.0")]
struct Price {
    id: i64,
    #[resource(unique)]
    amount: Option<Decimal>,
    #[resource(index)]
    weight: Option<Decimal>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Tariff",
    url = "/tariffs",
    version = "1.0",
    unique(zone, amount),
    index(amount, zone)
)]
struct Tariff {
    id: i64,
    zone: i64,
    amount: Decimal,
}

fn service() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Price>()
            .resource::<Tariff>()
            .build(database)
    })
}

#[track_caller]
fn assert_taken(client: &Client, method: &str, path: &str, body: &str, told: &str) {
    let answer = send(client, method, path, body);
    assert_error(&answer, 400, 10030);
    assert_eq!(answer.json()["error_description"], told);
}

#[apply(every_database)]
fn unique_decimal_is_taken_whatever_its_trailing_zeros() {
    responses_differ("PostgreSQL gives a refused item an id that no other item gets");
    let service = service();
    let path = create(&service, PRICES, r#"{"amount":1.5}"#);
    let other = create(&service, PRICES, r#"{"amount":2}"#);
    let told = "`amount` is already taken by another Price";
    for same in ["1.50", "\"1.5\"", "\"1.500000\"", "15e-1", "1.5"] {
        let body = format!(r#"{{"amount":{same}}}"#);
        assert_taken(&service, "POST", PRICES, &body, told);
        assert_taken(&service, "PUT", &other, &body, told);
        assert_no_content(&send(&service, "PUT", &path, &body));
    }
    assert_no_content(&send(&service, "PUT", &path, r#"{"amount":1.50}"#));
    assert_eq!(service.read(&path)["amount"], "1.50");
    create(&service, PRICES, r#"{"amount":1.51}"#);
    create(&service, PRICES, r#"{"amount":-1.5}"#);
    create(&service, PRICES, r#"{"amount":0}"#);
    assert_taken(&service, "POST", PRICES, r#"{"amount":-0.00}"#, told);
}

#[apply(every_database)]
fn null_never_violates_uniqueness() {
    let service = service();
    for _ in 0..2 {
        create(&service, PRICES, r#"{"amount":null}"#);
    }
}

#[apply(every_database)]
fn unique_set_with_a_decimal_compares_numbers() {
    let service = service();
    create(&service, TARIFFS, r#"{"zone":1,"amount":1.5}"#);
    create(&service, TARIFFS, r#"{"zone":2,"amount":1.50}"#);
    let body = r#"{"zone":1,"amount":"1.50"}"#;
    let told = "`zone`, `amount` together are already taken by another Tariff";
    assert_taken(&service, "POST", TARIFFS, body, told);
}

#[apply(every_database)]
fn indexed_decimal_is_filtered_and_ordered_as_a_number() {
    let service = service();
    for (number, amount) in ["10", "9.99", "-3", "1.50", "0.1", "100", "-20"]
        .iter()
        .enumerate()
    {
        let body = format!(r#"{{"amount":{amount},"weight":{amount}}}"#);
        create(&service, PRICES, &body);
        let body = json!({"zone": number, "amount": amount});
        service.create(TARIFFS, &body);
    }
    create(&service, PRICES, "{}");
    for attribute in ["amount", "weight"] {
        let order = |name: &str| ordered(&service, PRICES, &format!("{name}({attribute})"));
        assert_eq!(order("asc"), [8, 7, 3, 5, 4, 2, 1, 6]);
        assert_eq!(order("desc"), [6, 1, 2, 4, 5, 3, 7, 8]);
        let find = |filter: &str| filtered(&service, PRICES, &filter.replace('_', attribute));
        assert_eq!(find("eq(_,1.5)"), [4]);
        assert_eq!(find("in(_,[0.10,1e1,7])"), [1, 5]);
        assert_eq!(find("gt(_,9.989)"), [1, 2, 6]);
        assert_eq!(find("and(ge(_,-3.0),lt(_,9.99))"), [3, 4, 5]);
    }
    assert_eq!(
        ordered(&service, TARIFFS, "asc(amount)"),
        [7, 3, 5, 4, 2, 1, 6]
    );
    assert_eq!(
        ordered(&service, TARIFFS, "desc(amount),asc(zone)"),
        [6, 1, 2, 4, 5, 3, 7]
    );
    assert_eq!(filtered(&service, TARIFFS, "eq(amount,1.5)"), [4]);
}

/// Keys are found by their text, so that `1.50` would not find `1.5`.
#[apply(every_database)]
fn reference_to_a_decimal_is_refused() {
    let file = TestDatabase::default();
    let database = block_on(Database::connect(&file.url())).expect("the file opens");
    let builder = Api::builder().resource::<Price>().resource::<Surcharge>();
    let mistake = builder.build(database).expect_err("a mistake").to_string();
    for word in ["Surcharge.amount`", "Price.amount`", "decimal"] {
        assert!(mistake.contains(word), "{mistake}");
    }
}
