//! Crash and restart of the PostgreSQL server under a load of writes.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use resource_tests::polling::{SetOnDrop, wait_for};
use resource_tests::{Answer, Client, Cluster, TestDatabase, assert_error};
use serde_json::json;

use crate::address_book::AddressBook;

const WRITERS: usize = 8;

/// Number of acknowledged writes at which the server is killed.
const ENOUGH: usize = 200;

/// Maximum time of a request while the server is down: a second more than it may wait for a connection.
const LONGEST: Duration = Duration::from_secs(4);

/// Maximum time until the service has recovered once the server is back.
const RECOVERY: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
struct Load {
    /// Names of settings that were certainly not created.
    refused: Mutex<Vec<String>>,
    /// Acknowledged writes: the value of each setting.
    acknowledged: Mutex<HashMap<String, &'static str>>,
    /// The phone numbers that each user may have.
    phones: Mutex<HashMap<String, Vec<String>>>,
    /// Number of responses of 503, and of 500, which means that the outcome is unknown.
    unavailable: Mutex<usize>,
    unknown: Mutex<usize>,
    done: AtomicBool,
}

impl Load {
    /// Creates and changes settings until the test is done, recording what was acknowledged.
    fn write(&self, client: &Client, writer: usize) {
        for number in 0.. {
            if self.done.load(Ordering::Relaxed) {
                return;
            }
            let name = format!("{writer}/{number}");
            let body = json!({"name": name, "value": "created"});
            let answer = Self::timed(|| client.post("/api/2.0/settings", &body));
            self.count_failure(&answer);
            if answer.status == 503 {
                self.refused.lock().expect("a lock").push(name);
            }
            if answer.status != 201 {
                continue;
            }
            let path = answer.header("location").expect("a path").to_owned();
            self.acknowledge(&path, "created");
            // From here on the value may be either, unless the change is acknowledged.
            self.acknowledge(&path, "created|changed");
            let answer = Self::timed(|| client.put(&path, &json!({"value": "changed"})));
            match answer.status {
                204 => self.acknowledge(&path, "changed"),
                503 => self.acknowledge(&path, "created"),
                _ => {}
            }
            self.count_failure(&answer);
            self.update_phone(client, writer, number);
            let page = Self::timed(|| client.get("/api/2.0/settings?limit=1"));
            if page.status != 200 {
                assert_error(&page, 503, 10090);
            }
        }
    }

    /// Updates, with hooks, the phone number of the user of a writer.
    fn update_phone(&self, client: &Client, writer: usize, number: usize) {
        let path = format!("/api/1.0/users/{}", writer + 1);
        let phone = format!("+4930{number:06}");
        let answer = Self::timed(|| client.put(&path, &json!({"phone": phone})));
        let mut phones = self.phones.lock().expect("a lock");
        let phones = phones.entry(path).or_default();
        match answer.status {
            204 => *phones = vec![phone],
            // The number may be the new or the old one, until another is acknowledged.
            500 => phones.push(phone),
            _ => {}
        }
        self.count_failure(&answer);
    }

    fn acknowledge(&self, path: &str, value: &'static str) {
        self.acknowledged
            .lock()
            .expect("a lock")
            .insert(path.to_owned(), value);
    }

    fn timed(request: impl FnOnce() -> Answer) -> Answer {
        let start = Instant::now();
        let answer = request();
        let took = start.elapsed();
        assert!(took < LONGEST, "{} took {took:?}", answer.status);
        answer
    }

    /// Counts failures: a 503, which means that nothing was changed, or a 500 of unknown outcome.
    fn count_failure(&self, answer: &Answer) {
        match answer.status {
            201 | 204 => {}
            500 => *self.unknown.lock().expect("a lock") += 1,
            _ => {
                assert_error(answer, 503, 10090);
                assert!(answer.header("retry-after").is_some());
                *self.unavailable.lock().expect("a lock") += 1;
            }
        }
    }

    fn count(&self) -> usize {
        self.acknowledged.lock().expect("a lock").len()
    }
}

#[test]
fn a_crash_of_the_server_loses_no_acknowledged_write() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    let database = TestDatabase::schema(&cluster.url());
    let book = AddressBook::start(&database);
    for writer in 0..WRITERS {
        let name = format!("writer {writer}");
        let user = json!({"username": name, "email": "a@example.org", "phone": "+49301234567", "password": "x"});
        book.client.create("/api/1.0/users", &user);
    }
    let load = Load::default();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (load, client) = (&load, &book.client);
            scope.spawn(move || load.write(client, writer));
        }
        let done = SetOnDrop(&load.done);
        wait_for("enough writes", || (load.count() >= ENOUGH).then_some(()));
        cluster.kill();
        wait_for("requests to fail", || {
            (*load.unavailable.lock().expect("a lock") >= 2 * WRITERS).then_some(())
        });
        cluster.start_again();
        let back = Instant::now();
        let before = load.count();
        wait_for("writes", || (load.count() >= before + ENOUGH).then_some(()));
        let took = back.elapsed();
        drop(done);
        assert!(took < RECOVERY, "the service needed {took:?} to recover");
    });
    assert_stored(&book.client, &load);
    let log = book.stopped();
    let unknown = load.unknown.into_inner().expect("a lock");
    assert_eq!(log.matches("outcome is unknown").count(), unknown, "{log}");
}

fn assert_stored(client: &Client, load: &Load) {
    for (path, value) in load.acknowledged.lock().expect("a lock").iter() {
        let item = client.read(path);
        let stored = item["value"].as_str().expect("a value");
        assert!(value.contains(stored), "{path} is {stored}, not {value}");
    }
    for (path, phones) in load.phones.lock().expect("a lock").iter() {
        let stored = client.read(path)["phone"]
            .as_str()
            .expect("a number")
            .to_owned();
        assert!(
            phones.contains(&stored),
            "{path} has {stored}, not one of {phones:?}"
        );
    }
    for name in load.refused.lock().expect("a lock").iter() {
        let filter = format!("filter=eq(name,%22{}%22)", name.replace('/', "%2F"));
        let page = client.read(&format!("/api/2.0/settings?{filter}"));
        assert_eq!(page["totalItems"], 0, "{name} was created despite the 503");
    }
}
