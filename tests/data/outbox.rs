//! An outbox whose process is killed: each stored order has exactly one event, each event its order, and each request
//! that is sent until it is answered one item.
//!
//! `OUTBOX_KILLS=200 SERVER_KILLS=100 cargo test -p resource-tests --test data outbox` kills it, and the server of
//! PostgreSQL, as often as one likes.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::{self, Read as _};
use std::iter;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use resource_runtime::{
    Api, ApiResource, Database, Error, HookError, HookResult, Validator, WriteContext, new,
};
use resource_tests::polling::{SetOnDrop, wait_for};
use resource_tests::{
    Client, Cluster, Service, TestDatabase, apply, block_on, every_database, responses_differ,
};
use serde_json::json;

/// The number of kills unless `OUTBOX_KILLS` says otherwise.
const KILLS: usize = 12;

const WRITERS: usize = 8;

const URL: &str = "OUTBOX_URL";
const ADDRESS: &str = "OUTBOX_ADDRESS";

#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", validator = Outbox)]
struct Order {
    id: i64,
    article: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
struct Event {
    id: i64,
    #[resource(references = Order)]
    order_id: i64,
}

/// Written without hooks, by a single statement.
#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    article: String,
}

#[derive(Debug, Default)]
struct Outbox;

impl Validator<Order> for Outbox {
    async fn row_created(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        let event = new!(Event { order_id: order.id });
        context.items::<Event>().insert(event).await?;
        // An order that is refused this late takes its event with it.
        if order.article == "nothing" {
            return Err(HookError::refused("nothing cannot be ordered"));
        }
        Ok(())
    }
}

fn build(database: Database) -> Result<Api, Error> {
    let builder = Api::builder().resource::<Order>().resource::<Event>();
    let builder = builder.resource::<Note>();
    builder
        .idempotency_keys(Duration::from_hours(1))
        .build(database)
}

/// The requests of all clients by their keys.
#[derive(Debug, Default)]
struct Requests {
    /// The locations of the items of those that were answered.
    answered: BTreeMap<String, String>,
    /// Those to send again.
    unanswered: Vec<String>,
}

#[apply(every_database)]
fn hooks_of_killed_processes_leave_one_event_for_each_order() {
    responses_differ("a process is killed at chance");
    let database = TestDatabase::default();
    let kills = env::var("OUTBOX_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let requests = Mutex::new(Requests::default());
    for kill in 0..kills {
        let (mut process, address) = start(&database);
        let client = Client::new(address);
        // Each process is killed after another number of orders, the first before it has any.
        let enough = requests.lock().unwrap().answered.len() + kill * 7 % 60;
        thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (client, requests) = (&client, &requests);
                scope.spawn(move || order_until_killed(client, kill * WRITERS + writer, requests));
            }
            wait_for("enough orders", || {
                (requests.lock().unwrap().answered.len() >= enough).then_some(())
            });
            process.kill().unwrap();
            process.wait().unwrap();
        });
    }
    let (mut process, address) = start(&database);
    let client = Client::new(address);
    let Requests {
        mut answered,
        unanswered,
    } = requests.into_inner().unwrap();
    for key in unanswered {
        let location = order(&client, &key).expect("the last process is not killed");
        answered.insert(key, location);
    }
    for (key, location) in &answered {
        assert_eq!(order(&client, key).as_ref(), Some(location), "{key}");
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let (orders, notes, events) = stored(&database);
    let ordered: BTreeSet<i64> = events.iter().copied().collect();
    assert_eq!(ordered.len(), events.len(), "an order has two events");
    let alone: Vec<_> = ordered.symmetric_difference(&orders).collect();
    assert!(alone.is_empty(), "{alone:?} lack the order or the event");
    assert!(answered.len() > kills);
    let locations: BTreeSet<&String> = answered.values().collect();
    assert_eq!(
        locations.len(),
        answered.len(),
        "two requests have one item"
    );
    let items = orders.len() + notes.len();
    assert_eq!(
        items,
        answered.len(),
        "each request has one item, and each item its request"
    );
}

#[test]
fn killed_server_leaves_one_item_for_each_request() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    let kills = env::var("SERVER_KILLS").map_or(2, |kills| kills.parse().unwrap());
    let database = TestDatabase::schema(&cluster.url());
    let service = Service::start_on(&database, build);
    let client = Client::new(service.address());
    let (answered, done) = (Mutex::new(BTreeMap::new()), AtomicBool::new(false));
    let count = || answered.lock().unwrap().len();
    thread::scope(|scope| {
        let _done = SetOnDrop(&done);
        for writer in 0..WRITERS {
            let (client, answered, done) = (&client, &answered, &done);
            scope.spawn(move || {
                let keys = (1..).map(|number| format!("key-of-writer-{writer}-{number}"));
                for key in keys.take_while(|_| !done.load(Ordering::Relaxed)) {
                    let mut locations = iter::repeat_with(|| order(client, &key));
                    let location = locations.find_map(|it| it).unwrap();
                    answered.lock().unwrap().insert(key, location);
                }
            });
        }
        for kill in 0..kills {
            let enough = count() + 1 + kill * 7 % 60;
            wait_for("enough orders", || (count() >= enough).then_some(()));
            cluster.kill();
            cluster.start_again();
        }
        let enough = count() + WRITERS;
        wait_for("orders after the last kill", || {
            (count() >= enough).then_some(())
        });
    });
    let answered = answered.into_inner().unwrap();
    for (key, location) in &answered {
        assert_eq!(order(&client, key).as_ref(), Some(location), "{key}");
    }
    let (orders, notes, events) = stored(&database);
    assert_eq!(orders.len(), events.len());
    assert_eq!(orders.len() + notes.len(), answered.len());
}

/// Creates items until a request gets no response; every fourth is refused.
fn order_until_killed(client: &Client, writer: usize, requests: &Mutex<Requests>) {
    for number in 1.. {
        if number % 4 == 0 {
            let body = json!({"article": "nothing"}).to_string();
            let request = client.request("POST", "/api/1.0/orders").json(body);
            let Some(answer) = request.try_send() else {
                return;
            };
            assert_eq!(answer.status, 400, "{}", answer.text());
            continue;
        }
        let again = requests.lock().unwrap().unanswered.pop();
        let key = again.unwrap_or_else(|| format!("key-of-writer-{writer}-{number}"));
        let location = order(client, &key);
        let mut requests = requests.lock().unwrap();
        let Some(location) = location else {
            return requests.unanswered.push(key);
        };
        requests.answered.insert(key, location);
    }
}

/// Sends the request of a key, of every third for a note; returns the location of the item. There is none without a
/// response, or while the database is away.
fn order(client: &Client, key: &str) -> Option<String> {
    let is_note = key.ends_with(['3', '6', '9']);
    let path = if is_note {
        "/api/1.0/notes"
    } else {
        "/api/1.0/orders"
    };
    let request = client.request("POST", path).header("idempotency-key", key);
    let answer = request
        .json(json!({"article": key}).to_string())
        .try_send()?;
    if matches!(answer.status, 500 | 503) {
        return None;
    }
    assert_eq!(answer.status, 201, "{}", answer.text());
    Some(answer.header("location").unwrap().to_owned())
}

/// The ids of all orders and notes, and the orders of all events, of one snapshot.
fn stored(database: &TestDatabase) -> (BTreeSet<i64>, Vec<i64>, Vec<i64>) {
    block_on(async {
        let database = Database::connect(&database.url()).await?;
        let mut snapshot = build(database)?.read().await?;
        let orders = snapshot.items::<Order>().limit(u64::MAX);
        let orders = orders.select(Order::ID).all().await?;
        let notes = snapshot.items::<Note>().limit(u64::MAX);
        let notes = notes.select(Note::ID).all().await?;
        let events = snapshot.items::<Event>().limit(u64::MAX);
        let events = events.select(Event::ORDER_ID).all().await?;
        Ok::<_, Error>((orders.into_iter().collect(), notes, events))
    })
    .unwrap()
}

/// Starts a process that serves orders, and waits for its address.
fn start(database: &TestDatabase) -> (Child, SocketAddr) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "outbox::as_child"])
        .env(URL, database.url())
        .env(ADDRESS, file.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = wait_for("the address of the process", || {
        assert_eq!(child.try_wait().unwrap(), None, "the process has ended");
        let text = fs::read_to_string(file.path()).unwrap();
        text.strip_suffix('\n').map(|text| text.parse().unwrap())
    });
    (child, address)
}

/// The process that is killed: serves orders, at most until the test ends.
#[test]
fn as_child() {
    let (Ok(url), Ok(address)) = (env::var(URL), env::var(ADDRESS)) else {
        return;
    };
    let service = Service::start_on(&TestDatabase::at(&url), build);
    fs::write(Path::new(&address), format!("{}\n", service.address())).unwrap();
    // The pipe is closed by the end of the test, whatever ends it.
    io::stdin().read_to_end(&mut Vec::new()).unwrap();
}
