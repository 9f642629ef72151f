//! `min`, `max` and `min_length`.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

#[derive(Debug, ApiResource)]
#[resource(name = "Product", url = "/products", version = "1.0")]
struct Product {
    id: i64,
    #[resource(min_length = 3, max_length = 5)]
    code: String,
    #[resource(min = 1, max = 10)]
    stars: Option<i32>,
    #[resource(min = -273.15, max = 100.5)]
    temperature: Option<f64>,
    #[resource(min = 0)]
    stock: Option<i64>,
    #[resource(min_length = 1)]
    label: Option<String>,
}

const PRODUCTS: &str = "/api/1.0/products";

fn products() -> Service {
    Service::start(|database| Api::builder().resource::<Product>().build(database))
}

fn with(attribute: &str, value: Value) -> Value {
    let mut body = json!({"code": "abc"});
    body[attribute] = value;
    body
}

#[apply(every_database)]
fn the_bounds_themselves_are_allowed() {
    let service = products();
    let inside = [
        ("code", json!("abc")),
        ("code", json!("abcde")),
        ("stars", json!(1)),
        ("stars", json!(10)),
        ("temperature", json!(-273.15)),
        ("temperature", json!(100.5)),
        ("temperature", json!(0)),
        ("stock", json!(0)),
        ("stock", json!(i64::MAX)),
        ("label", json!("x")),
    ];
    for (attribute, value) in inside {
        println!("{attribute} {value}");
        let path = service.create(PRODUCTS, &with(attribute, value.clone()));
        assert_eq!(service.read(&path)[attribute].as_f64(), value.as_f64());
    }
}

#[apply(every_database)]
fn a_value_beyond_a_bound_is_400_10010_that_names_the_attribute_and_the_bound() {
    let service = products();
    let outside = [
        ("code", json!("ab"), "3"),
        ("code", json!(""), "3"),
        ("code", json!("abcdef"), "5"),
        ("stars", json!(0), "1"),
        ("stars", json!(11), "10"),
        ("stars", json!(-1), "1"),
        ("temperature", json!(-273.16), "-273.15"),
        ("temperature", json!(100.6), "100.5"),
        ("temperature", json!(-1e300), "-273.15"),
        ("stock", json!(-1), "0"),
        ("label", json!(""), "1"),
    ];
    for (attribute, value, bound) in outside {
        println!("{attribute} {value}");
        let answer = service.post(PRODUCTS, &with(attribute, value));
        assert_error(&answer, 400, 10010)
            .naming(&[&format!("`{attribute}`"), bound])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn the_bounds_apply_to_updates() {
    let service = products();
    let path = service.create(PRODUCTS, &with("stars", json!(5)));
    assert_error(
        &service.put(&path, &json!({"stars": 11, "code": "ab"})),
        400,
        10010,
    )
    .naming(&["`stars`", "10", "`code`", "3"])
    .in_lines(2);
    assert_no_content(&service.put(&path, &json!({"stars": 10})));
    assert_eq!(service.read(&path)["stars"], 10);
}

#[apply(every_database)]
fn bounds_do_not_apply_to_null() {
    let service = products();
    let path = service.create(PRODUCTS, &with("stars", json!(null)));
    assert_no_content(&service.put(
        &path,
        &json!({"label": null, "temperature": null, "stock": null}),
    ));
}

#[apply(every_database)]
fn min_length_counts_characters() {
    let service = products();
    service.create(PRODUCTS, &json!({"code": "äöü"}));
    assert_error(&service.post(PRODUCTS, &json!({"code": "äö"})), 400, 10010)
        .naming(&["`code`", "3"]);
}
