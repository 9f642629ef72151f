//! Users and notes of the address book: validated contacts, and passwords that no response reveals.

use resource_tests::{
    TestDatabase, apply, assert_created, assert_error, assert_no_content, every_database,
    responses_differ,
};
use serde_json::{Value, json};

use crate::address_book::AddressBook;

const USERS: &str = "/api/1.0/users";
const NOTES: &str = "/api/1.0/notes";
const SECRET: &str = "correct-horse-471147114711";

fn ann() -> Value {
    json!({
        "username": "ann",
        "email": "ann@example.org",
        "phone": "+4930123456",
        "password": SECRET,
    })
}

fn stored_password(database: &TestDatabase) -> String {
    let mut other = database.other_program();
    other.text("SELECT password FROM users")
}

#[apply(every_database)]
fn a_password_is_hashed_and_rehashed_only_on_change() {
    let database = TestDatabase::default();
    let book = AddressBook::start(&database);
    let path = book.client.create(USERS, &ann());
    let first = stored_password(&database);
    assert!(first.starts_with("$argon2id$"), "{first}");
    assert_no_content(&book.client.put(&path, &json!({"phone": null})));
    assert_eq!(stored_password(&database), first);
    assert_no_content(&book.client.put(&path, &json!({"password": SECRET})));
    let second = stored_password(&database);
    assert!(second.starts_with("$argon2id$") && second != first);
}

#[apply(every_database)]
fn two_invalid_contacts_are_two_lines_of_one_error() {
    let book = AddressBook::start(&TestDatabase::default());
    let mut user = ann();
    user["email"] = json!("ann");
    user["phone"] = json!("911");
    let answer = book.client.post(USERS, &user);
    assert_error(&answer, 400, 10010)
        .naming(&["`email`", "`phone`"])
        .in_lines(2);
    let path = book.client.create(USERS, &ann());
    assert_error(&book.client.put(&path, &json!({"email": ""})), 400, 10010).in_lines(1);
    assert_no_content(&book.client.put(&path, &json!({"username": "anna"})));
}

#[apply(every_database)]
fn no_response_or_log_line_reveals_a_password() {
    responses_differ("the tag of a note tells of the time at which it was created");
    let database = TestDatabase::default();
    let book = AddressBook::start(&database);
    let user = book.client.create(USERS, &ann());
    let note = json!({"title": "one", "author_id": 1});
    let note = book.client.create(NOTES, &note);
    let mut answers = Vec::new();
    for path in [
        user.clone(),
        format!("{user}?fields=password"),
        format!("{user}?fields=id,password,username"),
        format!("{USERS}?fields=password"),
        String::from(USERS),
        format!("{note}?fields=author"),
        format!("{note}?fields=author(password)"),
        format!("{NOTES}?fields=author(id,password),title"),
        String::from("/api/latest/users/1"),
    ] {
        let answer = book.client.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text().contains("password"), "{}", answer.text());
        answers.push(answer);
    }
    for (path, parameter, code) in [
        (USERS, "filter=like(password,%22%25%22)", 10060),
        (USERS, "filter=ne(password,null)", 10060),
        (NOTES, "filter=like(author.password,%22a%25%22)", 10060),
        (USERS, "order=asc(password)", 10061),
        (NOTES, "order=desc(author.password)", 10061),
    ] {
        let answer = book.client.get(&format!("{path}?{parameter}"));
        assert_error(&answer, 400, code).naming(&["`password` is not an attribute of User"]);
        let never = book
            .client
            .get(&format!("{path}?{parameter}").replace("password", "passwurd"));
        assert_eq!(answer.text(), never.text().replace("passwurd", "password"));
        answers.push(answer);
    }
    let mut user = ann();
    user["username"] = json!("bob");
    for wrong in [
        json!(471_147_114_711_i64),
        json!([SECRET]),
        json!({SECRET: SECRET}),
        json!(null),
    ] {
        user["password"] = wrong;
        answers.push(book.client.post(USERS, &user));
        answers.push(book.client.put("/api/1.0/users/1", &user));
    }
    let hash = stored_password(&database);
    for answer in &answers {
        for secret in [SECRET, "471147114711", &hash, "argon2"] {
            assert!(!answer.text().contains(secret), "{}", answer.text());
        }
    }
    let log = book.stopped();
    assert!(log.contains("/api/1.0/users"), "{log}");
    assert!(
        !log.contains("471147114711") && !log.contains("argon2"),
        "{log}"
    );
}

#[apply(every_database)]
fn a_note_has_its_author_and_creation_time() {
    responses_differ("the note contains the time of its creation");
    let book = AddressBook::start(&TestDatabase::default());
    book.client.create(USERS, &ann());
    let body = json!({"title": "one", "body": "text", "author_id": 1});
    let path = assert_created(&book.client.post(NOTES, &body));
    let note = book.client.read(&format!(
        "{path}?fields=title,body,created_at,author(username)"
    ));
    let created: chrono::DateTime<chrono::Utc> =
        note["created_at"].as_str().unwrap().parse().unwrap();
    let age = chrono::Utc::now() - created;
    assert!(age.num_seconds() < 60, "{note}");
    assert_eq!(note["author"], json!({"username": "ann"}));
    let given = json!({"title": "two", "created_at": "2020-01-01T00:00:00Z"});
    assert_error(&book.client.post(NOTES, &given), 400, 10010)
        .naming(&["`created_at` is read-only"]);
    let long = json!({"title": "x".repeat(121)});
    assert_error(&book.client.post(NOTES, &long), 400, 10010).naming(&["at most 120 characters"]);
    let nobody = json!({"title": "two", "author_id": 9});
    assert_error(&book.client.post(NOTES, &nobody), 400, 10031).naming(&["`author_id`"]);
    assert_error(&book.client.delete("/api/1.0/users/1"), 400, 10020).naming(&["Note"]);
}
