//! An outbox whose process is killed: each stored order has exactly one event, each event its order.
//!
//! `OUTBOX_KILLS=200 cargo test -p resource-tests --test data outbox` kills it as often as one likes.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;

use resource_runtime::{
    Api, ApiResource, Database, Error, HookError, HookResult, Validator, WriteContext, new,
};
use resource_tests::polling::wait_for;
use resource_tests::{
    Client, Service, TestDatabase, apply, block_on, every_database, responses_differ,
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
    builder.build(database)
}

#[apply(every_database)]
fn hooks_of_killed_processes_leave_one_event_for_each_order() {
    responses_differ("a process is killed at chance");
    let database = TestDatabase::default();
    let kills = env::var("OUTBOX_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let acknowledged = Mutex::new(BTreeSet::new());
    for kill in 0..kills {
        let (mut process, address) = start(&database);
        let client = Client::new(address);
        // Each process is killed after another number of orders, the first before it has any.
        let enough = acknowledged.lock().unwrap().len() + kill * 7 % 60;
        thread::scope(|scope| {
            for _ in 0..WRITERS {
                scope.spawn(|| order_until_killed(&client, &acknowledged));
            }
            wait_for("enough orders", || {
                (acknowledged.lock().unwrap().len() >= enough).then_some(())
            });
            process.kill().unwrap();
            process.wait().unwrap();
        });
    }
    let (orders, events) = stored(&database);
    let ordered: BTreeSet<i64> = events.iter().copied().collect();
    assert_eq!(ordered.len(), events.len(), "an order has two events");
    let alone: Vec<_> = ordered.symmetric_difference(&orders).collect();
    assert!(alone.is_empty(), "{alone:?} lack the order or the event");
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() > kills);
    let lost: Vec<_> = acknowledged.difference(&orders).collect();
    assert!(lost.is_empty(), "{lost:?} were acknowledged");
}

/// Creates orders until a request gets no response; every fourth is refused.
fn order_until_killed(client: &Client, acknowledged: &Mutex<BTreeSet<i64>>) {
    for number in 1.. {
        let article = if number % 4 == 0 { "nothing" } else { "anvil" };
        let body = json!({"article": article}).to_string();
        let request = client.request("POST", "/api/1.0/orders").json(body);
        let Some(answer) = request.try_send() else {
            return;
        };
        if article == "nothing" {
            assert_eq!(answer.status, 400, "{}", answer.text());
            continue;
        }
        assert_eq!(answer.status, 201, "{}", answer.text());
        let (_, id) = answer.header("location").unwrap().rsplit_once('/').unwrap();
        acknowledged.lock().unwrap().insert(id.parse().unwrap());
    }
}

/// The ids of all orders, and the orders of all events, of one snapshot.
fn stored(database: &TestDatabase) -> (BTreeSet<i64>, Vec<i64>) {
    block_on(async {
        let database = Database::connect(&database.url()).await?;
        let mut snapshot = build(database)?.read().await?;
        let orders = snapshot.items::<Order>().limit(u64::MAX);
        let orders = orders.select(Order::ID).all().await?;
        let events = snapshot.items::<Event>().limit(u64::MAX);
        let events = events.select(Event::ORDER_ID).all().await?;
        Ok::<_, Error>((orders.into_iter().collect(), events))
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
