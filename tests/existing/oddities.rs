//! Tables with names, types and constraints of every kind, served by the models that `cargo resource scaffold`
//! writes of them.

use resource_runtime::{Api, ApiBuilder};
use resource_tests::{
    Service, TestDatabase, apply, assert_created, assert_error, assert_no_content, every_database,
    responses_differ,
};
use serde_json::{Value, json};

use crate::fixtures::oddities;
use crate::models::oddities::{postgres, sqlite};
use crate::of_backend;
use crate::served::assert_served;

fn models() -> ApiBuilder {
    let register: fn(ApiBuilder) -> ApiBuilder =
        of_backend(sqlite::v1_0::register, postgres::v1_0::register);
    register(Api::builder())
}

#[apply(every_database)]
fn every_row_is_served_of_tables_that_stay_as_they_are() {
    responses_differ("the two databases have other tables");
    let folder = of_backend("oddities/sqlite", "oddities/postgres");
    assert_served(&oddities(), folder, models);
}

// The two databases have other tables, so their answers are not compared.

#[test]
fn odd_tables_of_sqlite_are_served() {
    let service = Service::start_on(&oddities(), |database| models().build(database));
    let user = json!({"e_mail": "cid@example.org", "password_hash": "z", "type": "power_user", "rating": "5.25"});
    let cid = assert_created(&service.post("/api/1.0/users", &user));
    let read = service.read(&cid);
    assert_eq!(read["rating"], "5.250");
    assert_eq!(
        (&read["is_active"], &read["shout"]),
        (&json!(true), &json!("POWER_USER"))
    );
    assert_eq!(
        (&read["password_hash"], &read["self_2"]),
        (&Value::Null, &Value::Null)
    );
    let twice = service.post("/api/1.0/users", &user);
    assert_error(&twice, 400, 10030).naming(&["e_mail"]);
    assert_error(&service.put(&cid, &json!({"rating": "5.5"})), 400, 10010);
    assert_error(&service.put(&cid, &json!({"shout": "x"})), 400, 10010);
    assert_no_content(&service.put(&cid, &json!({"ming_qian": "Cid", "column_11": "…"})));
    let option = json!({"region": "EU", "number": 1, "user": 1});
    assert_eq!(
        assert_created(&service.post("/api/1.0/options", &option)),
        "/api/1.0/options/EU,1"
    );
    let choice = json!({"code": "a", "region": "EU", "number": 1, "login": "ann@example.org"});
    let choice = assert_created(&service.post("/api/1.0/choices", &choice));
    assert_eq!(
        service.read(&format!("{choice}?fields=option2(user),login_user(type)")),
        json!({"option2": {"user": 1}, "login_user": {"type": "guest"}})
    );
    assert_no_content(&service.delete("/api/1.0/users/1"));
    assert_error(&service.get(&choice), 404, 10001);
    assert_eq!(service.read("/api/1.0/options/EU,1")["user"], Value::Null);
    assert_eq!(service.read("/api/1.0/ages/50")["users"], 1);
    let born = service
        .read("/api/1.0/users?filter=lt(born,\"2000-01-02\")&order=asc(born)&fields=born,wakes");
    assert_eq!(
        born["items"],
        json!([{"born": "2000-01-01", "wakes": null}])
    );
    for (collection, count) in [("active-users", 2), ("replaceds", 0), ("repeateds", 2)] {
        let path = format!("/api/1.0/{collection}");
        assert_eq!(service.read(&path)["totalItems"], count);
        assert_eq!(service.post(&path, &json!({})).status, 405);
    }
}

#[apply(every_database)]
fn a_column_is_part_of_several_references() {
    resource_tests::responses_differ("PostgreSQL names every check");
    let service = Service::start_on(&oddities(), |database| models().build(database));
    for number in [1, 2] {
        let account = json!({"tenant": 7, "number": number, "pin": 1234, "weight": 0.25});
        let account = assert_created(&service.post("/api/1.0/accounts", &account));
        assert_eq!(service.read(&account)["pin"], Value::Null);
    }
    // The model allows the bound itself, which the check of the table does not.
    let weightless = json!({"tenant": 7, "number": 3, "weight": 0});
    assert_error(&service.post("/api/1.0/accounts", &weightless), 400, 10010);
    let transfer = "INSERT INTO transfers (tenant, source, target_id) VALUES (7, 1, 2)";
    service.database().other_program().execute(transfer);
    let transfers = "/api/1.0/transfers";
    let page = service.read(&format!(
        "{transfers}?fields=source_account(number),target(number)"
    ));
    assert_eq!(
        page["items"],
        json!([{"source_account": {"number": 1}, "target": {"number": 2}}])
    );
    assert_error(&service.delete("/api/1.0/accounts/7,2"), 400, 10020).naming(&["Transfer"]);
    assert_no_content(&service.delete("/api/1.0/accounts/7,1"));
    assert_eq!(service.read(transfers)["totalItems"], 0);
}

#[test]
fn odd_tables_of_postgres_are_served() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let mut program = database.other_program();
    program.execute(include_str!("oddities/postgres.sql"));
    program.execute(
        "INSERT INTO \"Weird Accounts\" (\"Account.Id\", \"E-Mail\", password_hash, initials, state, country, price,
             lasts, fulltext, \"Größe (m²)\", mood)
         VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 'ann@example.org', 'x', 'AB', 'open', 'DE', 2.5, '1 day',
             'cat', 1.5, 'very happy');
         REFRESH MATERIALIZED VIEW ages",
    );
    let service = Service::start_on(&database, |database| {
        postgres::v1_0::register(Api::builder()).build(database)
    });
    let ann = "/api/1.0/weird-accounts/01890a5d-ac96-774b-bcce-b302099a8057";
    let read = service.read(ann);
    for (name, value) in [
        ("type", json!("SMALL")),
        ("mood", json!("very happy")),
        ("country", json!("DE")),
        ("price", json!("2.50")),
        ("total", json!("5.00")),
        ("lasts", json!("1 day")),
        ("settings", json!({})),
        ("serial_number", json!(3)),
        ("grosse_m2", json!(1.5)),
        ("password_hash", Value::Null),
    ] {
        assert_eq!(read[name], value, "{name}");
    }
    assert_eq!(
        service.post("/api/1.0/weird-accounts", &json!({})).status,
        405
    );
    assert_no_content(&service.put(
        ann,
        &json!({"type": "EXTRA_LARGE", "address": "::1", "initials": "XY"}),
    ));
    assert_error(
        &service.put(ann, &json!({"initials": "XYZXYZ"})),
        400,
        10010,
    );
    assert_error(&service.put(ann, &json!({"state": "lost"})), 400, 10010);
    let found = "/api/1.0/weird-accounts?filter=and(eq(type,\"EXTRA_LARGE\"),eq(address,\"::1/128\"))&fields=e_mail";
    assert_eq!(service.read(found)["totalItems"], 1);
    let account = "01890a5d-ac96-774b-bcce-b302099a8057";
    let option = json!({"region": "EU", "number": 1, "account": account, "current_size": "SMALL"});
    assert_created(&service.post("/api/1.0/options", &option));
    let choice = json!({"code": "a", "region": "EU", "number": 1, "login": "ann@example.org"});
    let choice = assert_created(&service.post("/api/1.0/choices", &choice));
    let expanded = format!("{choice}?fields=option2(current_size)");
    assert_eq!(
        service.read(&expanded),
        json!({"option2": {"current_size": "SMALL"}})
    );
    assert_no_content(&service.delete(ann));
    assert_error(&service.get(&choice), 404, 10001);
    assert_eq!(
        service.read("/api/1.0/options/EU,1")["account"],
        Value::Null
    );
    let measure = "/api/1.0/measures/1";
    let kept = json!({"made_at": "2024-01-02T03:04:05.678", "seen": "2024-01-02T03:04:05.678Z"});
    assert_no_content(&service.put(measure, &kept));
    for finer in [
        json!({"seen": "2024-01-02T03:04:05.6789Z"}),
        json!({"price": "$1.00"}),
        json!({"wakes": "03:04:05"}),
    ] {
        assert_error(&service.put(measure, &finer), 400, 10010);
    }
    assert_eq!(service.delete("/api/1.0/codes/1").status, 405);
    for (collection, count) in [("ages", 3), ("open-accounts", 2), ("repeateds", 2)] {
        let path = format!("/api/1.0/{collection}");
        assert_eq!(service.read(&path)["totalItems"], count);
        assert_eq!(service.post(&path, &json!({})).status, 405);
    }
}
