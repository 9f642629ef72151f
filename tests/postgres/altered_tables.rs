//! Tables that are altered while they are served: no client sees an error.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use resource_tests::polling::{SetOnDrop, wait_for};
use resource_tests::{Backend, Service, TestDatabase, address_book};
use serde_json::json;

const CLIENTS: usize = 4;

/// Requests that clients make between two changes of the table.
const BETWEEN: usize = 40;

const CHANGES: [&str; 6] = [
    "ALTER TABLE settings ALTER COLUMN name TYPE varchar(90)",
    "ALTER TABLE settings ADD COLUMN remark text",
    "ALTER TABLE settings ALTER COLUMN name TYPE varchar(100)",
    "ALTER TABLE settings ALTER COLUMN name TYPE text",
    "ALTER TABLE settings DROP COLUMN remark",
    "CREATE INDEX ON settings (value)",
];

/// Sends every kind of request that reads or writes a setting.
fn ask(service: &Service, client: usize, number: usize) {
    let body = json!({"name": format!("{client}/{number}"), "value": "v"});
    let path = service.create("/api/2.0/settings", &body);
    assert_eq!(service.read(&path)["value"], "v");
    assert_eq!(service.put(&path, &json!({"value": "w"})).status, 204);
    service.read("/api/1.0/settings?order=desc(name)&limit=3");
    service.read("/api/1.0/settings?filter=like(name,%221%25%22)&fields=name");
    if number.is_multiple_of(2) {
        assert_eq!(service.delete(&path).status, 204);
    }
}

#[test]
fn no_client_sees_an_error_while_a_table_is_altered() {
    if TestDatabase::postgres().is_none() {
        return;
    }
    Backend::Postgres.run("altered", || {
        let service = address_book();
        let (asked, done) = (AtomicUsize::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (service, asked, done) = (&service, &asked, &done);
                scope.spawn(move || {
                    for number in 0.. {
                        if done.load(Ordering::Relaxed) {
                            break;
                        }
                        ask(service, client, number);
                        asked.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let _end = SetOnDrop(&done);
            let mut other = service.database().other_program();
            for change in CHANGES {
                let before = asked.load(Ordering::Relaxed);
                wait_for("requests", || {
                    (asked.load(Ordering::Relaxed) >= before + BETWEEN).then_some(())
                });
                other.execute(change);
            }
        });
    });
}
