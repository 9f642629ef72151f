//! Backups of a SQLite file as the guide advises: they are complete, and so is a deleted file that is recovered.

use std::fs;
use std::path::Path;

use resource_tests::{TestDatabase, assert_error};
use rusqlite::Connection;
use serde_json::json;

use crate::address_book::AddressBook;

const ROWS: usize = 40;

fn with_rows(file: &TestDatabase) -> AddressBook {
    let book = AddressBook::start(file);
    for number in 0..ROWS {
        let body = json!({"name": number.to_string(), "value": "v"});
        book.client.create("/api/1.0/settings", &body);
    }
    book
}

#[track_caller]
fn assert_complete(file: &Path) {
    let file = Connection::open(file).unwrap();
    let text = |query: &str| -> String { file.query_row(query, [], |row| row.get(0)).unwrap() };
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    let rows = text("SELECT count(*) || '' FROM settings");
    assert_eq!(rows, ROWS.to_string());
}

#[test]
fn a_backup_of_a_running_service_is_complete_when_restored() {
    let (file, other) = (TestDatabase::sqlite(), TestDatabase::sqlite());
    let book = with_rows(&file);
    let backup = file.path().with_file_name("backup.db");
    let into = format!("VACUUM INTO '{}'", backup.display());
    Connection::open(file.path())
        .unwrap()
        .execute(&into, [])
        .unwrap();
    book.stopped();
    fs::rename(&backup, other.path()).unwrap();
    let restored = AddressBook::start(&other);
    assert_eq!(
        restored.client.read("/api/1.0/settings")["totalItems"],
        ROWS
    );
    restored.stopped();
    assert_complete(&other.path());
}

#[cfg(target_os = "linux")]
#[test]
fn a_deleted_file_is_recovered_from_the_running_process() {
    let file = TestDatabase::sqlite();
    let book = with_rows(&file);
    for end in ["", "-wal", "-shm"] {
        fs::remove_file(format!("{}{end}", file.path().display())).unwrap();
    }
    let refused = json!({"name": "refused", "value": "v"});
    assert_error(&book.client.post("/api/1.0/settings", &refused), 503, 10090);
    let folder = tempfile::tempdir().unwrap();
    for end in ["", "-wal"] {
        let deleted = format!("{}{end} (deleted)", file.path().display());
        let open = fs::read_dir(format!("/proc/{}/fd", book.id())).unwrap();
        let mut open = open.map(|entry| entry.unwrap().path());
        let open = open.find(|it| fs::read_link(it).is_ok_and(|it| it == Path::new(&deleted)));
        fs::copy(open.unwrap(), folder.path().join(format!("saved.db{end}"))).unwrap();
    }
    let log = book.stopped();
    assert!(log.contains("was deleted, moved or replaced"), "{log}");
    assert_complete(&folder.path().join("saved.db"));
}
