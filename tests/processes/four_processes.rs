//! Four processes on one PostgreSQL database, and 64 clients at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use resource_tests::{Answer, Client, TestDatabase, assert_error};
use serde_json::{Value, json};

use crate::address_book::{AddressBook, Starting, command};

const INSTANCES: usize = 4;
const CLIENTS: usize = 64;

/// Attributes of a shared address; each client changes its own.
const ATTRIBUTES: [&str; 8] = [
    "line1", "line2", "line3", "line4", "line5", "line6", "city", "country",
];

/// The time for which the clients write: `INSTANCES_SECONDS`, by default two seconds.
fn duration() -> Duration {
    let seconds = std::env::var("INSTANCES_SECONDS").ok();
    let seconds = seconds.map_or(2, |text| {
        text.parse().expect("INSTANCES_SECONDS is a number")
    });
    Duration::from_secs(seconds)
}

/// State that the clients share.
struct Shared {
    /// Number of attempts to create a setting, several for each name, and number of those that succeeded.
    names: AtomicUsize,
    created: AtomicUsize,
    until: Instant,
}

/// Path of the address that a client shares with seven others, and the attribute that is its own.
fn shared_part(client: usize) -> (String, &'static str) {
    let address = client / ATTRIBUTES.len() + 1;
    let attribute = ATTRIBUTES[client % ATTRIBUTES.len()];
    (format!("/api/1.0/addresses/{address}"), attribute)
}

/// Writes until the time is over; returns the last value of the client's attribute of the shared address.
fn write(number: usize, client: &Client, shared: &Shared) -> String {
    let mut last = String::new();
    for round in 0.. {
        if Instant::now() > shared.until {
            break;
        }
        let (path, attribute) = shared_part(number);
        last = format!("{number}/{round}");
        assert_eq!(client.put(&path, &json!({attribute: last})).status, 204);
        assert_eq!(client.read(&path)[attribute], last);
        update_phone(number, client, round);
        create_with_contested_name(client, shared);
        reference_and_delete(client);
    }
    last
}

/// Updates, with hooks, the phone number of a user that a client shares with seven others.
fn update_phone(number: usize, client: &Client, round: usize) {
    let path = format!("/api/1.0/users/{}", number / ATTRIBUTES.len() + 1);
    let phone = format!("+4930{:06}", number * 1000 + round);
    assert_eq!(client.put(&path, &json!({"phone": phone})).status, 204);
}

/// Several clients create a setting of the same name concurrently: exactly one succeeds.
fn create_with_contested_name(client: &Client, shared: &Shared) {
    let name = shared.names.fetch_add(1, Ordering::Relaxed) / INSTANCES;
    let answer = client.post(
        "/api/2.0/settings",
        &json!({"name": name.to_string(), "value": "v"}),
    );
    if answer.status == 201 {
        shared.created.fetch_add(1, Ordering::Relaxed);
    } else {
        assert_error(&answer, 400, 10030);
    }
}

/// Creates a person that references the newest addresses, which other clients may be deleting, in either
/// order; then deletes the person and its address.
fn reference_and_delete(client: &Client) {
    let address = client.create("/api/1.0/addresses", &json!({"line1": "x"}));
    let id: i64 = id_of(&address);
    let body = json!({"bill_address_id": id, "ship_address_id": id - 1, "mail_address_id": id - 2});
    let answer = client.post("/api/1.0/persons", &body);
    if answer.status != 201 {
        assert_error(&answer, 400, 10031);
        return;
    }
    let person = answer.header("location").expect("a path").to_owned();
    assert_error(&client.delete(&address), 400, 10020);
    let turned = json!({"bill_address_id": id - 1, "ship_address_id": id});
    assert_one_of(&client.put(&person, &turned), 204, 10031);
    assert_eq!(client.delete(&person).status, 204);
    assert_one_of(&client.delete(&address), 204, 10020);
}

#[track_caller]
fn assert_one_of(answer: &Answer, status: u16, code: u16) {
    if answer.status != status {
        assert_error(answer, 400, code);
    }
}

fn id_of(path: &str) -> i64 {
    let id = path.rsplit('/').next().and_then(|id| id.parse().ok());
    id.expect("a path ends with its id")
}

#[test]
fn sixty_four_clients_of_four_processes_lose_no_write_and_see_no_failure() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let starting = [(); INSTANCES].map(|()| AddressBook::spawn(command(&database), &database));
    let books = starting.map(Starting::listening);
    for user in 0..CLIENTS / ATTRIBUTES.len() {
        books[0]
            .client
            .create("/api/1.0/addresses", &json!({"line1": ""}));
        let name = format!("user {user}");
        let user = json!({"username": name, "email": "a@example.org", "password": "x"});
        books[0].client.create("/api/1.0/users", &user);
    }
    let shared = Shared {
        names: AtomicUsize::new(0),
        created: AtomicUsize::new(0),
        until: Instant::now() + duration(),
    };
    let last: Vec<String> = thread::scope(|scope| {
        let write = |number: usize| {
            let (client, shared) = (&books[number % INSTANCES].client, &shared);
            scope.spawn(move || write(number, client, shared))
        };
        let clients: Vec<_> = (0..CLIENTS).map(write).collect();
        let joined = clients
            .into_iter()
            .map(|client| client.join().expect("no client fails"));
        joined.collect()
    });
    for (number, last) in last.into_iter().enumerate() {
        let (path, attribute) = shared_part(number);
        assert_eq!(books[0].client.read(&path)[attribute], Value::from(last));
    }
    let created = shared.created.into_inner();
    let wanted = shared.names.into_inner().div_ceil(INSTANCES);
    assert_eq!(created, wanted, "each name is created once");
    for book in &books {
        assert_eq!(
            book.client.read("/api/1.0/settings?limit=0")["totalItems"],
            created
        );
        assert_eq!(
            book.client.read("/api/1.0/persons?limit=0")["totalItems"],
            0
        );
    }
}
