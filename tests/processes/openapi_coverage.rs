//! All that the address book is said to have it has: every status and code of every operation, every
//! parameter, every member of every item.

use resource_tests::{TestDatabase, answers_differ, apply, every_database};
use serde_json::{Value, json};

use crate::address_book::AddressBook;
use crate::exercise::{Asking, OPERATIONS, is_of_the_moment, rule};

/// A collection and an item of it.
fn collections() -> [(&'static str, Value); 5] {
    [
        ("addresses", json!({"line1": "1 High Street"})),
        ("settings", json!({"name": "theme", "value": "dark"})),
        ("persons", json!({"bill_address_id": 1})),
        (
            "users",
            json!({"username": "ann", "email": "ann@example.org", "password": "four words of hers"}),
        ),
        ("notes", json!({"title": "First", "author_id": 1})),
    ]
}

/// A formatter may leave any member that it redacts as it is: that of users does not. The index asks
/// nothing that could fail, and what is no HTTP is answered before it is known to be for the index.
const NOT_HAD: [&str; 3] = ["GET /api/1.0 400", "GET /api/1.0 500", "User.password"];

fn refusals(book: Asking<'_>) {
    let people = [
        ("persons", json!({"bill_address_id": 7})),
        ("notes", json!({"title": "Second", "author_id": 7})),
    ];
    for (collection, body) in people {
        let path = format!("/api/1.0/{collection}");
        let body = body.to_string();
        book.refused("POST", &path, &body, 400, Some(10031));
        book.refused("PUT", &format!("{path}/1"), &body, 400, Some(10031));
    }
    book.refused("DELETE", "/api/1.0/addresses/1", "", 400, Some(10020));
    book.refused("DELETE", "/api/1.0/users/1", "", 400, Some(10020));
}

/// A second item takes the name of the first.
fn unique(book: Asking<'_>, collection: &str, item: &Value, named: &str) {
    let path = format!("/api/1.0/{collection}");
    book.refused("POST", &path, &item.to_string(), 400, Some(10030));
    let mut other = item.clone();
    other[named] = json!("other");
    let other = book.client.create(&path, &other);
    let taken = json!({named: item[named]}).to_string();
    book.refused("PUT", &other, &taken, 400, Some(10030));
}

#[apply(every_database)]
fn all_that_the_address_book_is_said_to_have_is_had() {
    answers_differ("notes tell when they were written");
    let database = TestDatabase::default();
    let book = AddressBook::start(&database);
    let client = &book.client;
    let asking = Asking {
        client,
        authorization: None,
    };
    asking.index("/api/1.0");
    for (collection, item) in collections() {
        asking.exercise(&format!("/api/1.0/{collection}"), &item);
    }
    let [_, (settings, setting), _, (users, user), _] = collections();
    unique(asking, settings, &setting, "name");
    unique(asking, users, &user, "username");
    refusals(asking);
    let expanded = "bill_address,ship_address,mail_address";
    client.read(&format!("/api/1.0/persons?fields={expanded}"));
    client.read("/api/1.0/notes/1?fields=author");
    for (collection, item) in collections().iter().rev() {
        let path = format!("/api/1.0/{collection}");
        let mut other = database.other_program();
        let [begins, ends] = rule(collection);
        other.execute(&begins);
        asking.refused("DELETE", &format!("{path}/1"), "", 400, Some(10010));
        other.execute(&ends);
        asking.refused("DELETE", &format!("{path}/1"), "", 204, None);
        other.execute(&format!("DROP TABLE {collection}"));
        for operation in OPERATIONS {
            assert_eq!(asking.operate(operation, &path, item).status, 500);
        }
    }
    let mut not_had = client.not_had("1.0");
    not_had.retain(|line| !is_of_the_moment(line));
    assert_eq!(not_had, NOT_HAD);
}
