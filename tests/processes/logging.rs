//! The log: a line for each request, and the cause of a failure, which no response contains.

#[cfg(target_os = "linux")]
use std::process::Command;

use resource_tests::{Backend, TestDatabase, apply, every_database};
use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::address_book::executable;
use crate::address_book::{AddressBook, command};

/// Log of an address book during `work`.
fn log_of(work: impl FnOnce(&AddressBook, &TestDatabase)) -> String {
    let database = TestDatabase::default();
    let book = AddressBook::start(&database);
    work(&book, &database);
    book.stopped()
}

#[track_caller]
fn line_with<'a>(log: &'a str, words: &[&str]) -> &'a str {
    let mut lines = log.lines();
    lines
        .find(|line| words.iter().all(|word| line.contains(word)))
        .unwrap_or_else(|| panic!("no line with {words:?} in {log}"))
}

#[apply(every_database)]
fn every_request_has_a_log_line_with_its_id_and_status() {
    let log = log_of(|book, _| {
        let request = book.client.request("GET", "/api/1.0/settings/7");
        assert_eq!(request.header("x-request-id", "first").send().status, 404);
        let request = book.client.request("PATCH", "/api/1.0/settings");
        assert_eq!(request.header("x-request-id", "second").send().status, 405);
    });
    let of_operation = [
        "operation=\"retrieve\"",
        "resource=\"Setting\"",
        "version=1.0",
    ];
    let words = [
        "first",
        "GET",
        "/api/1.0/settings/7",
        "404",
        "error_code=10001",
    ];
    line_with(&log, &[&words[..], &of_operation].concat());
    line_with(
        &log,
        &["second", "PATCH", "/api/1.0/settings", "error_code=10070"],
    );
}

#[apply(every_database)]
fn the_cause_of_a_failure_is_only_in_the_log() {
    let log = log_of(|book, database| {
        database.other_program().execute("DROP TABLE settings");
        let request = book.client.request("GET", "/api/1.0/settings");
        // The test client asserts that no response mentions tables.
        let answer = request.header("x-request-id", "broken").send();
        assert_eq!(answer.status, 500);
    });
    line_with(
        &log,
        &[match Backend::under_test() {
            Backend::Sqlite => "no such table",
            Backend::Postgres => "does not exist",
        }],
    );
    line_with(&log, &["broken"]);
}

#[apply(every_database)]
fn an_error_is_logged_with_its_request_id_by_default() {
    let database = TestDatabase::default();
    let book = AddressBook::start_with_default_log(&database);
    book.client.read("/api/1.0/settings");
    database.other_program().execute("DROP TABLE settings");
    let answer = book.client.get("/api/1.0/settings");
    assert_eq!(answer.status, 500);
    let id = answer.header("x-request-id").unwrap();
    assert!(answer.text().contains(id), "{}", answer.text());
    let log = book.stopped();
    line_with(&log, &["ERROR", id, "cause="]);
    // A successful request has no line by default.
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[apply(every_database)]
fn a_warning_is_logged_by_default() {
    let database = TestDatabase::default();
    AddressBook::start(&database).stopped();
    let mut program = database.other_program();
    for statement in match Backend::under_test() {
        Backend::Sqlite => &[
            "ALTER TABLE settings DROP COLUMN value",
            "ALTER TABLE settings ADD COLUMN value TEXT",
        ][..],
        Backend::Postgres => &["ALTER TABLE settings ALTER COLUMN value DROP NOT NULL"],
    } {
        program.execute(statement);
    }
    let log = AddressBook::start_with_default_log(&database).stopped();
    line_with(&log, &["WARN", "settings.value"]);
}

#[apply(every_database)]
fn the_log_contains_no_values_of_clients() {
    let log = log_of(|book, _| {
        let body = json!({"name": "who", "value": "top-secret-4711"});
        book.client.create("/api/1.0/settings", &body);
        book.client.post("/api/1.0/settings", &body);
        book.client
            .post("/api/1.0/settings", &json!({"name": 4711}));
    });
    assert!(!log.contains("top-secret-4711"), "{log}");
}

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[test]
fn lines_of_a_request_have_the_ids_of_its_trace() {
    let log = log_of(|book, _| {
        for (id, traceparent) in [
            ("traced", format!("00-{TRACE}-00f067aa0ba902b7-01")),
            ("invalid", format!("00-{TRACE}-0000000000000000-01")),
        ] {
            let request = book.client.request("GET", "/api/1.0/settings/7");
            let request = request.header("x-request-id", id);
            request.header("traceparent", traceparent).send();
        }
    });
    let ids = [
        format!("trace_id=\"{TRACE}\""),
        String::from("parent_id=\"00f067aa0ba902b7\""),
    ];
    let ids = ids.each_ref().map(String::as_str);
    line_with(&log, &[&["answered", "traced"][..], &ids].concat());
    assert!(!line_with(&log, &["answered", "invalid"]).contains("trace_id"));
    // At the level of all, there is also the span for tracers.
    let route = "http.route=\"/api/1.0/settings/{id}\"";
    let name = "otel.name=\"GET /api/1.0/settings/{id}\"";
    line_with(&log, &["answered", "otel.kind=\"server\"", route, name]);
}

/// The output of a command that runs in a terminal and logs.
#[cfg(target_os = "linux")]
fn in_a_terminal(no_color: &str) -> String {
    let database = TestDatabase::sqlite();
    AddressBook::start(&database).stopped();
    let (program, url) = (executable().display(), database.url());
    let command = format!("{program} check --database-url {url}");
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &command, "/dev/null"]);
    terminal.env("RUST_LOG", "trace").env("NO_COLOR", no_color);
    let output = terminal.output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn the_log_has_colours_in_a_terminal_that_wants_them() {
    let (with, without) = (in_a_terminal(""), in_a_terminal("1"));
    assert!(with.contains("DEBUG") && with.contains('\x1b'), "{with}");
    assert!(
        without.contains("DEBUG") && !without.contains('\x1b'),
        "{without}"
    );
}

#[apply(every_database)]
fn the_log_may_be_json() {
    let database = TestDatabase::default();
    let mut command = command(&database);
    command.env("LOG_FORMAT", "json");
    let book = AddressBook::spawn(command, &database).listening();
    let request = book.client.request("GET", "/api/1.0/settings/7");
    let request = request.header("x-request-id", "of-json");
    let traceparent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    request.header("traceparent", traceparent).send();
    let log = book.stopped();
    let lines = log.lines().map(serde_json::from_str::<Value>);
    let lines: Vec<Value> = lines.collect::<Result<_, _>>().unwrap();
    let answered = lines.iter().find(|it| it["message"] == "answered").unwrap();
    assert_eq!(
        (&answered["level"], &answered["status"]),
        (&json!("INFO"), &json!(404))
    );
    let span = &answered["span"];
    assert_eq!(span["id"], "of-json");
    assert_eq!(span["trace_id"], TRACE);
    assert_eq!(span["operation"], "retrieve");
}
