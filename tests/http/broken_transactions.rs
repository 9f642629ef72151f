//! Transactions that SQLite ends by itself: their client gets 500, the next writer gets its turn.

use resource_tests::{address_book, assert_created};
use serde_json::json;

#[test]
fn a_transaction_that_ends_by_itself_takes_no_other_with_it() {
    let service = address_book();
    let file = rusqlite::Connection::open(service.database().path()).unwrap();
    file.execute_batch(
        "CREATE TRIGGER refuse BEFORE INSERT ON settings WHEN NEW.name = 'refused'
         BEGIN SELECT RAISE(ROLLBACK, 'refused'); END",
    )
    .unwrap();
    let post = |name: &str| {
        let body = json!({"name": name, "value": "x"});
        service.post("/api/1.0/settings", &body)
    };
    for round in 0..3 {
        assert_eq!(post("refused").status, 500);
        assert_created(&post(&format!("sound {round}")));
    }
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 3);
}
