//! Options of an attribute: names, `write_only`, `read_only` and defaults.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/user-accounts", version = "1.0")]
struct Account {
    #[resource(primary_key)]
    number: i64,
    #[resource(rename = "displayName", max_length = 5)]
    display_name: String,
    #[resource(column = "mail_address", unique)]
    mail: Option<String>,
    #[resource(write_only, min_length = 4)]
    password: String,
    #[resource(read_only)]
    locked_by: Option<String>,
    #[resource(default = "guest")]
    role: String,
    #[resource(default = 3, min = 0)]
    tries: i32,
    #[resource(default = true)]
    active: Option<bool>,
    r#type: Option<String>,
}

const ACCOUNTS: &str = "/api/1.0/user-accounts";

fn accounts() -> Service {
    Service::start(|database| Api::builder().resource::<Account>().build(database))
}

fn ann() -> Value {
    json!({"displayName": "Ann", "password": "secret"})
}

#[apply(every_database)]
fn an_item_has_renamed_attributes_and_defaults_but_no_write_only_attribute() {
    let service = accounts();
    let path = service.create(ACCOUNTS, &ann());
    assert_eq!(path, "/api/1.0/user-accounts/1");
    let item = r#"{"number":1,"displayName":"Ann","mail":null,"locked_by":null,"role":"guest","tries":3,"active":true,"type":null}"#;
    assert_eq!(service.get(&path).text(), item);
    assert_eq!(
        service.get(ACCOUNTS).text(),
        format!(r#"{{"items":[{item}],"totalItems":1}}"#)
    );
}

#[apply(every_database)]
fn a_primary_key_need_not_be_named_id() {
    let service = accounts();
    let path = service.create(ACCOUNTS, &ann());
    assert_no_content(&service.put(&path, &json!({"number": 1})));
    assert_error(&service.put(&path, &json!({"number": 2})), 400, 10010).naming(&["`number`"]);
    assert_error(
        &service.post(
            ACCOUNTS,
            &json!({"number": 2, "displayName": "Bob", "password": "secret"}),
        ),
        400,
        10010,
    )
    .naming(&["`number`"]);
}

#[apply(every_database)]
fn a_renamed_attribute_is_known_only_by_its_new_name() {
    let service = accounts();
    let answer = service.post(
        ACCOUNTS,
        &json!({"display_name": "Ann", "password": "secret"}),
    );
    assert_error(&answer, 400, 10010)
        .naming(&["`display_name`", "did you mean `displayName`"])
        .in_lines(2);
    let longer = json!({"displayName": "Annabel", "password": "secret"});
    assert_error(&service.post(ACCOUNTS, &longer), 400, 10010)
        .naming(&["`displayName`", "5"])
        .in_lines(1);
}

#[apply(every_database)]
fn a_column_name_never_appears_in_the_api() {
    let service = accounts();
    let body = json!({"displayName": "Ann", "password": "secret", "mail_address": "a@b.example"});
    assert_error(&service.post(ACCOUNTS, &body), 400, 10010).naming(&["`mail_address`"]);
    let body = json!({"displayName": "Ann", "password": "secret", "mail": "a@b.example"});
    service.create(ACCOUNTS, &body);
    assert_error(&service.post(ACCOUNTS, &body), 400, 10030)
        .naming(&["`mail`"])
        .without("mail_address");
}

#[apply(every_database)]
fn a_write_only_attribute_is_validated_and_stored() {
    let service = accounts();
    let path = service.create(ACCOUNTS, &ann());
    assert_error(&service.put(&path, &json!({"password": "abc"})), 400, 10010)
        .naming(&["`password`", "4"]);
    assert_no_content(&service.put(&path, &json!({"password": "abcd"})));
    assert_eq!(service.read(&path).get("password"), None);
    let mut other = service.database().other_program();
    assert_eq!(other.text("SELECT password FROM user_accounts"), "abcd");
}

#[apply(every_database)]
fn a_write_only_attribute_is_required_like_any_other() {
    let answer = accounts().post(ACCOUNTS, &json!({"displayName": "Ann"}));
    assert_error(&answer, 400, 10010)
        .naming(&["`password`"])
        .in_lines(1);
}

#[apply(every_database)]
fn the_value_of_a_write_only_attribute_is_not_repeated_in_a_message() {
    let service = accounts();
    let answer = service.post(ACCOUNTS, &json!({"displayName": "Ann", "password": "abc"}));
    assert_error(&answer, 400, 10010).without("abc");
    let answer = service.post(
        ACCOUNTS,
        &json!({"displayName": "Ann", "password": 987_654}),
    );
    assert_error(&answer, 400, 10010).without("987654");
}

#[apply(every_database)]
fn a_read_only_attribute_is_refused_in_bodies() {
    let service = accounts();
    let path = service.create(ACCOUNTS, &ann());
    for value in [json!("Bob"), json!(null)] {
        assert_error(
            &service.put(&path, &json!({"locked_by": value})),
            400,
            10010,
        )
        .naming(&["`locked_by`"])
        .in_lines(1);
        let body = json!({"displayName": "Bob", "password": "secret", "locked_by": value});
        assert_error(&service.post(ACCOUNTS, &body), 400, 10010)
            .naming(&["`locked_by`"])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn a_value_in_the_body_overrides_the_default_on_create() {
    let service = accounts();
    let mut body = ann();
    body["tries"] = json!(0);
    body["role"] = json!("admin");
    body["active"] = json!(null);
    let item = service.read(&service.create(ACCOUNTS, &body));
    assert_eq!(
        (&item["tries"], &item["role"], &item["active"]),
        (&json!(0), &json!("admin"), &Value::Null)
    );
}

#[apply(every_database)]
fn null_for_a_required_attribute_with_a_default_is_400_10010() {
    let mut body = ann();
    body["role"] = json!(null);
    assert_error(&accounts().post(ACCOUNTS, &body), 400, 10010)
        .naming(&["`role`"])
        .in_lines(1);
}

#[apply(every_database)]
fn defaults_do_not_apply_on_update() {
    let service = accounts();
    let path = service.create(ACCOUNTS, &ann());
    assert_no_content(&service.put(
        &path,
        &json!({"role": "admin", "tries": 9, "active": false}),
    ));
    assert_no_content(&service.put(&path, &json!({"displayName": "Bob"})));
    let item = service.read(&path);
    assert_eq!(
        (&item["role"], &item["tries"], &item["active"]),
        (&json!("admin"), &json!(9), &json!(false))
    );
}

#[apply(every_database)]
fn a_raw_identifier_is_an_attribute_without_the_r_prefix() {
    let service = accounts();
    let mut body = ann();
    body["type"] = json!("person");
    assert_eq!(
        service.read(&service.create(ACCOUNTS, &body))["type"],
        "person"
    );
}
