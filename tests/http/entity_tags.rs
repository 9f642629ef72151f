//! Entity tags of items: what they stay and change with, 304, and writes of items as they were read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use axum::{Router, routing};
use chrono::{DateTime, Utc};
use resource_runtime::{
    Api, ApiBuilder, ApiResource, Dialect, ErrorKind, HookResult, Item, Messages, RequestContext,
    Validator, WriteContext,
};
use resource_tests::{
    Answer, Client, Service, TestDatabase, apply, assert_error, assert_no_content, block_on,
    every_database, problems, responses_differ,
};
use serde_json::{Value, json};

#[derive(Debug, ApiResource)]
#[resource(name = "Author", url = "/authors", version = "1.0")]
struct Author {
    id: i64,
    name: String,
}

/// An item whose tags are digests.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Note",
    url = "/notes",
    version = "1.0",
    subresource(author = "author_id")
)]
struct Note {
    id: i64,
    text: String,
    number: Option<i64>,
    share: Option<f32>,
    data: Option<Value>,
    #[resource(references = Author)]
    author_id: Option<i64>,
}

/// An item with a revision, whose format hook hides one value from tags of its form, and not from those of its row.
#[derive(Debug, ApiResource)]
#[resource(name = "Counter", url = "/counters", version = "1.0", validator = Masked, redacts(secret))]
struct Counter {
    id: i64,
    number: i64,
    secret: Option<String>,
    #[resource(revision)]
    revision: i64,
}

/// Shows so many letters of a secret.
#[derive(Debug, Default)]
struct Masked(Arc<AtomicUsize>);

impl Validator<Counter> for Masked {
    fn format(&self, counter: &mut Item<Counter>, _: &RequestContext) {
        let shown = self.0.load(Ordering::SeqCst);
        let masked = counter
            .secret
            .as_ref()
            .map(|it| it.chars().take(shown).collect());
        counter.set(Counter::SECRET, &masked);
    }
}

/// The same as [`Note`] and a plain counter, with hooks.
#[derive(Debug, ApiResource)]
#[resource(name = "Task", url = "/tasks", version = "1.0", validator = Judged)]
struct Task {
    id: i64,
    number: i64,
    #[resource(default = "")]
    word: String,
}

/// Counts the writes that it has judged.
#[derive(Debug, Default)]
struct Judged(Arc<AtomicUsize>);

impl Validator<Task> for Judged {
    async fn before_update(&self, task: &mut Task, _: &mut WriteContext<'_, Task>) -> HookResult {
        task.word = format!("number {}", task.number);
        Ok(())
    }

    async fn validate(
        &self,
        _: &Task,
        _: &mut WriteContext<'_, Task>,
        _: &mut Messages<Task>,
    ) -> HookResult {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

/// A counter with a revision and with hooks.
#[derive(Debug, ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0", validator = Judged)]
struct Ticket {
    id: i64,
    number: i64,
    #[resource(default = "")]
    word: String,
    #[resource(revision)]
    revision: i64,
}

impl Validator<Ticket> for Judged {
    async fn before_update(
        &self,
        ticket: &mut Ticket,
        _: &mut WriteContext<'_, Ticket>,
    ) -> HookResult {
        ticket.word = format!("number {}", ticket.number);
        Ok(())
    }
}

/// An item that nobody may know by a digest.
#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "1.0")]
struct Account {
    id: i64,
    name: String,
    #[resource(write_only)]
    pin: Option<String>,
}

const NOTES: &str = "/api/1.0/notes";
const COUNTERS: &str = "/api/1.0/counters";
const TASKS: &str = "/api/1.0/tasks";
const TICKETS: &str = "/api/1.0/tickets";

/// A service whose hooks show so many letters, and count.
fn service_with(database: &TestDatabase, number: &Arc<AtomicUsize>) -> Service {
    Service::start_on(database, |database| {
        let builder = Api::builder().resource::<Author>().resource::<Note>();
        let builder = builder.resource_with::<Counter>(Masked(Arc::clone(number)));
        let builder = builder.resource_with::<Task>(Judged(Arc::clone(number)));
        let builder = builder.resource::<Ticket>().resource::<Account>();
        builder.compression().build(database)
    })
}

fn service_on(database: &TestDatabase) -> Service {
    service_with(database, &Arc::default())
}

fn service() -> Service {
    service_on(&TestDatabase::default())
}

fn tag(answer: &Answer) -> &str {
    let tag = answer.header("etag").expect("a tag");
    tag.strip_prefix('"')
        .and_then(|tag| tag.strip_suffix('"'))
        .expect("quotes")
}

/// The part of a tag that is about the row.
fn row(answer: &Answer) -> &str {
    tag(answer)
        .split_once('.')
        .map_or(tag(answer), |(row, _)| row)
}

fn get(client: &Client, path: &str, header: &str, value: &str) -> Answer {
    client.request("GET", path).header(header, value).send()
}

fn put(client: &Client, path: &str, tag: &str, body: &Value) -> Answer {
    let request = client.request("PUT", path).header("if-match", tag);
    request.json(body.to_string()).send()
}

fn delete(client: &Client, path: &str, tag: &str) -> Answer {
    client
        .request("DELETE", path)
        .header("if-match", tag)
        .send()
}

#[apply(every_database)]
fn every_answer_about_a_row_tells_the_same_of_it() {
    let database = TestDatabase::default();
    let (one, other) = (service_on(&database), service_on(&database));
    one.create("/api/1.0/authors", &json!({"name": "Ann"}));
    let note = json!({
        "text": "é\u{1}\"".repeat(500),
        "share": 0.1,
        "data": {"b": [1.0, 1e30, {"z": null, "a": "\u{2028}"}], "a": true},
        "author_id": 1,
    });
    let created = one.post(NOTES, &note);
    let path = created.header("location").unwrap().to_owned();
    let expected = row(&created).to_owned();
    assert!(
        expected.starts_with('d') && expected.len() == 33,
        "{expected}"
    );
    let mut seen = Vec::new();
    for service in [&one, &other] {
        for query in [
            "",
            "?fields=id",
            "?fields=text,author(name)",
            "?fields=author",
        ] {
            let answer = service.get(&format!("{path}{query}"));
            assert_eq!(row(&answer), expected, "{query}");
            seen.push(tag(&answer).to_owned());
        }
        for coding in ["gzip", "br"] {
            let answer = get(service, &path, "accept-encoding", coding);
            assert_eq!(answer.header("content-encoding"), Some(coding));
            assert_eq!(tag(&answer), format!("{}-{coding}", seen[0]));
            let again = get(
                service,
                &path,
                "if-none-match",
                &format!("\"{}\"", tag(&answer)),
            );
            assert_eq!((again.status, tag(&again)), (304, tag(&answer)));
        }
    }
    assert_eq!(seen[..4], seen[4..]);
    seen.truncate(4);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 4, "each form has a tag of its own: {seen:?}");
    // A change tells the tag of the new row, whatever was left out of its body.
    let changed = put(
        &one,
        &path,
        &format!("\"{expected}\""),
        &json!({"number": 7}),
    );
    assert_ne!(row(&changed), expected);
    assert_eq!(row(&changed), row(&other.get(&path)));
    let back = put(
        &other,
        &path,
        &format!("\"{}\"", row(&changed)),
        &json!({"number": null}),
    );
    assert_eq!(row(&back), expected);
    let unconditional = one.put(&path, &json!({"number": 8}));
    assert_eq!(unconditional.header("etag"), None);
    assert_eq!(one.delete(&path).header("etag"), None);
}

#[apply(every_database)]
fn a_known_item_is_304_until_what_is_shown_changes() {
    let service = service();
    service.create("/api/1.0/authors", &json!({"name": "Ann"}));
    let path = service.create(NOTES, &json!({"text": "a", "author_id": 1}));
    let path = format!("{path}?fields=id,author(name)");
    let answer = service.get(&path);
    let known = tag(&answer).to_owned();
    for tags in [
        format!("\"{known}\""),
        format!("W/\"{known}\""),
        format!("\"other\", \"{known}\""),
        "*".to_owned(),
    ] {
        for method in ["GET", "HEAD"] {
            let request = service
                .request(method, &path)
                .header("if-none-match", &tags);
            let same = request.send();
            assert_eq!((same.status, tag(&same)), (304, &*known), "{tags}");
            assert!(same.body.is_empty() && same.header("content-type").is_none());
            for header in ["cache-control", "vary"] {
                assert_eq!(same.header(header), answer.header(header));
            }
        }
    }
    for tags in [
        format!("\"{}\"", row(&answer)),
        format!("\"{known}-zstd\""),
        "\"\"".into(),
    ] {
        assert_eq!(
            get(&service, &path, "if-none-match", &tags).status,
            200,
            "{tags}"
        );
    }
    assert_error(&get(&service, &path, "if-none-match", &known), 400, 10074);
    let missing = get(&service, "/api/1.0/notes/9", "if-none-match", "*");
    assert_error(&missing, 404, 10001);
    // Another item is shown within this one.
    assert_no_content(&service.put("/api/1.0/authors/1", &json!({"name": "Eve"})));
    let changed = get(&service, &path, "if-none-match", &format!("\"{known}\""));
    assert_eq!(changed.status, 200);
    assert_eq!(row(&changed), row(&answer));
    let plain = "/api/1.0/notes/1";
    assert_no_content(&put(
        &service,
        plain,
        &format!("\"{known}\""),
        &json!({"text": "b"}),
    ));
}

#[apply(every_database)]
fn a_format_hook_changes_the_tag_of_the_form_alone() {
    responses_differ("revisions are random");
    let shown = Arc::new(AtomicUsize::new(1));
    let service = service_with(&TestDatabase::default(), &shown);
    let created = service.post(COUNTERS, &json!({"number": 1, "secret": "abc"}));
    let path = created.header("location").unwrap();
    let first = service.get(path);
    assert_eq!(row(&created), row(&first));
    assert_eq!(row(&first), format!("r{}", first.json()["revision"]));
    assert_eq!(
        row(&service.get(&format!("{path}?fields=number"))),
        row(&first)
    );
    let known = first.header("etag").unwrap();
    assert_eq!(get(&service, path, "if-none-match", known).status, 304);
    shown.store(2, Ordering::SeqCst);
    let second = get(&service, path, "if-none-match", known);
    assert_eq!((second.status, row(&second)), (200, row(&first)));
    assert_no_content(&put(&service, path, known, &json!({"number": 2})));
}

#[test]
fn tags_of_own_routes_are_left_as_they_are() {
    let own = Router::new().route(
        "/own",
        routing::get(async || ([("etag", "\"v1\"")], "a".repeat(5000))),
    );
    let service = Service::start(|database| {
        let builder = Api::builder().resource::<Author>().routes(own);
        builder.compression().build(database)
    });
    let answer = get(&service, "/own", "accept-encoding", "gzip");
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    assert_eq!(answer.header("etag"), Some("\"v1\""));
}

#[apply(every_database)]
fn minus_zero_is_tagged_as_it_is_stored() {
    let service = service();
    let created = service.post(NOTES, &json!({"text": "a", "share": -0.0, "data": [-0.0]}));
    let path = created.header("location").unwrap();
    assert_eq!(row(&created), row(&service.get(path)));
    let tag = created.header("etag").unwrap();
    assert_no_content(&put(&service, path, tag, &json!({"text": "b"})));
}

#[apply(every_database)]
fn items_are_written_as_they_were_read() {
    responses_differ("revisions are random");
    let judged = Arc::default();
    let service = service_with(&TestDatabase::default(), &judged);
    for (collection, body) in [
        (NOTES, json!({"text": "a"})),
        (COUNTERS, json!({"number": 0})),
        (TASKS, json!({"number": 0})),
    ] {
        let created = service.post(collection, &body);
        let path = created.header("location").unwrap();
        let old = format!("\"{}\"", row(&created));
        // Nothing is changed, and the condition holds all the same.
        let same = put(&service, path, &old, &json!({}));
        assert_no_content(&same);
        assert_eq!(row(&same), row(&created));
        let compressed = format!("\"other\", \"{}-gzip\"", tag(&service.get(path)));
        let changed = put(&service, path, &compressed, &json!({"number": 1}));
        assert_no_content(&changed);
        assert_eq!(row(&changed), row(&service.get(path)));
        let new = format!("\"{}\"", row(&changed));
        let weak = format!("W/{new}");
        let before = judged.load(Ordering::SeqCst);
        let (changed, unlike) = ("was changed since", "has none of these tags");
        for (stale, said) in [
            (&*old, changed),
            (&weak, unlike),
            ("\"r1\"", changed),
            ("\"\"", unlike),
        ] {
            for body in [json!({}), json!({"number": 2})] {
                let refused = put(&service, path, stale, &body);
                assert_error(&refused, 412, 10040).naming(&[said]);
            }
            assert_error(&delete(&service, path, stale), 412, 10040);
        }
        assert_eq!(judged.load(Ordering::SeqCst), before, "a hook ran in vain");
        assert_error(&put(&service, path, &old, &json!({"nam": 2})), 400, 10010);
        assert_eq!(service.read(path)["number"], 1);
        assert_no_content(&delete(&service, path, &format!("{old}, {new}")));
        assert_error(
            &put(&service, path, &new, &json!({"number": 2})),
            404,
            10001,
        );
        assert_error(&delete(&service, path, &new), 404, 10001);
    }
}

/// Clients that count, each until it has done so `TIMES` times: 8, or as many as `TAG_CLIENTS` names.
const CLIENTS: usize = 8;
const TIMES: usize = 3;

/// Digest and revision, each without hooks and with them.
#[apply(every_database)]
fn no_update_is_lost_between_two_instances() {
    responses_differ("the clients run in no fixed order");
    let clients = std::env::var("TAG_CLIENTS");
    let clients = clients.map_or(CLIENTS, |count| count.parse().expect("a number"));
    let database = TestDatabase::default();
    let services = [service_on(&database), service_on(&database)];
    for (collection, body) in [
        (NOTES, json!({"number": 0, "text": ""})),
        (COUNTERS, json!({"number": 0})),
        (TASKS, json!({"number": 0})),
        (TICKETS, json!({"number": 0})),
    ] {
        let path = &services[0].create(collection, &body);
        let (refused, busy) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let count_up = |service: &Service| {
            let read = service.get(path);
            if read.status == 503 {
                return read.status;
            }
            let body = json!({"number": read.json()["number"].as_i64().unwrap() + 1});
            put(service, path, read.header("etag").unwrap(), &body).status
        };
        thread::scope(|scope| {
            for client in 0..clients {
                let (service, refused, busy) = (&services[client % 2], &refused, &busy);
                scope.spawn(move || {
                    let mut done = 0;
                    while done < TIMES {
                        match count_up(service) {
                            204 => done += 1,
                            412 => drop(refused.fetch_add(1, Ordering::SeqCst)),
                            503 => drop(busy.fetch_add(1, Ordering::SeqCst)),
                            status => panic!("{status}"),
                        }
                    }
                });
            }
        });
        let counted = services[1].read(path)["number"].clone();
        println!(
            "{path}: {clients} clients, {counted} counted, {refused:?} times 412, {busy:?} times 503"
        );
        assert_eq!(counted, clients * TIMES);
    }
}

#[apply(every_database)]
fn hidden_values_make_no_digest() {
    let service = service();
    let created = service.post("/api/1.0/accounts", &json!({"name": "a", "pin": "1234"}));
    let path = created.header("location").unwrap();
    let account = service.get(path);
    assert_eq!(
        (created.header("etag"), account.header("etag")),
        (None, None)
    );
    assert_eq!(get(&service, path, "if-none-match", "*").status, 200);
    let tag = format!("\"d{:032x}\"", 1);
    let refused = put(&service, path, &tag, &json!({"name": "b"}));
    assert_error(&refused, 412, 10040).naming(&["has no `ETag` here"]);
    assert_no_content(&put(&service, path, "*", &json!({"name": "b"})));
}

#[test]
fn no_tag_is_told_of_a_row_that_a_trigger_changes() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let service = service_on(&database);
    database.other_program().execute(
        "CREATE FUNCTION numbered() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN NEW.number := 7; RETURN NEW; END $$; \
         CREATE TRIGGER numbered BEFORE INSERT OR UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION numbered()",
    );
    let created = service.post("/api/1.0/notes", &json!({"text": "a"}));
    assert_eq!((created.status, created.header("etag")), (201, None));
    let path = created.header("location").unwrap();
    let tag = service.get(path).header("etag").unwrap().to_owned();
    let changed = put(&service, path, &tag, &json!({"text": "b"}));
    assert_eq!((changed.status, changed.header("etag")), (204, None));
}

#[derive(Debug, ApiResource)]
#[resource(name = "Rate", url = "/rates", version = "1.0", require_if_match)]
#[resource(cache = "public, max-age=60")]
struct Rate {
    id: i64,
    value: f64,
}

#[apply(every_database)]
fn a_change_without_its_condition_is_428_and_items_are_kept_as_declared() {
    let service = Service::start(|database| Api::builder().resource::<Rate>().build(database));
    let created = service.post("/api/1.0/rates", &json!({"value": 1.5}));
    let path = created.header("location").unwrap();
    let tag = created.header("etag").unwrap();
    for body in ["{\"value\": 2}", "{", "{}"] {
        let request = || service.request("PUT", path).json(body);
        assert_error(&request().send(), 428, 10041).naming(&["`ETag`", "Rate", "`If-Match`"]);
        let missing = service.request("PUT", "/api/1.0/rates/9").json(body);
        assert_error(&missing.send(), 404, 10001);
    }
    assert_error(&service.delete(path), 428, 10041);
    assert_error(&service.delete("/api/1.0/rates/9"), 404, 10001);
    let kept = |answer: &Answer| answer.header("cache-control").map(str::to_owned);
    let declared = Some("public, max-age=60".to_owned());
    let item = service.get(path);
    assert_eq!(kept(&item), declared);
    let known = item.header("etag").unwrap();
    assert_eq!(kept(&get(&service, path, "if-none-match", known)), declared);
    assert_eq!(kept(&service.get("/api/1.0/rates")), declared);
    assert_eq!(
        kept(&service.get("/api/1.0/rates/9")),
        Some("private, no-cache".into())
    );
    assert_no_content(&put(&service, path, tag, &json!({"value": 2.5})));
    assert_no_content(&delete(&service, path, "*"));
}

#[derive(Debug, ApiResource)]
#[resource(name = "Secret", url = "/secrets", version = "1.0", cache = "public")]
#[resource(scopes(read = "secrets.read"), operations(list, retrieve))]
struct Secret {
    id: i64,
}

#[test]
fn conditions_that_nobody_can_meet_and_caches_of_secrets_are_build_errors() {
    let mistakes = |builder: ApiBuilder| {
        let error = builder
            .unprotected()
            .schema_sql(Dialect::Sqlite)
            .unwrap_err();
        problems(&error)
    };
    let account = mistakes(Api::builder().resource::<Account>().require_if_match());
    assert!(
        account[0].contains("Account` requires `If-Match`"),
        "{account:?}"
    );
    assert!(account[0].ends_with("add a field `#[resource(revision)] revision: i64`"));
    let cache = mistakes(Api::builder().resource::<Secret>());
    assert!(cache[0].contains("write `private` instead"), "{cache:?}");
    let tagged = Api::builder().resource::<Rate>().require_if_match();
    assert!(tagged.schema_sql(Dialect::Sqlite).is_ok());
}

/// A newer version of [`Counter`], which knows nothing of its revision.
#[derive(Debug, ApiResource)]
#[resource(name = "Counter", url = "/counters", version = "2.0")]
struct CounterTwo {
    id: i64,
    number: i64,
}

#[apply(every_database)]
fn every_write_of_a_counter_changes_its_revision() {
    responses_differ("revisions are random");
    let (mut made, mut seen) = (None, Vec::new());
    let service = Service::start(|database| {
        let builder = Api::builder()
            .resource::<Counter>()
            .resource::<CounterTwo>();
        made = Some(builder.build(database)?);
        Ok(made.clone().unwrap())
    });
    let api = made.unwrap();
    let body = json!({"number": 1, "revision": 7});
    assert_error(&service.post(COUNTERS, &body), 400, 10010).naming(&["`revision` is read-only"]);
    let path = service.create(COUNTERS, &json!({"number": 1}));
    assert_error(&service.put(&path, &json!({"revision": 7})), 400, 10010);
    let mut note = || seen.push(service.read(&path)["revision"].as_i64().unwrap());
    note();
    let changed = service.put(&path, &json!({"number": 2}));
    assert_eq!(row(&changed), row(&service.get(&path)));
    note();
    service.put("/api/2.0/counters/1", &json!({"number": 3}));
    note();
    let items = api.items::<Counter>();
    let to_four = items.update(1).set(Counter::NUMBER, 4);
    block_on(to_four.set(Counter::REVISION, 7).into_future()).unwrap();
    note();
    let fours = items.without_hooks().filter(Counter::NUMBER.eq(4));
    block_on(fours.update_all().set(Counter::NUMBER, 5).into_future()).unwrap();
    note();
    let read = block_on(items.get(1)).unwrap().unwrap();
    let counted = || {
        let update = items.update(1).set(Counter::NUMBER, 6);
        block_on(
            update
                .if_match(Counter::REVISION, read.revision)
                .into_future(),
        )
    };
    counted().unwrap();
    assert_eq!(counted().unwrap_err().kind(), ErrorKind::Changed);
    let nothing = items.update(1).if_match(Counter::NUMBER, 5);
    let error = block_on(nothing.into_future()).unwrap_err();
    assert_eq!(error.code(), Some(10040));
    let stale = items.delete(1).if_match(Counter::REVISION, read.revision);
    let error = block_on(stale.into_future()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Changed);
    note();
    let counter = Counter {
        id: 0,
        number: 6,
        secret: None,
        revision: 7,
    };
    let inserted = block_on(items.insert(counter)).unwrap();
    seen.push(inserted.revision);
    let current = items.delete(inserted.id);
    let current = current.if_match(Counter::REVISION, inserted.revision);
    block_on(current.into_future()).unwrap();
    assert!(block_on(items.get(inserted.id)).unwrap().is_none());
    service
        .database()
        .other_program()
        .execute("INSERT INTO counters (number) VALUES (7)");
    assert_eq!(
        tag(&service.get("/api/1.0/counters/3")).split('.').next(),
        Some("r0")
    );
    assert!(seen.iter().all(|it| (8..1 << 53).contains(it)), "{seen:?}");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 7, "{seen:?}");
}

/// A folder whose deletion keeps its row.
#[derive(Debug, ApiResource)]
#[resource(name = "Folder", url = "/folders", version = "1.0")]
struct Folder {
    id: i64,
    name: String,
    #[resource(references = Folder)]
    within_id: Option<i64>,
    #[resource(soft_delete)]
    deleted_at: Option<DateTime<Utc>>,
}

#[apply(every_database)]
fn a_softly_deleted_item_is_compared_before_its_references() {
    let service = Service::start(|database| Api::builder().resource::<Folder>().build(database));
    let created = service.post("/api/1.0/folders", &json!({"name": "a"}));
    let path = created.header("location").unwrap();
    let tag = created.header("etag").unwrap();
    assert_eq!(row(&created), row(&service.get(path)));
    service.create("/api/1.0/folders", &json!({"name": "b", "within_id": 1}));
    assert_error(&delete(&service, path, "\"r1\""), 412, 10040);
    assert_error(&delete(&service, path, tag), 400, 10020);
    assert_no_content(&service.delete("/api/1.0/folders/2"));
    assert_no_content(&delete(&service, path, tag));
    assert_error(&delete(&service, path, tag), 404, 10001);
}
