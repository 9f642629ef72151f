//! A shop that lends films, with what the well-known sample of PostgreSQL has and what such databases may have besides,
//! served by the models that `cargo resource scaffold` writes of it.

use resource_runtime::{Api, ApiBuilder};
use resource_tests::{Service, assert_created, assert_error, assert_no_content};
use serde_json::json;

use crate::fixtures::pagila;
use crate::least_privilege::as_role;
use crate::models::pagila::postgres;
use crate::sentences;
use crate::served::assert_served;

fn models() -> ApiBuilder {
    postgres::v1_0::register(Api::builder())
}

#[test]
fn every_row_is_served_of_tables_that_stay_as_they_are() {
    let Some(database) = pagila() else {
        return;
    };
    let (service, _) = assert_served(&database, "pagila/postgres", models);
    for (path, count) in [
        ("films?filter=eq(rating,\"PG-13\")", 2),
        ("films?filter=eq(language.name,\"Italian\")", 2),
        ("staffs?filter=eq(email,\"Mike@example.org\")", 1),
        ("staffs?filter=eq(email,\"mike@example.org\")", 0),
        ("shifts?filter=eq(lasts,\"1 day 02:03:04\")", 1),
        ("stores?filter=eq(deposit,\"-0.01\")", 1),
        ("role-names?filter=eq(film_actor.actor_id,1)", 2),
        ("rental-by-categories?filter=gt(rentals,0)", 5),
    ] {
        let list = service.read(&format!("/api/1.0/{path}"));
        assert_eq!(list["totalItems"], count, "{path}");
    }
}

#[test]
fn writes_are_refused_as_the_tables_refuse_them() {
    let Some(database) = pagila() else {
        return;
    };
    let service = Service::start_on(&database, |database| models().build(database));
    let staff = json!({"first_name": "A", "last_name": "B", "address_id": 1, "store_id": 1, "username": "ab"});
    let with = |name: &str, value: &str| {
        let mut staff = staff.clone();
        staff[name] = json!(value);
        staff
    };
    for (collection, item, code) in [
        // By a trigger that drops the row, one that raises, a missing partition, and a type that takes no such text.
        ("categories", json!({"name": ""}), 10010),
        (
            "rentals",
            json!({"rental_date": "2022-05-01T00:00:00Z", "return_date": "2022-04-01T00:00:00Z", "inventory_id": 1,
                   "customer_id": 1, "staff_id": 1}),
            10010,
        ),
        (
            "receipts",
            json!({"store_id": 3, "receipt_id": 1, "amount": "1"}),
            10010,
        ),
        (
            "shifts",
            json!({"begins": "00:00:00", "lasts": "long"}),
            10010,
        ),
        // By a collation in which different texts are equal, and by an index of some rows, which no model has.
        ("staffs", with("email", "MIKE@example.org"), 10030),
        (
            "customers",
            json!({"store_id": 1, "first_name": "A", "last_name": "B", "email": "1@example.org", "address_id": 1}),
            10030,
        ),
        // By foreign keys: of two columns, deferred, and of two that no model has.
        (
            "role-names",
            json!({"actor_id": 1, "film_id": 4, "name": "x"}),
            10031,
        ),
        (
            "stores",
            json!({"manager_staff_id": 99, "address_id": 1}),
            10031,
        ),
        (
            "shifts",
            json!({"country": "XX", "begins": "00:00:00", "lasts": "1 h"}),
            10031,
        ),
        (
            "complaints",
            json!({"complaint_id": 9, "about": "none", "body": "x"}),
            10031,
        ),
    ] {
        assert_error(
            &service.post(&format!("/api/1.0/{collection}"), &item),
            400,
            code,
        );
    }
    let film = "/api/1.0/films/1";
    assert_error(
        &service.put(film, &json!({"release_year": 1800})),
        400,
        10010,
    );
    assert_error(&service.delete(film), 400, 10020);
    assert_error(&service.delete("/api/1.0/promotions/HALF"), 400, 10020);
    let changed = json!({"release_year": 1999, "rating": "NC-17", "rental_rate": "1"});
    assert_no_content(&service.put(film, &changed));
    assert_eq!(service.read(film)["rental_rate"], "1.00");
    let created = service.post("/api/1.0/staffs", &with("password", "never shown"));
    let path = assert_created(&created);
    assert_eq!(service.read(&path)["full_name"], "A B");
    let receipt = json!({"store_id": 2, "receipt_id": 99, "amount": "1"});
    let created = service.post("/api/1.0/receipts", &receipt);
    assert_eq!(assert_created(&created), "/api/1.0/receipts/2,99");
    let mut store = json!({"manager_staff_id": 3, "address_id": 1});
    let path = assert_created(&service.post("/api/1.0/stores", &store));
    assert_eq!(service.read(&path)["deposit"], "$0.00");
    store["deposit"] = json!("7.505");
    assert_error(&service.put(&path, &store), 400, 10010);
}

#[test]
fn policies_that_read_settings_are_fatal_for_a_role_that_they_bind() {
    let Some(database) = pagila() else {
        return;
    };
    let mut program = database.other_program();
    let schema = program.text("SELECT current_schema()::text");
    let role = format!("{schema}_clerk");
    program.execute(&format!(
        "CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {schema} TO {role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role};
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}"
    ));
    let of_role = as_role(&database, &role);
    let (fatal, _) = sentences(models(), &of_role);
    program.execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
    let [sentence] = &*fatal else {
        panic!("{fatal:?}");
    };
    let start = "policies of the table `tip` read settings of the session";
    assert!(sentence.starts_with(start), "{sentence}");
}
