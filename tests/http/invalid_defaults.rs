//! A default whose value violates the model: 500, a defect of the service, never a 400.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_created, assert_no_content, every_database};
use serde_json::json;

/// Serializes the tests of both databases: the defaults count their calls in the whole process.
static TURN: Mutex<()> = Mutex::new(());

/// Length of the next default: valid while the API is built and for the first item, then too long.
static LENGTH: AtomicI64 = AtomicI64::new(0);

fn growing_text() -> String {
    let length = LENGTH.fetch_add(1, Ordering::SeqCst);
    "x".repeat(usize::try_from(length).unwrap_or_default())
}

#[derive(Debug, ApiResource)]
#[resource(name = "Word", url = "/words", version = "1.0")]
struct Word {
    id: i64,
    #[resource(max_length = 3, default = growing_text())]
    text: String,
    #[resource(default = 0)]
    count: i32,
}

/// Number of keys given: the first, while the API is built, is valid, the others are empty.
static KEYS: AtomicI64 = AtomicI64::new(0);

fn one_valid_key() -> String {
    match KEYS.fetch_add(1, Ordering::SeqCst) {
        0 => String::from("first"),
        _ => String::new(),
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Key", url = "/keys", version = "1.0")]
struct Key {
    #[resource(primary_key, default = one_valid_key())]
    key: String,
}

#[apply(every_database)]
fn a_default_that_violates_the_model_is_500_and_stores_nothing() {
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
fn an_empty_default_key_is_500_and_stores_nothing() {
    let _turn = TURN.lock();
    KEYS.store(0, Ordering::SeqCst);
    let service = Service::start(|database| Api::builder().resource::<Key>().build(database));
    assert_eq!(service.post("/api/1.0/keys", &json!({})).status, 500);
    assert_eq!(service.read("/api/1.0/keys")["totalItems"], 0);
}
