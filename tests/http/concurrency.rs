//! Many clients at once: no 500, no lost update, no inconsistent page.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database, responses_differ,
};
use serde_json::json;

use crate::collections::ids;

const CLIENTS: usize = 32;

/// Runs `work` for every client concurrently, and fails when one of them fails.
fn concurrently(work: impl Fn(usize) + Sync) {
    let work = &work;
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            scope.spawn(move || work(client));
        }
    });
}

fn total(service: &Service) -> usize {
    usize::try_from(
        service.read("/api/1.0/settings?limit=0")["totalItems"]
            .as_u64()
            .unwrap(),
    )
    .unwrap()
}

#[apply(every_database)]
fn items_created_by_32_clients_are_each_stored_once() {
    responses_differ("the clients run in no fixed order");
    let service = address_book();
    concurrently(|client| {
        for number in 0..10 {
            let name = format!("{client}/{number}");
            let path = service.create("/api/1.0/settings", &json!({"name": name, "value": "v"}));
            assert_eq!(service.read(&path)["name"], name);
        }
    });
    let page = service.read("/api/1.0/settings?limit=1000");
    assert_eq!(page["totalItems"], CLIENTS * 10);
    assert_eq!(ids(&page).len(), CLIENTS * 10);
}

#[apply(every_database)]
fn exactly_one_of_32_clients_stores_a_unique_name() {
    let service = address_book();
    concurrently(|_| {
        let answer = service.post("/api/1.0/settings", &json!({"name": "one", "value": "v"}));
        if answer.status != 201 {
            assert_error(&answer, 400, 10030).naming(&["`name`"]);
        }
    });
    assert_eq!(total(&service), 1);
}

#[apply(every_database)]
fn concurrent_updates_of_different_attributes_are_all_stored() {
    const ATTRIBUTES: [&str; 8] = [
        "line1", "line2", "line3", "line4", "line5", "line6", "city", "country",
    ];
    let service = address_book();
    for _ in 0..CLIENTS / ATTRIBUTES.len() {
        service.create("/api/1.0/addresses", &json!({"line1": ""}));
    }
    let path = |client: usize| format!("/api/1.0/addresses/{}", client / ATTRIBUTES.len() + 1);
    concurrently(|client| {
        let attribute = ATTRIBUTES[client % ATTRIBUTES.len()];
        for number in 0..=20 {
            assert_no_content(&service.put(
                &path(client),
                &json!({attribute: format!("{client}/{number}")}),
            ));
        }
    });
    for client in 0..CLIENTS {
        let value = &service.read(&path(client))[ATTRIBUTES[client % ATTRIBUTES.len()]];
        assert_eq!(value, &json!(format!("{client}/20")));
    }
}

#[apply(every_database)]
fn a_page_and_its_total_come_from_one_snapshot() {
    let service = address_book();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..150 {
                service.create(
                    "/api/1.0/settings",
                    &json!({"name": number.to_string(), "value": "v"}),
                );
                if number % 3 == 2 {
                    assert_no_content(&service.delete(&format!("/api/1.0/settings/{number}")));
                }
            }
            done.store(true, Ordering::Release);
        });
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    let page = service.read("/api/1.0/settings?limit=1000");
                    assert_eq!(page["totalItems"], ids(&page).len());
                    let part = service.read("/api/1.0/settings?limit=1&offset=5");
                    assert_eq!(
                        part["totalItems"].as_u64().unwrap() > 5,
                        ids(&part).len() == 1
                    );
                }
            });
        }
    });
    assert_eq!(total(&service), 100);
}

#[apply(every_database)]
fn a_concurrent_create_never_references_a_deleted_item() {
    let service = address_book();
    for _ in 0..20 {
        let address = service.create("/api/1.0/addresses", &json!({"line1": "x"}));
        let id = service.read(&address)["id"].clone();
        thread::scope(|scope| {
            let deleting = scope.spawn(|| service.delete(&address));
            let referring =
                scope.spawn(|| service.post("/api/1.0/persons", &json!({"bill_address_id": id})));
            let (deleted, referred) = (deleting.join().unwrap(), referring.join().unwrap());
            match (deleted.status, referred.status) {
                (204, 400) => drop(assert_error(&referred, 400, 10031)),
                (400, 201) => drop(assert_error(&deleted, 400, 10020)),
                statuses => panic!("{statuses:?}"),
            }
        });
    }
}

#[apply(every_database)]
fn exactly_one_of_32_clients_deletes_an_item() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let winners = std::sync::Mutex::new(0);
    concurrently(|_| {
        let answer = service.delete(&path);
        if answer.status == 204 {
            *winners.lock().unwrap() += 1;
        } else {
            assert_error(&answer, 404, 10001);
        }
    });
    assert_eq!(winners.into_inner().unwrap(), 1);
}
