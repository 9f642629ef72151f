//! A full disk: the database file of the service cannot grow.

use std::process::Command;

use resource_tests::polling::wait_for;
use resource_tests::{Answer, TestDatabase, assert_error};
use serde_json::json;

use crate::address_book::{AddressBook, command};

const SETTINGS: &str = "/api/1.0/settings";

/// The command with SIGXFSZ ignored, so that a file beyond the limit is an error and no signal.
fn ignoring_file_size_signal(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    shell.env_remove("LISTEN_ADDR").env_remove("DATABASE_URL");
    shell
}

/// Limits the length of files that the process may write.
fn limit(book: &AddressBook, length: &str) {
    let mut prlimit = Command::new("prlimit");
    prlimit.args([
        format!("--pid={}", book.id()),
        format!("--fsize={length}:unlimited"),
    ]);
    assert!(prlimit.status().expect("an executable `prlimit`").success());
}

#[track_caller]
fn assert_unavailable(answer: &Answer) {
    assert_error(answer, 503, 10090);
    assert!(answer.header("retry-after").is_some());
}

#[test]
fn writes_to_a_full_disk_are_503_until_there_is_room_again() {
    let file = TestDatabase::sqlite();
    let book = AddressBook::spawn(ignoring_file_size_signal(&command(&file)), &file).listening();
    let client = &book.client;
    let path = client.create(SETTINGS, &json!({"name": "kept", "value": "v"}));
    assert_eq!(client.get("/readyz").status, 200);
    limit(&book, "0");
    let refused = |name: &str| json!({"name": name, "value": "v".repeat(10_000)});
    assert_unavailable(&client.post(SETTINGS, &refused("created")));
    assert_unavailable(&client.put(&path, &refused("changed")));
    assert_unavailable(&client.delete(&path));
    wait_for("readiness to fail", || {
        (client.get("/readyz").status == 503).then_some(())
    });
    assert_eq!(client.get("/livez").status, 200);
    assert_eq!(client.read(&path)["name"], "kept");
    limit(&book, "unlimited");
    wait_for("readiness to recover", || {
        (client.get("/readyz").status == 200).then_some(())
    });
    assert_eq!(client.read(SETTINGS)["totalItems"], 1);
    client.create(SETTINGS, &json!({"name": "more", "value": "v"}));
    let log = book.stopped();
    assert!(log.contains("free space"), "{log}");
}
