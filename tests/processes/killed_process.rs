//! `kill -9` of the service: acknowledged writes survive.

use std::collections::HashSet;
use std::sync::Mutex;
use std::thread;

use resource_tests::polling::wait_for;
use resource_tests::{Client, TestDatabase, apply, every_database, responses_differ};
use serde_json::json;

use crate::address_book::AddressBook;

const WRITERS: usize = 32;

/// Number of acknowledged creates at which the process is killed.
const ENOUGH: usize = 200;

#[derive(Debug, Default)]
struct Acknowledged {
    created: HashSet<String>,
    changed: HashSet<String>,
    deleted: HashSet<String>,
}

/// Writes until a request gets no response, recording what was acknowledged: every item is created, every
/// second one is changed, and some of those are deleted.
fn write_until_killed(client: &Client, writer: usize, acknowledged: &Mutex<Acknowledged>) {
    for number in 0.. {
        let body = json!({"name": format!("{writer}/{number}"), "value": "created"});
        let request = client
            .request("POST", "/api/1.0/settings")
            .json(body.to_string());
        let Some(answer) = request.try_send() else {
            return;
        };
        assert_eq!(answer.status, 201, "{}", answer.text());
        let path = answer.header("location").unwrap().to_owned();
        acknowledged.lock().unwrap().created.insert(path.clone());
        if number % 2 == 1 && !change(client, &path, acknowledged) {
            return;
        }
    }
}

/// Changes an item, and deletes some; returns false once the process is gone.
fn change(client: &Client, path: &str, acknowledged: &Mutex<Acknowledged>) -> bool {
    let request = client.request("PUT", path).json(r#"{"value":"changed"}"#);
    let Some(answer) = request.try_send() else {
        return false;
    };
    assert_eq!(answer.status, 204, "{}", answer.text());
    acknowledged.lock().unwrap().changed.insert(path.to_owned());
    if path.ends_with(['0', '5']) {
        // From here on the item may or may not exist, unless the delete is acknowledged.
        acknowledged.lock().unwrap().created.remove(path);
        let Some(answer) = client.request("DELETE", path).try_send() else {
            return false;
        };
        assert_eq!(answer.status, 204, "{}", answer.text());
        acknowledged.lock().unwrap().deleted.insert(path.to_owned());
    }
    true
}

#[apply(every_database)]
fn kill_9_during_writes_loses_no_acknowledged_write() {
    responses_differ("the writers run in no fixed order");
    let database = TestDatabase::default();
    let mut book = AddressBook::start(&database);
    let acknowledged = Mutex::new(Acknowledged::default());
    let client = book.client.clone();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (client, acknowledged) = (&client, &acknowledged);
            scope.spawn(move || write_until_killed(client, writer, acknowledged));
        }
        wait_for("enough writes", || {
            let acknowledged = acknowledged.lock().unwrap();
            (acknowledged.created.len() >= ENOUGH && !acknowledged.deleted.is_empty()).then_some(())
        });
        book.kill();
    });
    assert_stored(
        &AddressBook::start(&database).client,
        &acknowledged.into_inner().unwrap(),
    );
}

fn assert_stored(client: &Client, acknowledged: &Acknowledged) {
    for path in &acknowledged.created {
        let item = client.read(path);
        if acknowledged.changed.contains(path) {
            assert_eq!(item["value"], "changed", "{path}");
        }
    }
    for path in &acknowledged.deleted {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
    let total = client.read("/api/1.0/settings?limit=0")["totalItems"]
        .as_u64()
        .unwrap();
    assert!(total >= acknowledged.created.len() as u64);
}

#[apply(every_database)]
fn the_service_starts_after_every_kill_9() {
    let database = TestDatabase::default();
    for round in 1..=5 {
        let mut book = AddressBook::start(&database);
        let path = book
            .client
            .create("/api/1.0/addresses", &json!({"line1": round.to_string()}));
        assert_eq!(path, format!("/api/1.0/addresses/{round}"));
        book.kill();
    }
    assert_eq!(
        AddressBook::start(&database)
            .client
            .read("/api/1.0/addresses")["totalItems"],
        5
    );
}
