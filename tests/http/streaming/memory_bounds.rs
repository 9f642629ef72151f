//! Memory of the process while clients read nothing of long lists.

use std::future::pending;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use resource_runtime::{Api, Database, ServeOptions};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{
    Client, Service, StreamedResponse, TestDatabase, apply, assert_error, block_on, every_database,
    responses_differ,
};
use tokio::net::TcpListener;

use super::exports::{ALL, Setting};
use super::{SETTINGS, single_connection, with_settings};

const MIB: usize = 1024 * 1024;

/// Number of clients unless the variable `CLIENTS` is set.
const CLIENTS: usize = 100;

const URL: &str = "UNREAD_URL";
const ADDRESS: &str = "UNREAD_ADDRESS";

/// A process that serves settings; dropping it kills it.
struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    fn start(database: &TestDatabase) -> Self {
        Self::start_with(database, &env::temp_dir())
    }

    /// Starts the process with a folder for its temporary file.
    fn start_with(database: &TestDatabase, temporary: &Path) -> Self {
        let told = tempfile::NamedTempFile::new().expect("a file");
        let mut child = Command::new(env::current_exe().expect("this test"))
            .args(["--exact", "streaming::memory_bounds::as_child"])
            .env(URL, database.url())
            .env(ADDRESS, told.path())
            .env("TMPDIR", temporary)
            .stdout(Stdio::null())
            .spawn()
            .expect("a process");
        let address = wait_for("the address", || {
            assert!(child.try_wait().expect("a process").is_none());
            fs::read_to_string(told.path())
                .expect("a file")
                .parse()
                .ok()
        });
        Self { child, address }
    }

    /// Peak memory of the process since the last call, in bytes.
    fn peak(&self) -> usize {
        let folder = format!("/proc/{}", self.child.id());
        let status = fs::read_to_string(format!("{folder}/status")).expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
        fs::write(format!("{folder}/clear_refs"), "5").expect("a reset of the peak");
        kib.expect("a peak").parse::<usize>().expect("a number") * 1024
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Body of the process: serves the database at the URL until it is killed.
#[test]
fn as_child() {
    let (Ok(url), Ok(told)) = (env::var(URL), env::var(ADDRESS)) else {
        return;
    };
    let options = Database::options()
        .acquire_timeout(PATIENCE)
        .statement_timeout(PATIENCE)
        .page_cache(1);
    block_on(async {
        let database = options.connect(&url).await.expect("the database opens");
        let api = Api::builder().resource::<Setting>().build(database);
        let api = api.expect("a valid API");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the port's number");
        fs::write(told, address.to_string()).expect("a file");
        // With many clients it takes long until each is read.
        let patient = ServeOptions::new().response_timeout(PATIENCE * 10);
        let serving = patient.serve_until(listener, api.router(), pending());
        serving.await.expect("serving succeeds");
    });
}

#[cfg(target_os = "linux")]
#[apply(every_database)]
fn memory_is_bounded_while_clients_read_nothing() {
    responses_differ("the number of clients that find room varies");
    let database = with_settings(1000, 20_000);
    let process = Process::start(&database);
    let client = Client::of_process(process.address);
    let path = format!("{SETTINGS}?limit=1000");
    for _ in 0..2 {
        let (whole, is_whole) = StreamedResponse::ask(process.address, &path).rest();
        assert!(is_whole && whole.len() > 20_000_000);
    }
    let (whole, _) = StreamedResponse::ask(process.address, &path).rest();
    process.peak();
    let idle = process.peak();
    let count = env::var("CLIENTS").map_or(CLIENTS, |it| it.parse().expect("a number"));
    let clients: Vec<StreamedResponse> = (0..count)
        .map(|_| StreamedResponse::ask(process.address, &path))
        .collect();
    let mut times: Vec<Duration> = (0..500)
        .map(|index| {
            let begun = Instant::now();
            client.read(&format!("{SETTINGS}/{}", index + 1));
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    let (begun, refused): (Vec<StreamedResponse>, Vec<StreamedResponse>) = clients
        .into_iter()
        .partition(|it| it.head.starts_with("HTTP/1.1 200 "));
    assert!(
        refused
            .iter()
            .all(|it| it.head.starts_with("HTTP/1.1 503 "))
    );
    assert!(begun.len() >= 20, "{}", begun.len());
    let served = begun.len();
    for slow in begun {
        let (body, is_whole) = slow.rest();
        assert!(is_whole && body == whole, "{}", body.len());
    }
    let more = process.peak().saturating_sub(idle) / MIB;
    println!(
        "{count} clients, {served} served: {more} MiB more, p99 of another client {:?}",
        times[times.len() * 99 / 100]
    );
    assert!(more <= 128, "{more} MiB more than {} MiB", idle / MIB);
}

/// The variable `ROWS` sets the number of rows: with a million, the list has a quarter of a gigabyte.
#[cfg(target_os = "linux")]
#[apply(every_database)]
fn memory_is_bounded_while_a_client_reads_all_items_slowly() {
    let rows = env::var("ROWS").map_or(60_000, |it| it.parse().expect("a number"));
    let database = with_settings(rows, 200);
    let process = Process::start(&database);
    let client = Client::of_process(process.address);
    for _ in 0..2 {
        let path = format!("{SETTINGS}?limit=1000");
        let (page, is_whole) = StreamedResponse::ask(process.address, &path).rest();
        assert!(is_whole && page.len() > 200_000);
    }
    process.peak();
    let idle = process.peak();
    let slow = StreamedResponse::ask(process.address, ALL);
    for id in 1..=100 {
        client.read(&format!("{SETTINGS}/{id}"));
    }
    let (body, is_whole) = slow.rest();
    assert!(is_whole);
    assert_eq!(memchr::memchr_iter(b'\n', &body).count(), rows);
    let more = process.peak().saturating_sub(idle) / MIB;
    println!("{rows} rows, {} MiB: {more} MiB more", body.len() / MIB);
    assert!(more <= 32, "{more} MiB more than {} MiB", idle / MIB);
}

#[apply(every_database)]
fn long_lists_are_503_when_no_temporary_file_can_be_created() {
    let database = with_settings(400, 1000);
    let process = Process::start_with(&database, Path::new("/proc/no folder"));
    let client = Client::of_process(process.address);
    assert_error(&client.get(&format!("{SETTINGS}?limit=400")), 503, 10090);
    assert_eq!(client.read(&format!("{SETTINGS}/7"))["name"], "7");
    assert_eq!(
        client.read(&format!("{SETTINGS}?limit=10"))["totalItems"],
        400
    );
}

#[apply(every_database)]
fn lists_wait_in_memory_when_disk_space_is_zero() {
    let database = with_settings(100, 20_000);
    let service = Service::start_with(&database, single_connection(), |database| {
        let builder = Api::builder().unsent_on_disk(0);
        builder.resource::<SettingOne>().build(database)
    });
    let slow = StreamedResponse::ask(service.address(), &format!("{SETTINGS}?limit=100"));
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
    let (body, is_whole) = slow.rest();
    assert!(is_whole && body.len() > 2_000_000, "{}", body.len());
}

#[apply(every_database)]
fn long_lists_are_503_while_unsent_lists_exhaust_the_limits() {
    responses_differ("the moment at which the limits are exhausted varies");
    let database = with_settings(400, 20_000);
    let service = Service::start_with(&database, single_connection(), |database| {
        let builder = Api::builder()
            .unsent_in_memory(MIB)
            .unsent_on_disk(64 << 20);
        builder.resource::<SettingOne>().build(database)
    });
    let path = format!("{SETTINGS}?limit=400");
    let (whole, is_whole) = StreamedResponse::ask(service.address(), &path).rest();
    assert!(is_whole && whole.len() > 8_000_000);
    let mut slow = Vec::new();
    let refused = loop {
        let client = StreamedResponse::ask(service.address(), &path);
        if !client.head.starts_with("HTTP/1.1 200 ") {
            break client;
        }
        slow.push(client);
        assert!(slow.len() < 100, "none is refused");
    };
    assert!(
        refused.head.starts_with("HTTP/1.1 503 "),
        "{}",
        refused.head
    );
    let refused = service.get(&format!("{SETTINGS}?limit=10"));
    assert_error(&refused, 503, 10090);
    assert!(refused.header("retry-after").is_some());
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
    for client in slow {
        let (body, is_whole) = client.rest();
        assert!(is_whole && body == whole, "{}", body.len());
    }
    let (again, is_whole) = StreamedResponse::ask(service.address(), &path).rest();
    assert!(is_whole && again == whole);
}
