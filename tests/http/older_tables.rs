//! Tables that are not as the service would make them: older ones, or made by somebody else.

use resource_runtime::{Api, ApiResource};
use resource_tests::models::{SettingOne, SettingTwo};
use resource_tests::{DatabaseFile, Service, assert_error, assert_no_content};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::failures::assert_page;

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    text: Option<String>,
}

/// A file in which these statements have been carried out.
fn made_by(statements: &str) -> DatabaseFile {
    let file = DatabaseFile::default();
    Connection::open(file.path())
        .and_then(|connection| connection.execute_batch(statements))
        .expect("sound statements");
    file
}

fn named(length: usize) -> Value {
    json!({"name": "ä".repeat(length), "value": "v"})
}

/// Both versions, on a table that the first alone has made and that has one item.
fn narrow() -> Service {
    let file = DatabaseFile::default();
    let old = Service::start_on(&file, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    old.create("/api/1.0/settings", &json!({"name": "old", "value": "v"}));
    drop(old);
    Service::start_on(&file, |database| {
        Api::builder()
            .resource::<SettingOne>()
            .resource::<SettingTwo>()
            .build(database)
    })
}

#[test]
fn a_column_that_is_missing_is_a_500_page_and_never_made_up() {
    let file = made_by(
        "CREATE TABLE settings (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
         INSERT INTO settings (name) VALUES ('a');",
    );
    let service = Service::start_on(&file, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    for query in [
        "",
        "?limit=1",
        "?fields=value",
        "?fields=id&order=asc(value)",
        "?fields=id&filter=eq(value,%22value%22)",
        "?limit=0&filter=eq(value,%22value%22)",
        "?limit=0&filter=like(value,%22%25%22)",
    ] {
        println!("{query}");
        assert_page(&service.get(&format!("/api/1.0/settings{query}")));
    }
    assert_page(&service.get("/api/1.0/settings/1"));
    assert_page(&service.put("/api/1.0/settings/1", &json!({"value": "c"})));
    assert_page(&service.post("/api/1.0/settings", &json!({"name": "b", "value": "c"})));
    let names: i64 = Connection::open(file.path())
        .and_then(|file| file.query_row("SELECT count(*) FROM settings", [], |row| row.get(0)))
        .expect("a count");
    assert_eq!(names, 1);
}

#[test]
fn a_name_that_is_too_long_for_an_older_table_is_400_10010() {
    let service = narrow();
    for length in [51, 60, 80] {
        assert_error(
            &service.post("/api/2.0/settings", &named(length)),
            400,
            10010,
        )
        .in_lines(1);
        let answer = service.put("/api/2.0/settings/1", &named(length));
        assert_error(&answer, 400, 10010).in_lines(1);
    }
    assert_eq!(
        service.read("/api/2.0/settings"),
        json!({"items": [{"id": 1, "name": "old", "value": "v"}], "totalItems": 1})
    );
}

#[test]
fn a_name_that_suits_an_older_table_is_stored_through_the_newer_version() {
    let service = narrow();
    let path = service.create("/api/2.0/settings", &named(50));
    assert_eq!(service.read(&path)["name"], "ä".repeat(50));
    assert_no_content(&service.put("/api/2.0/settings/1", &named(49)));
    assert_eq!(service.read("/api/1.0/settings/1")["name"], "ä".repeat(49));
}

#[test]
fn null_where_an_older_table_requires_a_value_is_400_10010() {
    let file = made_by("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
    let service = Service::start_on(&file, |database| {
        Api::builder().resource::<Note>().build(database)
    });
    let path = service.create("/api/1.0/notes", &json!({"text": "x"}));
    assert_error(&service.post("/api/1.0/notes", &json!({})), 400, 10010);
    assert_error(&service.put(&path, &json!({"text": null})), 400, 10010);
    assert_eq!(
        service.read("/api/1.0/notes"),
        json!({"items": [{"id": 1, "text": "x"}], "totalItems": 1})
    );
}

/// So that a check of the schema lets the service serve such a table.
#[test]
fn a_table_that_refuses_in_other_ways_refuses_all_the_same() {
    for resolution in ["FAIL", "ROLLBACK"] {
        let file = made_by(&format!(
            "CREATE TABLE settings (id INTEGER PRIMARY KEY AUTOINCREMENT,
                 name TEXT NOT NULL UNIQUE ON CONFLICT {resolution}, value TEXT)"
        ));
        let service = Service::start_on(&file, |database| {
            Api::builder().resource::<SettingOne>().build(database)
        });
        let body = json!({"name": "a", "value": "v"});
        service.create("/api/1.0/settings", &body);
        assert_error(&service.post("/api/1.0/settings", &body), 400, 10030);
        let other = service.create("/api/1.0/settings", &json!({"name": "b", "value": "v"}));
        assert_error(&service.put(&other, &body), 400, 10030);
        assert_no_content(&service.put(&other, &json!({"value": "w"})));
    }
}
