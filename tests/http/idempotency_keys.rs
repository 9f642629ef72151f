//! `Idempotency-Key`: a request for a new item that comes again creates nothing, and gets the answer of the first.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::Request;
use axum::middleware::map_request;
use resource_runtime::{
    Api, ApiBuilder, ApiResource, Change, Clock, Database, HookResult, Messages, Principal,
    Validator, WriteContext,
};
use resource_tests::polling::wait_for;
use resource_tests::{
    Answer, Service, TestDatabase, apply, assert_created, assert_error, block_on, every_database,
    problems, responses_differ,
};
use serde_json::{Value, json};

const DAY: Duration = Duration::from_hours(24);

/// A key that is long enough for callers without a name.
const KEY: &str = "8e03978e-40d5-43dd-bc93-6894a57f9324";

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0")]
struct Order {
    id: i64,
    #[resource(max_length = 20, unique)]
    number: String,
    #[resource(read_only)]
    checked: Option<i64>,
}

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Country", url = "/countries", version = "1.0")]
struct Country {
    #[resource(primary_key, assigned, max_length = 20)]
    code: String,
    name: String,
}

/// Counts the calls of its hooks, and changes the item.
#[derive(Debug, Default)]
struct Counted {
    before: AtomicU64,
    after: AtomicU64,
}

/// The hooks of a service, which the test keeps.
struct Hooks(Arc<Counted>);

impl Validator<Order> for Hooks {
    async fn before_create(
        &self,
        order: &mut Order,
        _: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        self.0.before.fetch_add(1, Ordering::Relaxed);
        order.checked = Some(1);
        Ok(())
    }

    async fn validate(
        &self,
        order: &Order,
        _: &mut WriteContext<'_, Order>,
        messages: &mut Messages<Order>,
    ) -> HookResult {
        if order.number == "bad" {
            messages.about(Order::NUMBER, "is bad");
        }
        Ok(())
    }

    async fn after_create(&self, _: &Order, _: &Change<Order>) -> HookResult {
        self.0.after.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[derive(Debug, Clone, ApiResource)]
#[resource(
    name = "Payment",
    url = "/payments",
    version = "1.0",
    idempotency(required)
)]
struct Payment {
    id: i64,
    cents: i64,
}

fn builder() -> ApiBuilder {
    Api::builder()
        .resource::<Order>()
        .resource::<Country>()
        .idempotency_keys(DAY)
}

fn orders() -> Service {
    Service::start(|database| builder().build(database))
}

fn post(service: &Service, key: &str, body: &Value) -> Answer {
    let request = service.request("POST", "/api/1.0/orders");
    let request = request.header("idempotency-key", key);
    request.json(body.to_string()).send()
}

fn total(service: &Service) -> Value {
    service.read("/api/1.0/orders?limit=0")["totalItems"].clone()
}

fn assert_replayed(answer: &Answer, location: &str) {
    assert_eq!(assert_created(answer), location);
    assert_eq!(answer.header("idempotent-replayed"), Some("true"));
}

#[apply(every_database)]
fn request_that_comes_again_creates_nothing_and_gets_the_same_answer() {
    responses_differ("PostgreSQL does not reuse the id of a refused item");
    let service = orders();
    let body = json!({"number": "A1"});
    let first = post(&service, KEY, &body);
    let location = assert_created(&first);
    assert_eq!(first.header("idempotent-replayed"), None);
    // The order's number is unique, so that a second insertion would be refused.
    for key in [KEY, &format!("\"{KEY}\"")] {
        assert_replayed(&post(&service, key, &body), &location);
    }
    assert_eq!(total(&service), 1);
    // Without the header nothing is different.
    assert_created(&service.post("/api/1.0/orders", &json!({"number": "A3"})));
    let other = post(&service, KEY, &json!({"number": "A2"}));
    assert_error(&other, 422, 10043).naming(&["new key"]);
    let refused = post(&service, "another-key-of-16", &body);
    assert_error(&refused, 400, 10030).naming(&["number"]);
}

#[apply(every_database)]
fn key_that_a_client_assigns_stands_in_the_repeated_location() {
    let service = orders();
    let send = || {
        let request = service.request("POST", "/api/1.0/countries");
        let body = json!({"code": "a/b ü", "name": "x"}).to_string();
        request.header("idempotency-key", KEY).json(body).send()
    };
    let location = assert_created(&send());
    assert_eq!(location, "/api/1.0/countries/a%2Fb%20%C3%BC");
    assert_replayed(&send(), &location);
}

#[apply(every_database)]
fn repeated_request_shows_the_item_where_its_client_prefers_that() {
    let service = orders();
    let send = |prefer| {
        let request = service.request("POST", "/api/1.0/orders");
        let request = request
            .header("idempotency-key", KEY)
            .header("prefer", prefer);
        request.json(json!({"number": "A1"}).to_string()).send()
    };
    let representation = "return=representation";
    let first = send(representation);
    let again = send(representation);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.json(), again.json());
    assert_eq!(first.header("etag"), again.header("etag"));
    assert_eq!(first.header("location"), again.header("location"));
    assert_error(&send("return=minimal"), 422, 10043);
}

#[apply(every_database)]
fn refused_request_leaves_its_key_free() {
    let hooks = Arc::<Counted>::default();
    let validator = Hooks(Arc::clone(&hooks));
    let service = Service::start(|database| {
        let builder = Api::builder().resource_with::<Order>(validator);
        builder.idempotency_keys(DAY).build(database)
    });
    let refused = post(&service, KEY, &json!({"number": "bad"}));
    assert_error(&refused, 400, 10010).naming(&["is bad"]);
    let location = assert_created(&post(&service, KEY, &json!({"number": "A1"})));
    assert_replayed(&post(&service, KEY, &json!({"number": "A1"})), &location);
    assert_eq!(service.read(&location)["checked"], 1);
    // The repeated request is found before any hook.
    assert_eq!(hooks.before.load(Ordering::Relaxed), 1);
    assert_eq!(hooks.after.load(Ordering::Relaxed), 1);
}

#[apply(every_database)]
fn concurrent_duplicates_on_two_instances_create_one_item() {
    responses_differ("the clients run in no fixed order");
    let database = TestDatabase::default();
    let hooks = Arc::<Counted>::default();
    for round in 0..4_u64 {
        // Every second round with hooks, whose writes are transactions of several statements.
        let start = || {
            Service::start_on(&database, |database| {
                let validator = Hooks(Arc::clone(&hooks));
                let builder = match round % 2 {
                    0 => builder(),
                    _ => Api::builder()
                        .resource_with::<Order>(validator)
                        .resource::<Country>()
                        .idempotency_keys(DAY),
                };
                builder.build(database)
            })
        };
        let instances = [start(), start()];
        let key = format!("{KEY}-{round}");
        let body = json!({"number": round.to_string()});
        let answers: Vec<Answer> = thread::scope(|scope| {
            let clients = (0..20).map(|client| {
                let (service, key, body) = (&instances[client % 2], &key, &body);
                scope.spawn(move || post(service, key, body))
            });
            let clients: Vec<_> = clients.collect();
            let answers = clients.into_iter().map(|it| it.join().unwrap());
            answers.collect()
        });
        let location = assert_created(&answers[0]);
        let same = |answer: &Answer| assert_created(answer) == location;
        assert!(answers.iter().all(same));
        let first = |answer: &&Answer| answer.header("idempotent-replayed").is_none();
        assert_eq!(answers.iter().filter(first).count(), 1);
        assert_eq!(total(&instances[0]), round + 1);
        assert_eq!(hooks.after.load(Ordering::Relaxed), round.div_ceil(2));
    }
}

#[apply(every_database)]
fn one_of_concurrent_requests_with_a_key_and_different_bodies_is_carried_out() {
    responses_differ("the clients run in no fixed order");
    let service = orders();
    thread::scope(|scope| {
        for client in 0..20 {
            let service = &service;
            scope.spawn(move || {
                let answer = post(service, KEY, &json!({"number": client.to_string()}));
                if answer.status != 201 {
                    assert_error(&answer, 422, 10043);
                }
            });
        }
    });
    assert_eq!(total(&service), 1);
}

/// A clock that the test sets.
#[derive(Debug, Clone, Default)]
struct Settable(Arc<AtomicU64>);

impl Clock for Settable {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::Relaxed))
    }
}

#[apply(every_database)]
fn expired_key_is_a_new_one() {
    responses_differ("PostgreSQL does not reuse the id of a refused item");
    let clock = Settable::default();
    let service = Service::start(|database| builder().clock(clock.clone()).build(database));
    assert_created(&post(&service, KEY, &json!({"number": "A1"})));
    clock.0.store(DAY.as_secs() - 1, Ordering::Relaxed);
    let again = post(&service, KEY, &json!({"number": "A1"}));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    clock.0.store(DAY.as_secs(), Ordering::Relaxed);
    assert_created(&post(&service, KEY, &json!({"number": "A2"})));
    assert_eq!(total(&service), 2);
}

/// Has a hook of the row, which begins a transaction: the key is a statement of its own there.
struct OfRow;

impl Validator<Payment> for OfRow {
    async fn row_created(&self, _: &mut Payment, _: &mut WriteContext<'_, Payment>) -> HookResult {
        Ok(())
    }
}

#[apply(every_database)]
fn concurrent_duplicates_of_an_expired_key_create_one_item_beside_a_hook_of_the_row() {
    responses_differ("the clients run in no fixed order");
    let (database, clock) = (TestDatabase::default(), Settable::default());
    let start = || {
        Service::start_on(&database, |database| {
            let builder = Api::builder().resource_with::<Payment>(OfRow);
            let builder = builder.idempotency_keys(DAY).clock(clock.clone());
            builder.build(database)
        })
    };
    let instances = [start(), start()];
    for round in 0..3_u64 {
        clock.0.store(round * DAY.as_secs(), Ordering::Relaxed);
        let locations: HashSet<String> = thread::scope(|scope| {
            let clients = (0..20).map(|client| {
                let service = &instances[client % 2];
                scope.spawn(move || {
                    let request = service.request("POST", "/api/1.0/payments");
                    let request = request.header("idempotency-key", KEY);
                    assert_created(&request.json(json!({"cents": 5}).to_string()).send())
                })
            });
            let clients: Vec<_> = clients.collect();
            clients.into_iter().map(|it| it.join().unwrap()).collect()
        });
        assert_eq!(locations.len(), 1);
        let payments = instances[0].read("/api/1.0/payments?limit=0");
        assert_eq!(payments["totalItems"], round + 1);
    }
}

#[apply(every_database)]
fn callers_do_not_share_keys() {
    let service = Service::start_wrapped(
        |database| builder().build(database),
        |app| {
            app.layer(map_request(async |mut request: Request| {
                let user = request.headers().get("x-user").cloned();
                if let Some(user) = user {
                    let user = Principal::new(user.to_str().unwrap());
                    request.extensions_mut().insert(user);
                }
                request
            }))
        },
    );
    let send = |user, number: &str| {
        let request = service.request("POST", "/api/1.0/orders");
        let request = request
            .header("idempotency-key", "1")
            .header("x-user", user);
        request.json(json!({"number": number}).to_string()).send()
    };
    let of_ann = assert_created(&send("ann", "A1"));
    let of_bob = assert_created(&send("bob", "B1"));
    assert_ne!(of_ann, of_bob);
    assert_replayed(&send("ann", "A1"), &of_ann);
    assert_replayed(&send("bob", "B1"), &of_bob);
}

#[apply(every_database)]
fn malformed_keys_are_refused_before_anything_is_written() {
    let service = orders();
    let (long, body) = ("k".repeat(256), json!({"number": "A1"}));
    for key in [
        "",
        "a key with spaces",
        "\"unclosed-0123456789",
        "short",
        &long,
    ] {
        assert_error(&post(&service, key, &body), 400, 10044).naming(&["`Idempotency-Key`"]);
    }
    let twice = service.request("POST", "/api/1.0/orders");
    let twice = twice
        .header("idempotency-key", KEY)
        .header("idempotency-key", KEY);
    let twice = twice.json(body.to_string()).send();
    assert_error(&twice, 400, 10044).naming(&["more than once"]);
    assert_eq!(total(&service), 0);
}

#[apply(every_database)]
fn resource_may_require_a_key() {
    let service = Service::start(|database| {
        let builder = Api::builder().resource::<Payment>();
        builder.idempotency_keys(DAY).build(database)
    });
    let body = json!({"cents": 5});
    let answer = service.post("/api/1.0/payments", &body);
    assert_error(&answer, 400, 10044).naming(&["`Idempotency-Key` is required"]);
    let request = service.request("POST", "/api/1.0/payments");
    let request = request.header("idempotency-key", KEY);
    assert_created(&request.json(body.to_string()).send());
}

#[test]
fn settings_that_contradict_a_resource_are_refused() {
    let database = TestDatabase::sqlite();
    let build = |builder: ApiBuilder| {
        let database = block_on(Database::connect(&database.url())).unwrap();
        let error = builder.resource::<Payment>().build(database).unwrap_err();
        problems(&error).join("\n")
    };
    let problem = build(Api::builder());
    assert!(
        problem.contains("`Payment` requires idempotency keys"),
        "{problem}"
    );
    assert!(problem.contains("add `.idempotency_keys("), "{problem}");
    for lifetime in [Duration::from_secs(59), Duration::from_hours(30 * 24 + 1)] {
        let problem = build(Api::builder().idempotency_keys(lifetime));
        assert!(problem.contains("from a minute to 30 days"), "{problem}");
    }
}

#[apply(every_database)]
fn expired_rows_are_deleted() {
    let clock = Settable::default();
    let service = Service::start(|database| builder().clock(clock.clone()).build(database));
    for number in 0..3 {
        let key = format!("{KEY}-{number}");
        assert_created(&post(
            &service,
            &key,
            &json!({"number": number.to_string()}),
        ));
    }
    clock.0.store(DAY.as_secs(), Ordering::Relaxed);
    assert_created(&post(&service, KEY, &json!({"number": "A1"})));
    let mut program = service.database().other_program();
    wait_for("the deletion of expired rows", || {
        let rows = program.text("SELECT CAST(count(*) AS text) FROM idempotency_keys");
        (rows == "1").then_some(())
    });
}
