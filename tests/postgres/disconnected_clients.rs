//! Clients that disconnect during their requests: others are not affected.

use std::io::Write as _;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use resource_runtime::{Api, Database, DatabaseOptions};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{Cluster, OtherProgram, Service, TestDatabase, block_on, raw};
use serde_json::{Value, json};
use tokio::net::TcpStream;

const SETTINGS: &str = "/api/1.0/settings";

/// The time after which clients disconnect.
const SHORT: Duration = Duration::from_millis(50);

/// The application name of the service's sessions.
const SESSIONS: &str = "settings";

/// A service on a server of the test's own.
fn settings(cluster: &Cluster, options: DatabaseOptions) -> Service {
    let name = format!("%20-c%20application_name%3D{SESSIONS}");
    let database = TestDatabase::schema(&cluster.url()).with_options(&name);
    Service::start_with(&database, options, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    })
}

/// The only value of a query about the sessions of the service.
fn sessions(other: &mut OtherProgram, selected: &str, condition: &str) -> String {
    other.text(&format!(
        "SELECT {selected}::text FROM pg_stat_activity \
         WHERE application_name = '{SESSIONS}' AND pid <> pg_backend_pid() AND {condition}"
    ))
}

/// Sends a request and resets the connection unless a response begins within `patience`. The service
/// would notice a connection that is merely closed only when it writes.
fn abandon(address: SocketAddr, request: &str, patience: Duration) {
    let mut client = raw::connect(address);
    client.write_all(request.as_bytes()).expect("a request");
    client.set_read_timeout(Some(patience)).expect("a limit");
    let _ = client.peek(&mut [0]);
    client.set_nonblocking(true).expect("a socket of a runtime");
    block_on(async {
        let client = TcpStream::from_std(client).expect("a socket");
        client.set_zero_linger().expect("a reset");
    });
}

fn page() -> String {
    format!("GET {SETTINGS} HTTP/1.1\r\nHost: settings\r\n\r\n")
}

fn creation(body: &Value) -> String {
    let body = body.to_string();
    let length = body.len();
    format!(
        "POST {SETTINGS} HTTP/1.1\r\nHost: settings\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

fn signal(name: &str, process: &str) {
    let kill = Command::new("kill").args(["-s", name, process]).status();
    assert!(kill.expect("a program `kill`").success());
}

#[test]
fn writes_acknowledged_after_a_disconnect_are_stored() {
    const ROUNDS: usize = 5;
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let service = settings(&cluster, Database::options().connections(1));
    let mut other = service.database().other_program();
    for number in 0..ROUNDS {
        let body = json!({"name": number.to_string(), "value": "kept"});
        service.create(SETTINGS, &body);
        let process = sessions(&mut other, "max(pid)", "true");
        signal("STOP", &process);
        abandon(service.address(), &page(), SHORT);
        signal("CONT", &process);
    }
    service.create(SETTINGS, &json!({"name": "last", "value": "kept"}));
    let kept = other.text("SELECT count(*)::text FROM settings");
    assert_eq!(kept, (ROUNDS + 1).to_string());
    // A read-only transaction left open by a page would have refused the next write.
    let log = cluster.log();
    assert!(!log.contains("read-only transaction"), "{log}");
    wait_for("the end of all transactions", || {
        let open = sessions(&mut other, "count(*)", "state LIKE 'idle in transaction%'");
        (open == "0").then_some(())
    });
}

#[test]
fn disconnected_clients_never_cause_more_sessions_than_connections() {
    const PLACES: u32 = 3;
    const CLIENTS: usize = 60;
    let Some(cluster) = Cluster::start() else {
        return;
    };
    // No statement times out while the table is locked.
    let options = Database::options()
        .acquire_timeout(PATIENCE)
        .statement_timeout(PATIENCE);
    let service = settings(&cluster, options.connections(PLACES));
    let mut other = service.database().other_program();
    let mut holder = service.database().other_program();
    holder.execute("SET application_name = 'holder'; BEGIN; LOCK TABLE settings");
    for number in 0..CLIENTS {
        let body = json!({"name": number.to_string(), "value": "unheard"});
        let request = if number % 2 == 0 {
            creation(&body)
        } else {
            page()
        };
        abandon(service.address(), &request, SHORT);
        let busy = sessions(&mut other, "count(*)", "state <> 'idle'");
        assert!(busy.parse::<u32>().expect("a number") <= PLACES, "{busy}");
    }
    let all = sessions(&mut other, "count(*)", "true");
    assert!(all.parse::<u32>().expect("a number") <= PLACES, "{all}");
    holder.execute("COMMIT");
    service.create(SETTINGS, &json!({"name": "last", "value": "kept"}));
}
