//! A default that gives what its model forbids: a defect of the service, never blamed on the client.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_created, assert_no_content, every_database};
use serde_json::json;

/// The defaults count over the whole process: the tests of two databases take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Fits while the API is built and for the first item, grows with every call.
static LENGTH: AtomicI64 = AtomicI64::new(0);

fn growing() -> String {
    let length = LENGTH.fetch_add(1, Ordering::SeqCst);
    "x".repeat(usize::try_from(length).unwrap_or_default())
}

#[derive(Debug, ApiResource)]
#[resource(name = "Word", url = "/words", version = "1.0")]
struct Word {
    id: i64,
    #[resource(max_length = 3, default = growing())]
    text: String,
    #[resource(default = 0)]
    count: i32,
}

/// Gives a sound key while the API is built, and then none that stands in a path.
static KEYS: AtomicI64 = AtomicI64::new(0);

fn vanishing() -> String {
    match KEYS.fetch_add(1, Ordering::SeqCst) {
        0 => String::from("first"),
        _ => String::new(),
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Key", url = "/keys", version = "1.0")]
struct Key {
    #[resource(primary_key, default = vanishing())]
    key: String,
}

#[apply(every_database)]
fn a_value_that_does_not_fit_is_500_and_stores_nothing() {
    let _turn = TURN.lock();
    LENGTH.store(0, Ordering::SeqCst);
    let service = Service::start(|database| Api::builder().resource::<Word>().build(database));
    let path = assert_created(&service.post("/api/1.0/words", &json!({})));
    LENGTH.store(4, Ordering::SeqCst);
    assert_eq!(service.post("/api/1.0/words", &json!({})).status, 500);
    assert_created(&service.post("/api/1.0/words", &json!({"text": "own"})));
    assert_no_content(&service.put(&path, &json!({"count": 1})));
    assert_eq!(service.read("/api/1.0/words")["totalItems"], 2);
}

#[apply(every_database)]
fn a_key_that_no_path_can_hold_is_500_and_stores_nothing() {
    let _turn = TURN.lock();
    KEYS.store(0, Ordering::SeqCst);
    let service = Service::start(|database| Api::builder().resource::<Key>().build(database));
    assert_eq!(service.post("/api/1.0/keys", &json!({})).status, 500);
    assert_eq!(service.read("/api/1.0/keys")["totalItems"], 0);
}
