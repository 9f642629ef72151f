//! Versions that share a table: no version reveals what another hides, and validators can read every item.

use resource_runtime::{
    Api, ApiBuilder, ApiResource, Database, FieldValue, Item, RequestContext, Validator,
};
use resource_tests::{Service, TestDatabase, apply, block_on, every_database};
use serde_json::json;

#[derive(Debug, Default)]
struct Check;

impl<R: ApiResource> Validator<R> for Check {}

#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "1.0")]
#[resource(validator = Check, redacts(password))]
struct One {
    id: i64,
    password: Option<String>,
    #[resource(write_only)]
    token: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "2.0")]
struct TellsPassword {
    id: i64,
    password: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Token", url = "/tokens", version = "1.0", table = "accounts")]
struct TellsToken {
    id: i64,
    token: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "2.0")]
struct HidesOtherwise {
    id: i64,
    #[resource(write_only)]
    password: Option<String>,
}

#[derive(Debug, FieldValue)]
enum Few {
    A,
    B,
}

#[derive(Debug, FieldValue)]
enum Many {
    A,
    B,
    C,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Document", url = "/documents", version = "1.0")]
#[resource(validator = Check)]
struct Narrow {
    id: i64,
    #[resource(default = "x")]
    name: String,
    #[resource(default = Few::A)]
    kind: Few,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Document", url = "/documents", version = "2.0")]
struct WithNull {
    id: i64,
    name: Option<String>,
    #[resource(default = Few::B)]
    kind: Few,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Document", url = "/documents", version = "2.0")]
struct WithMore {
    id: i64,
    #[resource(default = Many::C)]
    kind: Many,
    #[resource(default = Many::B)]
    other: Many,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Document", url = "/documents", version = "2.0")]
struct WithAny {
    id: i64,
    kind: String,
    #[resource(default = Many::A)]
    other: Many,
}

#[track_caller]
fn mistake(builder: ApiBuilder) -> String {
    let file = TestDatabase::default();
    let database = block_on(Database::connect(&file.url())).unwrap();
    builder.build(database).unwrap_err().to_string()
}

#[apply(every_database)]
fn version_that_reveals_a_hidden_attribute_is_refused() {
    for (builder, telling, hiding) in [
        (
            Api::builder().resource::<One>().resource::<TellsPassword>(),
            "TellsPassword.password",
            "One.password",
        ),
        (
            Api::builder().resource::<TellsToken>().resource::<One>(),
            "TellsToken.token",
            "One.token",
        ),
    ] {
        let mistake = mistake(builder);
        assert!(
            mistake.contains(&format!("{telling}` tells what")),
            "{mistake}"
        );
        assert!(mistake.contains(&format!("{hiding}` hides")), "{mistake}");
    }
    drop(Service::start(|database| {
        Api::builder()
            .resource::<One>()
            .resource::<HidesOtherwise>()
            .build(database)
    }));
}

#[apply(every_database)]
fn validator_that_cannot_read_every_item_is_refused() {
    for (builder, what) in [
        (
            Api::builder().resource::<Narrow>().resource::<WithNull>(),
            "WithNull.name` is null",
        ),
        (
            Api::builder().resource::<WithMore>().resource::<Narrow>(),
            "WithMore.kind` is `C`",
        ),
        (
            Api::builder().resource::<Narrow>().resource::<WithAny>(),
            "WithAny.kind` is any text",
        ),
    ] {
        let mistake = mistake(builder);
        assert!(mistake.contains("Narrow` has a validator"), "{mistake}");
        assert!(mistake.contains(what), "{mistake}");
    }
}

/// A struct of the same version as the registered one, with other fields and a validator of its own.
#[derive(Debug, ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0")]
#[resource(validator = Clear, redacts(password))]
struct View {
    id: i64,
    password: String,
    name: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0")]
#[resource(validator = Check, redacts(password))]
struct User {
    id: i64,
    name: String,
    password: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(subresource(author = "author_id"))]
struct Note {
    id: i64,
    #[resource(references = View)]
    author_id: i64,
}

#[derive(Debug, Default)]
struct Clear;

impl Validator<View> for Clear {
    fn format(&self, user: &mut Item<View>, _: &RequestContext) {
        user.clear(View::PASSWORD);
    }
}

#[apply(every_database)]
fn expanded_type_uses_its_own_format_hook() {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<User>()
            .resource::<Note>()
            .build(database)
    });
    service.create(
        "/api/1.0/users",
        &json!({"name": "Ann", "password": "4711"}),
    );
    service.create("/api/1.0/notes", &json!({"author_id": 1}));
    assert_eq!(
        service.read("/api/1.0/notes/1?fields=author"),
        json!({"author": {"id": 1, "name": "Ann"}})
    );
}
