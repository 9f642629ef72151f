//! The format hook: cleared attributes reach no client on any path, and the hook sees every item completely.

use resource_runtime::{Api, ApiResource, Item, RequestContext, Validator};
use resource_tests::{Service, apply, assert_no_content, every_database};
use serde_json::{Value, json};

#[derive(Debug, ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0")]
#[resource(validator = Discreet, redacts(password, salary, phone))]
struct User {
    id: i64,
    name: String,
    password: String,
    salary: Option<i64>,
    phone: Option<String>,
    #[resource(write_only)]
    hint: Option<String>,
    #[resource(default = false)]
    is_public: bool,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(subresource(author = "author_id", reviewer = "reviewer_id"))]
struct Note {
    id: i64,
    title: String,
    #[resource(references = User)]
    author_id: i64,
    #[resource(references = User)]
    reviewer_id: Option<i64>,
}

#[derive(Debug, Default)]
struct Discreet;

impl Validator<User> for Discreet {
    fn format(&self, user: &mut Item<User>, _: &RequestContext) {
        user.clear(User::PASSWORD);
        if !user.is_public {
            user.clear(User::SALARY);
        }
        let masked = user.phone.as_deref().map(|phone| {
            let shown = phone.len().saturating_sub(3);
            format!("…{}", phone.get(shown..).unwrap_or_default())
        });
        user.set(User::PHONE, &masked);
        if user.hint.as_deref() == Some("erase my phone") {
            user.clear(User::PHONE);
        }
    }
}

const USERS: &str = "/api/1.0/users";
const NOTES: &str = "/api/1.0/notes";

fn notes() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<User>()
            .resource::<Note>()
            .build(database)
    });
    for user in [
        json!({"name": "Ann", "password": "ann-4711", "salary": 4711, "phone": "+4912345678"}),
        json!({"name": "Bob", "password": "bob-4711", "salary": 1000, "is_public": true}),
        json!({"name": "Cid", "password": "cid-4711", "phone": "+494711471", "hint": "erase my phone"}),
    ] {
        service.create(USERS, &user);
    }
    service.create(
        NOTES,
        &json!({"title": "one", "author_id": 1, "reviewer_id": 2}),
    );
    service.create(NOTES, &json!({"title": "two", "author_id": 2}));
    service.create(
        NOTES,
        &json!({"title": "three", "author_id": 3, "reviewer_id": 1}),
    );
    service
}

fn ann() -> Value {
    json!({"id": 1, "name": "Ann", "phone": "…678", "is_public": false})
}

fn bob() -> Value {
    json!({"id": 2, "name": "Bob", "salary": 1000, "phone": null, "is_public": true})
}

fn cid() -> Value {
    json!({"id": 3, "name": "Cid", "is_public": false})
}

#[apply(every_database)]
fn items_are_formatted() {
    let service = notes();
    assert_eq!(service.read("/api/1.0/users/1"), ann());
    assert_eq!(service.read("/api/1.0/users/2"), bob());
    assert_eq!(service.read("/api/1.0/users/3"), cid());
}

#[apply(every_database)]
fn lists_are_formatted() {
    let service = notes();
    assert_eq!(service.read(USERS)["items"], json!([ann(), bob(), cid()]));
}

#[apply(every_database)]
fn cleared_attributes_keep_the_order_of_the_others() {
    let service = notes();
    assert_eq!(
        service.get("/api/1.0/users/1").text(),
        r#"{"id":1,"name":"Ann","phone":"…678","is_public":false}"#
    );
    assert_eq!(
        service.get("/api/1.0/users/1?fields=password,name").text(),
        r#"{"name":"Ann"}"#
    );
    assert_eq!(service.get("/api/1.0/users/1?fields=password").text(), "{}");
}

#[apply(every_database)]
fn fields_do_not_restore_cleared_attributes() {
    let service = notes();
    let read = |query: &str| service.read(&format!("{USERS}?{query}"))["items"].clone();
    assert_eq!(
        read("fields=id,password,salary"),
        json!([{"id": 1}, {"id": 2, "salary": 1000}, {"id": 3}])
    );
    assert_eq!(read("fields=password"), json!([{}, {}, {}]));
    assert_eq!(
        read("fields=phone&order=desc(id)"),
        json!([{}, {"phone": null}, {"phone": "…678"}])
    );
}

#[apply(every_database)]
fn expanded_subresources_are_formatted_whatever_the_fields() {
    let service = notes();
    let read = |path: &str| service.read(path);
    assert_eq!(
        read("/api/1.0/notes/1?fields=author,reviewer"),
        json!({"author": ann(), "reviewer": bob()})
    );
    assert_eq!(
        read("/api/1.0/notes/1?fields=id,author(password)"),
        json!({"id": 1, "author": {}})
    );
    assert_eq!(
        read("/api/1.0/notes?fields=title,author(name,password,salary),reviewer(phone)")["items"],
        json!([
            {"title": "one", "author": {"name": "Ann"}, "reviewer": {"phone": null}},
            {"title": "two", "author": {"name": "Bob", "salary": 1000}, "reviewer": null},
            {"title": "three", "author": {"name": "Cid"}, "reviewer": {"phone": "…678"}},
        ])
    );
    assert_eq!(
        read("/api/1.0/notes?fields=author(phone)&order=desc(author.name)&limit=1")["items"],
        json!([{"author": {}}])
    );
    assert_eq!(
        read("/api/1.0/notes?fields=reviewer(password)")["items"],
        json!([{"reviewer": {}}, {"reviewer": null}, {"reviewer": {}}])
    );
}

#[apply(every_database)]
fn update_preserves_cleared_attributes() {
    let service = notes();
    assert_no_content(&service.put("/api/1.0/users/2", &json!({"name": "Robert"})));
    let mut other = service.database().other_program();
    let stored = other.text("SELECT name || ' ' || password FROM users WHERE id = 2");
    assert_eq!(stored, "Robert bob-4711");
}

#[derive(Debug, ApiResource)]
#[resource(name = "Team", url = "/teams", version = "1.0", collection(members = Member::TEAM_ID))]
struct Team {
    id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Member", url = "/members", version = "1.0")]
#[resource(validator = Initials, redacts(name, pin))]
struct Member {
    id: i64,
    #[resource(references = Team)]
    team_id: i64,
    name: String,
    pin: Option<i64>,
}

#[derive(Debug, Default)]
struct Initials;

impl Validator<Member> for Initials {
    fn format(&self, member: &mut Item<Member>, _: &RequestContext) {
        let initial = member.name.get(..1).unwrap_or_default().to_owned();
        member.set(Member::NAME, &initial);
        if member.pin == Some(4711) {
            member.clear(Member::PIN);
        }
    }
}

/// The hook sees the whole item of a collection, of which the response holds a part.
#[apply(every_database)]
fn the_items_of_a_collection_are_formatted_as_in_their_own_list() {
    let service = Service::start(|database| {
        let api = Api::builder().resource::<Team>();
        api.resource::<Member>().build(database)
    });
    service.create("/api/1.0/teams", &json!({}));
    service.create("/api/1.0/teams", &json!({}));
    for (name, pin) in [("Ann", 4711), ("Bob", 5)] {
        let member = json!({"team_id": 1, "name": name, "pin": pin});
        service.create("/api/1.0/members", &member);
    }
    for fields in ["name,pin", "id", "pin,team_id,id,name"] {
        let list = service.read(&format!("/api/1.0/members?fields={fields}"));
        let team = service.read(&format!("/api/1.0/teams/1?fields=members({fields})"));
        assert_eq!(team["members"]["items"], list["items"]);
        let empty = json!({"members": {"items": [], "next": null}});
        let page = service.read(&format!("/api/1.0/teams?fields=members({fields})"));
        assert_eq!(page, json!({"items": [team, empty], "totalItems": 2}));
    }
}
