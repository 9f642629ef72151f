//! Two processes on one database, and 32 clients at once.

use std::thread;

use resource_tests::{
    Client, TestDatabase, apply, assert_no_content, every_database, responses_differ,
};
use serde_json::{Value, json};

use crate::address_book::{AddressBook, Starting, command};

const CLIENTS: usize = 32;
const ROUNDS: usize = 15;
const ATTRIBUTES: [&str; 8] = [
    "line1", "line2", "line3", "line4", "line5", "line6", "city", "country",
];

/// Two processes that are started concurrently on one new database.
fn start_both() -> [AddressBook; 2] {
    let database = TestDatabase::default();
    let starting = [(); 2].map(|()| AddressBook::spawn(command(&database), &database));
    starting.map(Starting::listening)
}

#[apply(every_database)]
fn two_processes_that_start_concurrently_on_a_new_database_both_work() {
    for _ in 0..5 {
        let [first, second] = start_both();
        let path = first
            .client
            .create("/api/1.0/settings", &json!({"name": "first", "value": "v"}));
        assert_eq!(second.client.read(&path)["name"], "first");
        let path = second.client.create(
            "/api/1.0/settings",
            &json!({"name": "second", "value": "v"}),
        );
        assert_eq!(first.client.read(&path)["name"], "second");
        assert_eq!(
            first.client.read("/api/1.0/settings"),
            second.client.read("/api/1.0/settings")
        );
    }
}

/// Path of the address that a client shares with seven others, and the attribute that is its own.
fn shared_part(client: usize) -> (String, &'static str) {
    let row = client / ATTRIBUTES.len() + 1;
    (
        format!("/api/1.0/addresses/{row}"),
        ATTRIBUTES[client % ATTRIBUTES.len()],
    )
}

/// Creates a setting, then changes it and the client's attribute of the shared address in turn.
fn write(number: usize, client: &Client) {
    let (shared, attribute) = shared_part(number);
    let own = client.create(
        "/api/1.0/settings",
        &json!({"name": number.to_string(), "value": "0"}),
    );
    for round in 1..=ROUNDS {
        let value = format!("{number}/{round}");
        assert_no_content(&client.put(&own, &json!({"value": value})));
        assert_no_content(&client.put(&shared, &json!({attribute: value})));
        assert_eq!(client.read(&own)["value"], value);
        assert_eq!(client.read(&shared)[attribute], value);
    }
}

fn write_concurrently<'a>(client_of: impl Fn(usize) -> &'a Client) {
    for _ in 0..CLIENTS / ATTRIBUTES.len() {
        client_of(0).create("/api/1.0/addresses", &json!({"line1": ""}));
    }
    thread::scope(|scope| {
        for number in 0..CLIENTS {
            let client = client_of(number);
            scope.spawn(move || write(number, client));
        }
    });
}

#[track_caller]
fn assert_nothing_lost(client: &Client) {
    let page = client.read("/api/1.0/settings?limit=1000");
    assert_eq!(page["totalItems"], CLIENTS);
    for item in page["items"].as_array().unwrap() {
        assert_eq!(
            item["value"],
            format!("{}/{ROUNDS}", item["name"].as_str().unwrap())
        );
    }
    for number in 0..CLIENTS {
        let (shared, attribute) = shared_part(number);
        assert_eq!(
            client.read(&shared)[attribute],
            Value::from(format!("{number}/{ROUNDS}"))
        );
    }
}

#[apply(every_database)]
fn thirty_two_clients_lose_no_update() {
    responses_differ("the clients run in no fixed order");
    let book = AddressBook::start(&TestDatabase::default());
    write_concurrently(|_| &book.client);
    assert_nothing_lost(&book.client);
}

#[apply(every_database)]
fn thirty_two_clients_of_two_processes_lose_no_update() {
    responses_differ("the clients run in no fixed order");
    let books = start_both();
    write_concurrently(|number| &books[number % 2].client);
    assert_nothing_lost(&books[0].client);
    assert_nothing_lost(&books[1].client);
}

const ITEMS: u64 = 60;

/// The total of a full page, which the service cannot derive from the number of its rows.
fn total(client: &Client) -> u64 {
    let page = client.read("/api/1.0/settings?limit=1&fields=id");
    assert_eq!(page["items"].as_array().map(Vec::len), Some(1), "{page}");
    page["totalItems"].as_u64().expect("a number")
}

#[apply(every_database)]
fn totals_are_exact_after_writes_of_either_process() {
    let [first, second] = start_both();
    let create = |client: &Client, number: u64| {
        let body = json!({"name": number.to_string(), "value": ""});
        client.create("/api/1.0/settings", &body)
    };
    create(&first.client, 1);
    for number in 2..=ITEMS {
        let writer = [&first, &second][usize::from(number % 3 == 0)];
        let path = create(&writer.client, number);
        for reader in [&first, &second] {
            assert_eq!(total(&reader.client), number);
            assert_eq!(total(&reader.client), number);
        }
        assert_no_content(&writer.client.delete(&path));
        assert_eq!(total(&second.client), number - 1);
        create(&writer.client, number);
    }
}
