//! A disk that takes no more: the file of the service may grow no further.

use std::process::Command;

use resource_tests::patience::wait_for;
use resource_tests::{Answer, TestDatabase, assert_error};
use serde_json::json;

use crate::address_book::{AddressBook, command};

const SETTINGS: &str = "/api/1.0/settings";

/// The command, to which a file that grows too long is an error instead of a signal.
fn undeterred(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    shell.env_remove("LISTEN_ADDR").env_remove("DATABASE_URL");
    shell
}

/// Lets the process write files of this length at most.
fn limit(book: &AddressBook, length: &str) {
    let mut prlimit = Command::new("prlimit");
    prlimit.args([
        format!("--pid={}", book.id()),
        format!("--fsize={length}:unlimited"),
    ]);
    assert!(prlimit.status().expect("there is a `prlimit`").success());
}

#[track_caller]
fn assert_unavailable(answer: &Answer) {
    assert_error(answer, 503, 10090);
    assert!(answer.header("retry-after").is_some());
}

#[test]
fn a_full_disk_is_unavailable_until_there_is_room_again() {
    let file = TestDatabase::sqlite();
    let book = AddressBook::spawn(undeterred(&command(&file)), &file).listening();
    let client = &book.client;
    let path = client.create(SETTINGS, &json!({"name": "kept", "value": "v"}));
    assert_eq!(client.get("/readyz").status, 200);
    limit(&book, "0");
    let refused = |name: &str| json!({"name": name, "value": "v".repeat(10_000)});
    assert_unavailable(&client.post(SETTINGS, &refused("created")));
    assert_unavailable(&client.put(&path, &refused("changed")));
    assert_unavailable(&client.delete(&path));
    wait_for("readiness to tell it", || {
        (client.get("/readyz").status == 503).then_some(())
    });
    assert_eq!(client.get("/livez").status, 200);
    assert_eq!(client.read(&path)["name"], "kept");
    limit(&book, "unlimited");
    wait_for("readiness to tell that there is room", || {
        (client.get("/readyz").status == 200).then_some(())
    });
    assert_eq!(client.read(SETTINGS)["totalItems"], 1);
    client.create(SETTINGS, &json!({"name": "more", "value": "v"}));
    let log = book.stopped();
    assert!(log.contains("free space"), "{log}");
}
