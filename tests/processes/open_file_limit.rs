//! More connections than the limit on open files of the process allows.

use std::net::TcpStream;
use std::process::Command;
use std::thread;

use resource_tests::polling::wait_for;
use resource_tests::{TestDatabase, raw};

use crate::address_book::{AddressBook, command};

/// A limit that suffices for the database, which has readers for each processor, and a few connections.
fn files() -> usize {
    64 + 8 * thread::available_parallelism().map_or(1, usize::from)
}

/// The command with a limit on open files.
fn with_files(command: &Command, files: usize) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args());
    shell.env_remove("LISTEN_ADDR").env_remove("DATABASE_URL");
    shell
}

#[test]
fn the_service_recovers_from_the_open_file_limit() {
    let file = TestDatabase::default();
    let command = with_files(&command(&file), files());
    let book = AddressBook::spawn(command, &file).listening();
    assert_eq!(book.client.get("/api/1.0/settings").status, 200);

    let crowd: Vec<TcpStream> = (0..files())
        .map(|_| raw::connect(book.client.address()))
        .collect();
    wait_for("the log to report the limit on open files", || {
        book.log().contains("accept fails").then_some(())
    });
    drop(crowd);
    assert_eq!(book.client.get("/api/1.0/settings").status, 200);
    book.stopped();
}
