//! Test of the watch over the log: a secret in it ends the tests, whatever way it took.

use std::env;
use std::process::Command;
use std::thread;

use axum::Router;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::routing::get;
use resource_tests::{Service, TestDatabase, block_on, watch};

use crate::signer::text;

/// Environment variable that names the way for the child process.
const WAY: &str = "WAY_OF_A_SECRET";

const SECRET: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r";

/// Every way into the log, and the kind of secret that the watch reports there.
const WAYS: [(&str, fn(), &str); 9] = [
    ("an event", event, "the secret"),
    ("a span", span, "the secret"),
    ("a record of a span", record, "the secret"),
    ("a line before", line_before, "the secret"),
    ("the crate log", other_crate, "the secret"),
    ("a process", process, "the secret"),
    ("a request", request, "the credentials of a request"),
    ("an answer", answer, "code"),
    ("a shape", shape, "a signed token"),
];

fn event() {
    watch::remember("the secret", SECRET);
    // In a thread of the service, where a panic would fail no test.
    let thread = thread::spawn(|| tracing::trace!(target: "other", value = ?[SECRET], "told"));
    let _ = thread.join();
}

fn span() {
    watch::remember("the secret", SECRET);
    let _span = tracing::trace_span!("request", path = SECRET);
}

fn record() {
    watch::remember("the secret", SECRET);
    let span = tracing::trace_span!("request", path = tracing::field::Empty);
    span.record("path", SECRET);
}

fn line_before() {
    tracing::trace!("issued {SECRET}");
    watch::remember("the secret", SECRET);
}

fn other_crate() {
    watch::remember("the secret", SECRET);
    log::trace!("told {SECRET}");
}

fn process() {
    watch::remember("the secret", SECRET);
    watch::output(Command::new("sh").args(["-c", &format!("echo {SECRET} >&2")]));
}

/// A service that logs the header of a request.
fn request() {
    let handler = async |headers: HeaderMap| tracing::trace!(header = ?headers[AUTHORIZATION]);
    let app = Router::new().route("/", get(handler));
    let service = Service::serve(&TestDatabase::sqlite(), app);
    let request = service.request("GET", "/");
    let _ = request.header("authorization", SECRET).try_send();
}

/// A service that logs its response before the client has it.
fn answer() {
    let handler = async || {
        tracing::trace!("issued {SECRET}");
        [(
            "location",
            format!("https://app.example.com/?code={SECRET}"),
        )]
    };
    let app = Router::new().route("/", get(handler));
    let service = Service::serve(&TestDatabase::sqlite(), app);
    let _ = service.request("GET", "/").try_send();
}

fn shape() {
    let (header, claims) = (text(br#"{"alg":"ES256"}"#), text(br#"{"sub":"ann"}"#));
    tracing::trace!("verifying {header}.{claims}.x");
}

/// Logs texts that only look a little like a secret, or are only a part of one.
fn harmless() {
    watch::remember("the secret", SECRET);
    let half = &SECRET[..SECRET.len() / 2];
    tracing::trace!(half, "a Bearer token");
    log::trace!("{half}");
    watch::output(Command::new("sh").args(["-c", &format!("echo {half} >&2")]));
}

/// The child process; does nothing among the other tests.
#[test]
fn child() {
    let Ok(way) = env::var(WAY) else {
        return;
    };
    block_on(async {});
    let told = WAYS.iter().find(|(name, ..)| *name == way);
    told.map_or(harmless as fn(), |(_, tell, _)| *tell)();
}

fn run_child(way: &str) -> watch::Output {
    let mut child = Command::new(env::current_exe().expect("the path of this test"));
    child.args(["--exact", "log_watch::child"]).env(WAY, way);
    let output = child.output().expect("the child runs");
    watch::Output {
        status: output.status,
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("readable words"),
    }
}

#[test]
fn secret_in_the_log_ends_the_tests_and_shows_its_line() {
    for (way, _, what) in WAYS {
        let output = run_child(way);
        let told = output.stderr;
        assert_eq!(output.status.code(), Some(watch::TOLD), "{way}: {told}");
        let sentence = format!("the log tells a secret, {what}, in this line:");
        let line = told.lines().skip_while(|line| *line != sentence).nth(1);
        let line = line.unwrap_or_else(|| panic!("{way}: {told}"));
        assert!(
            line.contains(SECRET) || line.contains("eyJ"),
            "{way}: {line}"
        );
    }
}

#[test]
fn harmless_lines_end_nothing() {
    let output = run_child("none");
    assert!(output.status.success(), "{}", output.stderr);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 passed"), "{text}");
}
