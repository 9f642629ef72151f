//! The tables of Django on PostgreSQL, served by the models that `cargo resource scaffold` writes of them.

use resource_runtime::{Api, ApiBuilder};
use resource_tests::{assert_created, assert_error, assert_no_content};
use serde_json::{Value, json};

use crate::fixtures::django;
use crate::models::django::postgres;
use crate::served::assert_served;

fn models() -> ApiBuilder {
    postgres::v1_0::register(Api::builder())
}

#[test]
fn tables_of_django_are_served_without_one_alter() {
    let Some(database) = django() else {
        return;
    };
    let (service, tolerable) = assert_served(&database, "django/postgres", models);
    let is_about_order = |it: &String| it.contains("serves no order by code point");
    assert!(tolerable.iter().all(is_about_order), "{tolerable:?}");
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
