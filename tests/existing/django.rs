//! The tables of Django on PostgreSQL, served by the models that `cargo resource scaffold` writes of them.

#[allow(
    clippy::struct_field_names,
    unreachable_pub,
    reason = "as it is written into the crate of a service"
)]
mod postgres;

use resource_runtime::{Api, ApiBuilder};
use resource_tests::{Service, assert_created, assert_error, assert_no_content};
use serde_json::{Value, json};

use crate::fixtures::django;
use crate::sentences;

fn models() -> ApiBuilder {
    postgres::v1_0::register(Api::builder())
}

const COLLECTIONS: [&str; 10] = [
    "auth-groups",
    "auth-group-permissions",
    "auth-permissions",
    "auth-users",
    "auth-user-groups",
    "django-admin-logs",
    "django-content-types",
    "shop-categories",
    "shop-products",
    "shop-profiles",
];

#[test]
fn tables_of_django_are_served_without_one_alter() {
    let Some(database) = django() else {
        return;
    };
    let (fatal, tolerable) = sentences(models(), &database);
    assert_eq!(fatal, Vec::<String>::new());
    let is_about_order = |it: &String| it.contains("serves no order by code point");
    assert!(tolerable.iter().all(is_about_order), "{tolerable:?}");
    let service = Service::start_on(&database, |database| models().build(database));
    for collection in COLLECTIONS {
        let path = format!("/api/1.0/{collection}");
        let list = service.read(&path);
        let items = list["items"].as_array().unwrap();
        assert!(!items.is_empty(), "{collection}");
        for item in items {
            let key = ["id", "slug", "user_id"].map(|name| &item[name]);
            let key = key.into_iter().find(|key| !key.is_null()).unwrap();
            let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            assert_eq!(service.read(&format!("{path}/{key}")), *item);
        }
    }
    let user = service.read("/api/1.0/auth-users/1");
    assert_eq!(
        (&user["date_joined"], &user["password"]),
        (&json!("2024-02-29T07:08:09.123456Z"), &Value::Null)
    );
    let found = "/api/1.0/shop-products?filter=eq(delivery,\"1 day 02:00:00\")&fields=price,tags,category(name)";
    let product = json!({"price": "12.50", "tags": ["iron"], "category": {"name": "Tools"}});
    assert_eq!(service.read(found)["items"], json!([product]));
    // Django's keys are deferred, and refuse at once all the same.
    let dangling = json!({"name": "x", "content_type_id": 99, "codename": "x"});
    assert_error(
        &service.post("/api/1.0/auth-permissions", &dangling),
        400,
        10031,
    );
    assert_error(
        &service.delete("/api/1.0/django-content-types/1"),
        400,
        10020,
    );
    let twice = json!({"name": "Editors"});
    assert_error(&service.post("/api/1.0/auth-groups", &twice), 400, 10030);
    let profile = json!({"user_id": 1, "phone": "1"});
    assert_error(
        &service.post("/api/1.0/shop-profiles", &profile),
        400,
        10030,
    );
    let created = service.post("/api/1.0/auth-groups", &json!({"name": "Readers"}));
    let path = assert_created(&created);
    assert_no_content(&service.put(&path, &json!({"name": "Guests"})));
    assert_no_content(&service.delete(&path));
}
