//! Owners of other types than text, and by other claims than the subject.

use resource_runtime::{ApiBuilder, ApiResource};
use resource_tests::{apply, assert_error, assert_no_content, every_database, watch};
use serde_json::{Value, json};
use uuid::Uuid;

use super::guarded_service::Guarded;

#[derive(ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0")]
#[resource(
    scopes(read = "read", write = "write"),
    owner(field = "holder", claim = "employee")
)]
struct Ticket {
    id: i64,
    holder: i16,
}

#[derive(ApiResource)]
#[resource(name = "Device", url = "/devices", version = "1.0")]
#[resource(
    scopes(read = "read", write = "write"),
    owner(field = "user", bypass = "admin")
)]
struct Device {
    id: i64,
    #[resource(read_only)]
    user: Option<Uuid>,
}

fn serve() -> Guarded {
    Guarded::serve(|builder| builder.resource::<Ticket>().resource::<Device>())
}

fn employee(number: &Value) -> Value {
    json!({"sub": "ann", "scope": "read write", "employee": number})
}

#[apply(every_database)]
fn integer_owner_is_matched_by_number_and_by_text() {
    let guarded = serve();
    let (number, text) = (employee(&json!(7)), employee(&json!("7")));
    let path = guarded
        .bearer(&number)
        .create("/api/1.0/tickets", &json!({}));
    assert_eq!(
        guarded.bearer(&text).read(&path),
        json!({"id": 1, "holder": 7})
    );
    let other = guarded.bearer(&employee(&json!(8)));
    assert_error(&other.get(&path), 404, 10001);
    assert_eq!(other.finds("/api/1.0/tickets", ""), 0);
}

/// A token whose owner claim does not fit the attribute is refused on every operation.
#[apply(every_database)]
fn owner_claim_of_another_type_is_403_12110_and_logged() {
    let guarded = serve();
    let path = guarded
        .bearer(&employee(&json!(7)))
        .create("/api/1.0/tickets", &json!({}));
    let log = watch::keep();
    for claim in [
        json!("07"),
        json!("7.0"),
        json!(7.5),
        json!("ann"),
        json!(70_000),
        json!([7]),
        json!({}),
        json!(true),
        json!(""),
    ] {
        let unfit = guarded.bearer(&employee(&claim));
        for answer in [
            unfit.get("/api/1.0/tickets"),
            unfit.get(&path),
            unfit.post("/api/1.0/tickets", &json!({})),
            unfit.put(&path, &json!({})),
            unfit.delete(&path),
        ] {
            assert_error(&answer, 403, 12110).naming(&["`employee`"]);
        }
    }
    let text = log.text();
    let lines = text.lines().filter(|line| line.starts_with("WARN"));
    let mut lines = lines.filter(|line| line.contains("employee") && line.contains("an integer"));
    assert!(
        lines.next().is_some_and(|line| line.contains("Ticket")),
        "{text}"
    );
}

/// A client that acts on its own behalf owns by any claim but that of users.
#[apply(every_database)]
fn client_owns_by_another_claim_than_the_subject() {
    let guarded = serve();
    let tickets = "/api/1.0/tickets";
    let mut client = employee(&json!(7));
    client["sub"] = json!("app");
    let machine = guarded.bearer(&client);
    let path = machine.create(tickets, &json!({}));
    assert_eq!(machine.read(&path)["holder"], 7);
    assert_eq!(guarded.bearer(&employee(&json!(7))).finds(tickets, ""), 1);
    client["employee"] = json!(8);
    let other = guarded.bearer(&client);
    assert_error(&other.get(&path), 404, 10001);
    assert_error(&other.delete(&path), 404, 10001);
    assert_eq!(other.finds(tickets, ""), 0);
    client["employee"] = Value::Null;
    let nobody = guarded.bearer(&client);
    assert_eq!(nobody.finds(tickets, ""), 0);
    assert_error(&nobody.get(&path), 404, 10001);
    assert_error(&nobody.post(tickets, &json!({})), 403, 12110).naming(&["`employee`"]);
    assert_no_content(&machine.delete(&path));
}

#[derive(ApiResource)]
#[resource(name = "Tick", url = "/ticks", version = "1.0")]
#[resource(
    scopes(read = "read", write = "write"),
    owner(field = "holder", claim = "employee")
)]
struct Tick {
    id: i64,
    holder: String,
}

#[apply(every_database)]
fn ambiguous_owner_claims_are_403() {
    let guarded = Guarded::serve(ApiBuilder::resource::<Tick>);
    let ticks = "/api/1.0/ticks";
    // Read as doubles, both would be the same.
    for digits in ["100000000000000000001", "100000000000000000002"] {
        let number: Value = serde_json::from_str(digits).unwrap();
        let answer = guarded.bearer(&employee(&number)).post(ticks, &json!({}));
        assert_error(&answer, 403, 12110).naming(&["`employee`"]);
    }
    for claim in [
        json!(7),
        json!(u64::MAX),
        json!(1.0),
        json!(-0.0),
        json!(1e3),
        json!(" "),
        json!("\u{a0}\t"),
    ] {
        let nobody = guarded.bearer(&employee(&claim));
        assert_error(&nobody.post(ticks, &json!({})), 403, 12110);
        assert_error(&nobody.get(ticks), 403, 12110);
    }
    for claim in [" ann", "ann", "7"] {
        let someone = guarded.bearer(&employee(&json!(claim)));
        let path = someone.create(ticks, &json!({}));
        assert_eq!(someone.read(&path)["holder"], claim);
        assert_eq!(someone.finds(ticks, ""), 1, "{claim}");
    }
    // A blank subject names nobody either.
    for subject in [" ", "\u{a0}"] {
        let claims = json!({"sub": subject, "scope": "read write", "employee": "ann"});
        assert_error(&guarded.bearer(&claims).get(ticks), 401, 12100);
    }
}

#[apply(every_database)]
fn uuid_owner_is_matched_in_any_case() {
    let guarded = serve();
    let user = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let ann = guarded.user(user, "read write");
    let path = ann.create("/api/1.0/devices", &json!({}));
    assert_eq!(ann.read(&path), json!({"id": 1, "user": user}));
    let shouting = guarded.user(&user.to_uppercase(), "read write");
    assert_eq!(shouting.finds("/api/1.0/devices", ""), 1);
    let other = guarded.user("67e55044-10b1-426f-9247-bb680e5fe0c9", "read write");
    assert_error(&other.get(&path), 404, 10001);
    assert_eq!(other.finds("/api/1.0/devices", ""), 0);
    let unfit = guarded.user("ann", "read write");
    assert_error(&unfit.get(&path), 403, 12110).naming(&["`sub`"]);
    assert_error(&unfit.get("/api/1.0/devices"), 403, 12110);
    // Callers who bypass the rule need no claim.
    let free = guarded.user("ann", "read write admin");
    assert_eq!(free.finds("/api/1.0/devices", ""), 1);
}

#[apply(every_database)]
fn read_only_owner_is_set_by_the_service_alone() {
    let guarded = serve();
    let user = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let admin = guarded.user(user, "read write admin");
    let answer = admin.post("/api/1.0/devices", &json!({"user": user}));
    assert_error(&answer, 400, 10010).naming(&["`user` is read-only"]);
    // The item has no owner, as its creator is no user.
    let client = guarded.client("read write admin");
    let path = client.create("/api/1.0/devices", &json!({}));
    assert_eq!(client.read(&path)["user"], Value::Null);
    assert_error(&guarded.user(user, "read").get(&path), 404, 10001);
}
