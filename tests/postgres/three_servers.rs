//! Failovers among three servers with quorum commit, while clients read and write: no acknowledged write is lost.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::polling::{SetOnDrop, wait_for};
use resource_tests::{Client, Cluster, OtherProgram, Service, TestDatabase, assert_error};
use serde_json::json;

use super::totals::SETTINGS;

const WRITERS: usize = 32;
const READERS: usize = 32;

/// Connections of the service, by default.
const CONNECTIONS: usize = 10;

/// The time by which the service's own outage may exceed that of the database.
const TOLERANCE: Duration = Duration::from_secs(3);

/// Number of failovers: `FAILOVERS`, by default one.
fn failovers() -> usize {
    let failovers = std::env::var("FAILOVERS").ok();
    failovers.map_or(1, |text| text.parse().expect("FAILOVERS is a number"))
}

/// A primary and its standbys, one of which has each write before it is acknowledged.
struct Group {
    primary: Cluster,
    standbys: Vec<Cluster>,
}

fn program(server: &Cluster) -> OtherProgram {
    TestDatabase::at(&server.url()).other_program()
}

/// Bytes of the log of writes that this standby has.
fn received(standby: &Cluster) -> u64 {
    let received = "SELECT pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), \
                    pg_last_wal_replay_lsn()), '0/0')::text";
    program(standby).text(received).parse().expect("a number")
}

impl Group {
    fn start() -> Option<Self> {
        let primary = Cluster::start()?;
        let mut settings = program(&primary);
        settings.execute("CREATE TABLE probe (id INT)");
        settings.execute("ALTER SYSTEM SET wal_keep_size = '1GB'");
        settings.execute("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'");
        settings.execute("SELECT pg_reload_conf()");
        let standbys = vec![primary.standby(), primary.standby()];
        Some(Self { primary, standbys })
    }

    fn url(&self) -> String {
        let servers = self.standbys.iter().chain([&self.primary]);
        let hosts: Vec<String> = servers
            .map(|it| format!("127.0.0.1:{}", it.port()))
            .collect();
        let hosts = hosts.join(",");
        format!("postgres://tester@{hosts}/postgres?target_session_attrs=read-write")
    }

    /// Kills the primary, and promotes the standby with the most writes; returns the time from which on that one takes
    /// writes.
    fn fail_over(&mut self, killed: impl FnOnce()) -> Instant {
        self.primary.kill();
        killed();
        self.standbys.sort_by_key(received);
        let new = self.standbys.pop().expect("a standby");
        new.promote();
        for other in &self.standbys {
            other.follow(&new);
        }
        // The commit waits until a standby has it.
        program(&new).execute("INSERT INTO probe VALUES (1)");
        let is_back = Instant::now();
        let mut old = std::mem::replace(&mut self.primary, new);
        old.start_as_standby_of(&self.primary);
        self.standbys.push(old);
        is_back
    }
}

/// The clients of the service, and what they were told.
struct Load {
    is_over: AtomicBool,
    acknowledged: Mutex<BTreeSet<String>>,
    /// Number of writes whose outcome is unknown.
    unknown: AtomicUsize,
    /// Of each client, writers first: the end of the first write or reading that began after the last failover and succeeded.
    recovered: Mutex<Vec<Option<Instant>>>,
    failed_over: Mutex<Instant>,
}

impl Load {
    fn write(&self, writer: usize, client: &Client) {
        for number in 0.. {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let name = format!("{writer}/{number}");
            let begun = Instant::now();
            let answer = client.post(SETTINGS, &json!({"name": name, "value": ""}));
            match answer.status {
                201 => {
                    let mut acknowledged = self.acknowledged.lock().expect("no panic");
                    acknowledged.insert(name);
                    drop(acknowledged);
                    self.succeed(writer, begun);
                }
                503 => drop(assert_error(&answer, 503, 10090)),
                500 => drop(self.unknown.fetch_add(1, Ordering::Relaxed)),
                other => panic!("a write is answered by {other}"),
            }
        }
    }

    fn succeed(&self, client: usize, begun: Instant) {
        if begun > *self.failed_over.lock().expect("no panic") {
            let mut recovered = self.recovered.lock().expect("no panic");
            recovered[client].get_or_insert_with(Instant::now);
        }
    }

    fn read(&self, reader: usize, client: &Client) {
        while !self.is_over.load(Ordering::Relaxed) {
            for path in [&*format!("{SETTINGS}?limit=3"), &format!("{SETTINGS}/1")] {
                let begun = Instant::now();
                let answer = client.get(path);
                match answer.status {
                    200 => self.succeed(WRITERS + reader, begun),
                    _ => drop(assert_error(&answer, 503, 10090)),
                }
            }
        }
    }

    /// Begins another failover, from which on each client has to recover.
    fn begin(&self) {
        *self.recovered.lock().expect("no panic") = vec![None; WRITERS + READERS];
        *self.failed_over.lock().expect("no panic") = Instant::now();
    }

    /// The times of the first success of the first writer, of the last writer and of the last reader.
    fn recovered(&self) -> [Instant; 3] {
        wait_for("all clients to recover", || {
            let recovered = self.recovered.lock().expect("no panic");
            let all: Option<Vec<Instant>> = recovered.iter().copied().collect();
            let all = all?;
            let (writers, readers) = all.split_at(WRITERS);
            let [first, last] = [writers.iter().min()?, writers.iter().max()?];
            Some([*first, *last, *readers.iter().max()?])
        })
    }
}

#[test]
fn no_acknowledged_write_is_lost_by_a_failover() {
    let Some(mut group) = Group::start() else {
        return;
    };
    let service = Service::start_on(&TestDatabase::at(&group.url()), |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    service.create(SETTINGS, &json!({"name": "first", "value": ""}));
    let load = Load {
        is_over: AtomicBool::new(false),
        acknowledged: Mutex::default(),
        unknown: AtomicUsize::new(0),
        recovered: Mutex::new(vec![None; WRITERS + READERS]),
        failed_over: Mutex::new(Instant::now()),
    };
    thread::scope(|scope| {
        let _end = SetOnDrop(&load.is_over);
        let (load, client) = (&load, &*service);
        for writer in 0..WRITERS {
            scope.spawn(move || load.write(writer, client));
        }
        for reader in 0..READERS {
            scope.spawn(move || load.read(reader, client));
        }
        for number in 1..=failovers() {
            load.recovered();
            let is_back = group.fail_over(|| load.begin());
            let killed = *load.failed_over.lock().expect("no panic");
            let outage = is_back - killed;
            let recovered = load.recovered().map(|it| it - killed);
            let [first, last, reader] = recovered;
            eprintln!(
                "failover {number}: no writes for {outage:.1?} by the database, for {first:.1?} by the service, \
                 for {last:.1?} by the last of its writers; no reading for {reader:.1?} by the last reader"
            );
            for client in recovered {
                assert!(client <= outage + TOLERANCE, "{client:?} > {outage:?}");
            }
        }
    });
    let mut primary = program(&group.primary);
    let stored = primary.text("SELECT string_agg(name, ',') FROM settings");
    let stored: BTreeSet<&str> = stored.split(',').collect();
    let acknowledged = load.acknowledged.into_inner().expect("no panic");
    let lost = acknowledged.iter().filter(|it| !stored.contains(&***it));
    assert_eq!(lost.collect::<Vec<_>>(), Vec::<&String>::new());
    let unknown = load.unknown.into_inner();
    eprintln!(
        "{} acknowledged writes, all of them stored, and {unknown} of unknown outcome",
        acknowledged.len()
    );
    // Only a write that was sent before its server was killed may be one, so a connection has one at most.
    assert!(
        unknown <= CONNECTIONS * failovers(),
        "{unknown} of unknown outcome"
    );
    let count = primary.text("SELECT count(*)::text FROM settings");
    let page = service.read(&format!("{SETTINGS}?limit=1"));
    assert_eq!(page["totalItems"].to_string(), count);
}
