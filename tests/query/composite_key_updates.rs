//! Updates of composite keys in items that others refer to.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::json;

use crate::regions::{REGIONS, Region};

#[derive(Debug, ApiResource)]
#[resource(
    name = "Shop",
    url = "/shops",
    version = "1.0",
    subresource(region = ["country", "code"], origin = ["from_country", "from_code"])
)]
struct Shop {
    id: i64,
    #[resource(unique)]
    name: String,
    #[resource(references(Region, country))]
    country: String,
    #[resource(references(Region, code), rename = "regionCode")]
    code: i32,
    #[resource(references(Region, country))]
    from_country: Option<String>,
    #[resource(references(Region, code))]
    from_code: Option<i32>,
    #[resource(references = Self)]
    owner_id: Option<i64>,
}

/// A desk, which refers to a shop by its primary key, and to another by its name.
#[derive(Debug, ApiResource)]
#[resource(name = "Desk", url = "/desks", version = "1.0")]
struct Desk {
    id: i64,
    #[resource(references = Shop)]
    shop_id: i64,
    #[resource(references(Shop, name))]
    shop_name: Option<String>,
}

const SHOPS: &str = "/api/1.0/shops";
const FIRST: &str = "/api/1.0/shops/1";

/// Two shops; the second one and a desk refer to the first.
fn shops() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Region>()
            .resource::<Shop>()
            .resource::<Desk>()
            .build(database)
    });
    service.create(REGIONS, &json!({"country": "CH", "code": 1}));
    service.create(REGIONS, &json!({"country": "DE", "code": 2}));
    service.create(
        SHOPS,
        &json!({"name": "a", "country": "CH", "regionCode": 1}),
    );
    let second = json!({"name": "b", "country": "DE", "regionCode": 2, "owner_id": 1});
    service.create(SHOPS, &second);
    service.create("/api/1.0/desks", &json!({"shop_id": 1}));
    service
}

#[apply(every_database)]
fn dangling_composite_key_of_a_referenced_item_is_400_10031() {
    let service = shops();
    for change in [
        json!({"country": "DE"}),
        json!({"regionCode": 2}),
        json!({"country": "AT", "regionCode": 1}),
        json!({"country": "DE", "name": "c"}),
        json!({"id": 1, "regionCode": 2, "owner_id": 2}),
    ] {
        println!("{change}");
        assert_error(&service.put(FIRST, &change), 400, 10031)
            .naming(&["`country`", "`regionCode`", "Region"])
            .without("from_country")
            .without("in use")
            .in_lines(1);
    }
    assert_eq!(
        service.read(&format!("{SHOPS}?fields=name,country,regionCode&limit=1"))["items"],
        json!([{"name": "a", "country": "CH", "regionCode": 1}])
    );
    assert_no_content(&service.put(FIRST, &json!({"country": "DE", "regionCode": 2})));
}

#[apply(every_database)]
fn completed_dangling_key_is_named_alone() {
    let service = shops();
    assert_no_content(&service.put(FIRST, &json!({"from_country": "CH"})));
    assert_error(&service.put(FIRST, &json!({"from_code": 2})), 400, 10031)
        .naming(&["`from_country`", "`from_code`"])
        .without("regionCode")
        .in_lines(1);
    assert_no_content(&service.put(FIRST, &json!({"from_code": 1})));
}

#[apply(every_database)]
fn two_dangling_keys_are_two_lines() {
    let service = shops();
    assert_no_content(&service.put(FIRST, &json!({"from_country": "CH"})));
    let change = json!({"from_code": 2, "country": "DE"});
    assert_error(&service.put(FIRST, &change), 400, 10031)
        .naming(&["`country`", "`from_code`"])
        .in_lines(2);
}

#[apply(every_database)]
fn dangling_key_is_reported_before_10020() {
    let service = shops();
    service.create("/api/1.0/desks", &json!({"shop_id": 2, "shop_name": "a"}));
    let change = json!({"name": "c", "country": "DE"});
    assert_error(&service.put(FIRST, &change), 400, 10031).naming(&["`country`"]);
    assert_error(&service.put(FIRST, &json!({"name": "c"})), 400, 10020).naming(&["Desk"]);
    assert_error(&service.delete(FIRST), 400, 10020).naming(&["Desk", "Shop"]);
}
