//! Triggers of the database: a write that they abort or ignore is 400, and nothing of it is stored.

use std::thread;

use resource_runtime::{Api, ApiResource, Validator};
use resource_tests::{
    Answer, Backend, Service, apply, assert_created, assert_error, assert_no_content,
    every_database, responses_differ,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Depot", url = "/depots", version = "1.0")]
struct Depot {
    id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "1.0")]
struct Parcel {
    id: i64,
    label: String,
    #[resource(references = Depot)]
    depot_id: Option<i64>,
}

/// A parcel whose writes pass a hook.
#[derive(Debug, ApiResource)]
#[resource(name = "Letter", url = "/letters", version = "1.0", validator = Anybody)]
struct Letter {
    id: i64,
    label: String,
    #[resource(references = Depot)]
    depot_id: Option<i64>,
}

#[derive(Debug, Default)]
struct Anybody;

impl Validator<Letter> for Anybody {}

const TABLES: [&str; 2] = ["parcels", "letters"];

/// The message of the triggers; no response may repeat it.
const RULE: &str = "the depot is closed";

fn start() -> Service {
    responses_differ("PostgreSQL does not reuse the id of a refused item");
    Service::start(|database| {
        Api::builder()
            .resource::<Depot>()
            .resource::<Parcel>()
            .resource::<Letter>()
            .build(database)
    })
}

/// Adds a trigger that runs `body`, for SQLite and PostgreSQL, at the `moment` for rows with this `label`.
fn add_trigger(service: &Service, table: &str, moment: &str, label: &str, body: [&str; 2]) {
    let row = if moment.ends_with("DELETE") {
        "OLD"
    } else {
        "NEW"
    };
    let when = format!("{row}.label = '{label}'");
    let name = format!("{table}_{label}_{}", moment.replace(' ', "_"));
    let [sqlite, postgres] = body;
    let statements = match Backend::under_test() {
        Backend::Sqlite => {
            format!("CREATE TRIGGER {name} {moment} ON {table} WHEN {when} BEGIN {sqlite}; END")
        }
        Backend::Postgres => format!(
            "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql
                 AS $$ BEGIN {postgres}; END $$;
             CREATE TRIGGER {name} {moment} ON {table} FOR EACH ROW WHEN ({when})
                 EXECUTE FUNCTION {name}()"
        ),
    };
    service.database().other_program().execute(&statements);
}

fn post(service: &Service, table: &str, label: &str) -> Answer {
    service.post(&format!("/api/1.0/{table}"), &json!({"label": label}))
}

fn labels(service: &Service, table: &str) -> Vec<String> {
    let list = service.read(&format!("/api/1.0/{table}?limit=1000"));
    let items = list["items"].as_array().unwrap().iter();
    let labels = items.map(|item| item["label"].as_str().unwrap().to_owned());
    labels.collect()
}

#[track_caller]
fn assert_forbidden(answer: &Answer) {
    assert_error(answer, 400, 10010).without(RULE).in_lines(1);
}

#[apply(every_database)]
fn a_write_that_a_trigger_aborts_is_400_10010_and_stores_nothing() {
    let service = start();
    for table in TABLES {
        for (moment, label, how) in [
            ("BEFORE INSERT", "early", "ABORT"),
            ("AFTER INSERT", "late", "ABORT"),
            ("AFTER INSERT", "halfway", "FAIL"),
            ("BEFORE UPDATE", "early", "ABORT"),
            ("AFTER UPDATE", "late", "ABORT"),
            ("AFTER UPDATE", "halfway", "FAIL"),
            ("BEFORE DELETE", "safe", "ABORT"),
            ("AFTER DELETE", "sealed", "FAIL"),
        ] {
            let raise = format!("SELECT RAISE({how}, '{RULE}')");
            let body = [&*raise, &format!("RAISE EXCEPTION '{RULE}'")];
            add_trigger(&service, table, moment, label, body);
        }
        let path = assert_created(&post(&service, table, "sound"));
        for label in ["early", "late", "halfway"] {
            assert_forbidden(&post(&service, table, label));
            assert_forbidden(&service.put(&path, &json!({"label": label})));
        }
        for label in ["safe", "sealed"] {
            let path = assert_created(&post(&service, table, label));
            assert_forbidden(&service.delete(&path));
        }
        assert_eq!(labels(&service, table), ["sound", "safe", "sealed"]);
    }
}

#[apply(every_database)]
fn a_write_that_a_trigger_ignores_is_400_10010_and_stores_nothing() {
    let service = start();
    for table in TABLES {
        for moment in ["BEFORE INSERT", "BEFORE UPDATE", "BEFORE DELETE"] {
            let body = ["SELECT RAISE(IGNORE)", "RETURN NULL"];
            add_trigger(&service, table, moment, "dropped", body);
        }
        let path = assert_created(&post(&service, table, "sound"));
        assert_forbidden(&post(&service, table, "dropped"));
        assert_forbidden(&service.put(&path, &json!({"label": "dropped"})));
        let stored = format!("INSERT INTO {table} (label) VALUES ('kept')");
        let dropped = format!("UPDATE {table} SET label = 'dropped' WHERE label = 'kept'");
        let mut other = service.database().other_program();
        other.execute(&stored);
        without_triggers(&service, table, &dropped);
        let list = service.read(&format!("/api/1.0/{table}?order=desc(id)&limit=1"));
        let kept = format!("/api/1.0/{table}/{}", list["items"][0]["id"]);
        assert_forbidden(&service.delete(&kept));
        let nowhere = format!("/api/1.0/{table}/999");
        assert_error(&service.put(&nowhere, &json!({"label": "x"})), 404, 10001);
        assert_error(&service.delete(&nowhere), 404, 10001);
        assert_eq!(labels(&service, table), ["sound", "dropped"]);
        let missing = json!({"label": "dropped", "depot_id": 7});
        let answer = service.post(&format!("/api/1.0/{table}"), &missing);
        assert_error(&answer, 400, 10031).naming(&["`depot_id`"]);
    }
}

/// Executes a statement while the triggers of updates are disabled.
fn without_triggers(service: &Service, table: &str, statement: &str) {
    let name = format!("{table}_dropped_BEFORE_UPDATE");
    let mut other = service.database().other_program();
    match Backend::under_test() {
        Backend::Sqlite => other.execute(&format!("DROP TRIGGER {name}; {statement}")),
        Backend::Postgres => other.execute(&format!(
            "ALTER TABLE {table} DISABLE TRIGGER USER; {statement};
             ALTER TABLE {table} ENABLE TRIGGER USER"
        )),
    }
}

#[apply(every_database)]
fn a_missing_reference_is_400_10031_when_a_trigger_writes_another_table() {
    let service = start();
    for table in TABLES {
        let columns = match Backend::under_test() {
            Backend::Sqlite => "label TEXT",
            Backend::Postgres => "label text",
        };
        let mut other = service.database().other_program();
        other.execute(&format!("CREATE TABLE log_of_{table} ({columns})"));
        let insert = format!("INSERT INTO log_of_{table} VALUES (NEW.label)");
        let body = [&*insert, &format!("{insert}; RETURN NEW")];
        add_trigger(&service, table, "AFTER INSERT", "logged", body);
        let nowhere = json!({"label": "logged", "depot_id": 7});
        let answer = service.post(&format!("/api/1.0/{table}"), &nowhere);
        assert_error(&answer, 400, 10031).naming(&["`depot_id`"]);
        assert_created(&post(&service, table, "logged"));
        assert_eq!(labels(&service, table), ["logged"]);
        let log = format!("SELECT CAST(count(*) AS TEXT) FROM log_of_{table}");
        assert_eq!(other.text(&log), "1");
    }
}

/// A trigger that rolls back the transaction of a group commit must not undo acknowledged writes.
#[test]
fn a_rollback_by_a_trigger_loses_no_other_write() {
    let service = start();
    let body = [&*format!("SELECT RAISE(ROLLBACK, '{RULE}')"), ""];
    add_trigger(&service, "parcels", "AFTER INSERT", "over", body);
    add_trigger(&service, "parcels", "AFTER UPDATE", "over", body);
    let written: Vec<(String, bool)> = thread::scope(|scope| {
        let writer = |thread: usize| {
            let service = &service;
            scope.spawn(move || {
                let mut written = Vec::new();
                for number in 0..20 {
                    let label = format!("{thread}.{number}");
                    let answer = post(service, "parcels", &label);
                    written.push((label, answer.status == 201));
                    assert_forbidden(&post(service, "parcels", "over"));
                    let path = assert_created(&answer);
                    assert_forbidden(&service.put(&path, &json!({"label": "over"})));
                }
                written
            })
        };
        let writers: Vec<_> = (0..8).map(writer).collect();
        let written = writers.into_iter().map(|writer| writer.join().unwrap());
        written.flatten().collect()
    });
    let acknowledged = written.into_iter().filter(|(_, is_told)| *is_told);
    let mut acknowledged: Vec<String> = acknowledged.map(|(label, _)| label).collect();
    let mut stored = labels(&service, "parcels");
    acknowledged.sort();
    stored.sort();
    assert_eq!(acknowledged.len(), 160);
    assert_eq!(stored, acknowledged);
    let path = assert_created(&post(&service, "parcels", "sound"));
    assert_no_content(&service.put(&path, &json!({"label": "sounder"})));
}
