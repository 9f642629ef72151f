//! Totals of processes on one database while all of them write.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use resource_tests::{Client, TestDatabase, apply, every_database, responses_differ};
use serde_json::json;

use crate::address_book::{AddressBook, Starting, command};

const SETTINGS: &str = "/api/1.0/settings";
/// Number of readers of each process.
const READERS: usize = 4;
/// Number of creates of each process.
const CREATIONS: u64 = 60;
/// Settings at the start: so many that SQLite's totals are followed instead of counted.
const SETTINGS_BEFORE: u64 = 1_500;

/// Number of creates that were begun, and of those that were answered.
#[derive(Default)]
struct Creations {
    begun: AtomicU64,
    answered: AtomicU64,
    are_over: AtomicBool,
}

impl Creations {
    fn make(&self, writer: usize, client: &Client) {
        for number in 0..CREATIONS {
            self.begun.fetch_add(1, Ordering::SeqCst);
            let name = format!("{writer}/{number}");
            client.create(SETTINGS, &json!({"name": name, "value": "v"}));
            self.answered.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Asserts that a list counts every create that was answered before it, and none that was not begun.
    fn count(&self, reader: usize, client: &Client) {
        let mut is_last = false;
        while !is_last {
            is_last = self.are_over.load(Ordering::SeqCst);
            let answered = self.answered.load(Ordering::SeqCst);
            let page = client.read(&format!("{SETTINGS}?limit=2&offset={}", reader % 3));
            let begun = self.begun.load(Ordering::SeqCst);
            let total = page["totalItems"].as_u64().expect("a total") - SETTINGS_BEFORE;
            assert!(
                (answered..=begun).contains(&total),
                "{answered} {total} {begun}"
            );
        }
    }
}

fn totals_are_exact_while_so_many_write(processes: usize) {
    responses_differ("a total depends on the progress of the writers");
    let database = TestDatabase::default();
    let start = |()| AddressBook::spawn(command(&database), &database);
    let starting: Vec<Starting> = std::iter::repeat_n((), processes).map(start).collect();
    let books: Vec<AddressBook> = starting.into_iter().map(Starting::listening).collect();
    database.other_program().execute(&format!(
        "INSERT INTO settings (name, value) WITH RECURSIVE numbers (number) AS (
         SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {SETTINGS_BEFORE})
         SELECT 'setting ' || number, '' FROM numbers"
    ));
    let creations = Creations::default();
    thread::scope(|scope| {
        for AddressBook { client, .. } in &books {
            for reader in 0..READERS {
                let creations = &creations;
                scope.spawn(move || creations.count(reader, client));
            }
        }
        let writers = books.iter().enumerate().map(|(writer, book)| {
            let (creations, client) = (&creations, &book.client);
            scope.spawn(move || creations.make(writer, client))
        });
        let writers: Vec<_> = writers.collect();
        let written: Vec<_> = writers
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        creations.are_over.store(true, Ordering::SeqCst);
        assert!(written.iter().all(Result::is_ok));
    });
    let created = creations.answered.into_inner();
    for book in &books {
        let total = book.client.read(&format!("{SETTINGS}?limit=1"))["totalItems"].clone();
        assert_eq!(total, SETTINGS_BEFORE + created);
    }
}

#[apply(every_database)]
fn totals_are_exact_while_one_process_writes() {
    totals_are_exact_while_so_many_write(1);
}

#[apply(every_database)]
fn totals_are_exact_while_four_processes_write() {
    totals_are_exact_while_so_many_write(4);
}
