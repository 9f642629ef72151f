//! Redacted attributes: unknown to filters and orders, so that no response reveals their values.

use resource_runtime::{Api, ApiResource, Item, RequestContext, Validator};
use resource_tests::{Service, apply, assert_error, every_database};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0")]
#[resource(validator = Discreet, redacts(password, pin))]
struct User {
    id: i64,
    name: String,
    password: String,
    pin: Option<i32>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(subresource(author = "author_id"))]
struct Note {
    id: i64,
    #[resource(references = User)]
    author_id: Option<i64>,
}

#[derive(Debug, Default)]
struct Discreet;

impl Validator<User> for Discreet {
    fn format(&self, user: &mut Item<User>, _: &RequestContext) {
        user.clear(User::PASSWORD);
        user.clear(User::PIN);
    }
}

fn users() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<User>()
            .resource::<Note>()
            .build(database)
    });
    let user = json!({"name": "Ann", "password": "ann-4711", "pin": 4711});
    service.create("/api/1.0/users", &user);
    service.create("/api/1.0/notes", &json!({"author_id": 1}));
    service
}

/// Asserts the same response for the redacted and an undeclared name.
#[track_caller]
fn assert_unknown(path: &str, names: (&str, &str)) {
    let service = users();
    let (redacted, never) = names;
    let code = if path.contains("order=") {
        10061
    } else {
        10060
    };
    let answer = |name: &str| {
        let answer = service.get(&path.replace('_', name));
        assert_error(&answer, 400, code)
            .naming(&[&format!("`{name}` is not an attribute of User")]);
        answer.text().replace(redacted, never)
    };
    assert_eq!(answer(redacted), answer(never), "{path}");
}

#[apply(every_database)]
fn redacted_attribute_is_unknown_to_filters() {
    for path in [
        "/api/1.0/users?filter=eq(_,%22ann-4711%22)",
        "/api/1.0/users?filter=like(_,%22a%25%22)",
        "/api/1.0/users?filter=ne(_,null)",
        "/api/1.0/users?filter=in(_,[])",
        "/api/1.0/users?filter=not(gt(_,%22a%22))",
        "/api/1.0/users?limit=0&filter=ge(_,%22a%22)",
        "/api/1.0/notes?filter=like(author._,%22a%25%22)",
        "/api/1.0/notes?filter=or(eq(id,1),eq(author._,%22ann-4711%22))",
    ] {
        assert_unknown(path, ("password", "passwurd"));
    }
    assert_unknown("/api/1.0/users?filter=eq(_,4711)", ("pin", "pxn"));
}

#[apply(every_database)]
fn redacted_attribute_is_unknown_to_orders() {
    for path in [
        "/api/1.0/users?order=asc(_)",
        "/api/1.0/users?order=desc(name),desc(_)",
        "/api/1.0/notes?order=asc(author._)",
    ] {
        assert_unknown(path, ("password", "passwurd"));
    }
}

#[apply(every_database)]
fn errors_of_bodies_do_not_repeat_redacted_values() {
    let service = users();
    let body = json!({"name": "Bob", "password": 4711, "pin": 99_999_999_999_i64});
    assert_error(&service.post("/api/1.0/users", &body), 400, 10010)
        .naming(&[
            "`password` must be a string, not a number",
            "`pin` must be an integer",
        ])
        .without("4711")
        .without("99999999999");
}
