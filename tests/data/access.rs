//! Typed access for a caller: own routes with `Access` agree with the routes of the resource.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use futures_util::TryStreamExt as _;
use resource_runtime::handlers::{Access, Body, Partial, Path, PublicAccess, Reply};
use resource_runtime::{
    Api, ApiResource, CustomError, Error, HookResult, Item, RequestContext, Validator,
    WriteContext, new,
};
use resource_tests::{
    Answer, Client, InProcessApi, apply, assert_error, block_on, every_database, watch,
};
use serde_json::{Value, json};

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Entry", url = "/entries", version = "1.0")]
#[resource(validator = Diary, redacts(phone))]
#[resource(scopes(read = "read", write = "write", delete = "delete"))]
#[resource(owner(field = "author", bypass = "admin"))]
struct Entry {
    id: i64,
    #[resource(max_length = 20)]
    author: String,
    #[resource(max_length = 10)]
    title: String,
    #[resource(write_only)]
    pin: Option<String>,
    #[resource(read_only)]
    rank: Option<i32>,
    #[resource(read_scope = "audit")]
    remark: Option<String>,
    #[resource(write_scope = "lock")]
    locked: Option<bool>,
    phone: Option<String>,
    #[resource(max_length = 10, read_scope = "audit", write_scope = "lock")]
    seal: Option<String>,
}

/// A payment, of which no client knows.
#[derive(Debug, ApiResource)]
#[resource(name = "Payment", url = "/payments", version = "1.0")]
struct Payment {
    id: i64,
    #[resource(unique)]
    receipt: i32,
}

#[derive(Default)]
struct Diary;

impl Validator<Entry> for Diary {
    async fn before_create(
        &self,
        entry: &mut Entry,
        context: &mut WriteContext<'_, Entry>,
    ) -> HookResult {
        // The hook of a caller's write sees the request, that of the system's write none.
        entry.rank = i32::try_from(context.headers().len())
            .ok()
            .filter(|it| *it > 0);
        entry.rank = entry.rank.map(|_| 7);
        Ok(())
    }

    fn format(&self, entry: &mut Item<Entry>, request: &RequestContext) {
        if request
            .principal()
            .is_none_or(|it| it.subject() != entry.author)
        {
            entry.clear(Entry::PHONE);
        }
    }
}

const NO_ENTRY: CustomError = CustomError::new(20404, 404, "No such entry");

async fn list(PublicAccess(access): PublicAccess) -> Result<Reply<Value>, Error> {
    let page = access.items::<Entry>().limit(1000).page().await?;
    let streamed: Vec<_> = access
        .items::<Entry>()
        .query()
        .stream()
        .try_collect()
        .await?;
    assert_eq!(streamed.len(), page.items.len());
    assert_eq!(access.items::<Entry>().count().await?, page.total);
    let items = serde_json::to_value(page.items).unwrap();
    Ok(Reply::ok(json!({"totalItems": page.total, "items": items})))
}

async fn retrieve(
    PublicAccess(access): PublicAccess,
    Path(id): Path<i64>,
) -> Result<Reply<Partial<Entry>>, Error> {
    let entry = access.items::<Entry>().get(id).await?;
    Ok(Reply::ok(
        entry.ok_or_else(|| NO_ENTRY.because("no entry"))?,
    ))
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Changes {
    title: Option<String>,
    author: Option<String>,
    pin: Option<String>,
    rank: Option<i32>,
    remark: Option<String>,
    locked: Option<bool>,
    phone: Option<String>,
    seal: Option<String>,
}

async fn create(
    PublicAccess(access): PublicAccess,
    Body(new): Body<Changes>,
) -> Result<Reply<Partial<Entry>>, Error> {
    let entry = Entry {
        id: 4711,
        author: new.author.unwrap_or_default(),
        title: new.title.unwrap_or_default(),
        pin: new.pin,
        rank: new.rank,
        remark: new.remark,
        locked: new.locked,
        phone: new.phone,
        seal: new.seal,
    };
    access
        .items::<Entry>()
        .insert(entry)
        .await
        .map(Reply::created)
}

async fn update(
    PublicAccess(access): PublicAccess,
    Path(id): Path<i64>,
    Body(changes): Body<Changes>,
) -> Result<Reply<()>, Error> {
    let mut update = access.items::<Entry>().update(id);
    if let Some(title) = changes.title {
        update = update.set(Entry::TITLE, title);
    }
    if let Some(author) = changes.author {
        update = update.set(Entry::AUTHOR, author);
    }
    if let Some(rank) = changes.rank {
        update = update.set(Entry::RANK, rank);
    }
    if let Some(remark) = changes.remark {
        update = update.set(Entry::REMARK, remark);
    }
    if let Some(locked) = changes.locked {
        update = update.set(Entry::LOCKED, locked);
    }
    if let Some(seal) = changes.seal {
        update = update.set(Entry::SEAL, Some(seal).filter(|it| !it.is_empty()));
    }
    update.await?;
    Ok(Reply::no_content())
}

async fn delete(
    PublicAccess(access): PublicAccess,
    Path(id): Path<i64>,
) -> Result<Reply<()>, Error> {
    access.items::<Entry>().delete(id).await?;
    Ok(Reply::no_content())
}

/// Columns that are selected one by one: a filter of each, and the scope of the service's own.
async fn probe(access: Access, Path(column): Path<String>) -> Result<Reply<Value>, Error> {
    let entries = || access.items::<Entry>().limit(10);
    let found = match &*column {
        "title" => json!(entries().select(Entry::TITLE).all().await?),
        "pin" => json!(entries().select(Entry::PIN).all().await?),
        "remark" => json!(entries().select(Entry::REMARK).all().await?),
        "phone" => json!(entries().select(Entry::PHONE).all().await?),
        "filter" => json!(entries().filter(Entry::REMARK.eq("x")).all().await?),
        "order" => json!(entries().order_by(Entry::PHONE.asc()).all().await?),
        _ => json!(access.require_scope("probe")?),
    };
    Ok(Reply::ok(found))
}

async fn whole(access: Access, Path(id): Path<i64>) -> Result<Reply<Value>, Error> {
    let entry = access.items::<Entry>().get(id).await?.unwrap();
    let (title, remark) = (entry.get(Entry::TITLE), entry.get(Entry::REMARK));
    let author = entry.into_item().map(|entry| entry.author);
    let subject = access.principal().map(|it| it.subject().to_owned());
    let all = access.api().items::<Entry>().count().await?;
    Ok(Reply::ok(json!([title, remark, author, subject, all])))
}

async fn anybody(PublicAccess(access): PublicAccess) -> Result<Reply<Value>, Error> {
    let allowed = access.items::<Entry>().count().await;
    Ok(Reply::ok(json!([
        access.claims().is_some(),
        allowed.is_ok()
    ])))
}

/// Writes and reads of the system that are refused because of an attribute, or a table.
async fn refused(
    State(api): State<Api>,
    Path(attribute): Path<String>,
) -> Result<Reply<()>, Error> {
    for _ in 0..2 {
        if attribute == "receipt" {
            api.items().insert(Payment { id: 0, receipt: 7 }).await?;
            continue;
        }
        let entry = api.items::<Entry>().update(1);
        let long = "longer than ten";
        match &*attribute {
            "title" => entry.set(Entry::TITLE, long).await?,
            "filter" => {
                let sealed = api.items::<Entry>().filter(Entry::SEAL.eq("a\0"));
                sealed.count().await?;
            }
            "table" => {
                let payment = api.items::<Payment>().update(9);
                payment.set(Payment::RECEIPT, 1).await?;
            }
            _ => entry.set(Entry::SEAL, long).await?,
        }
    }
    Ok(Reply::no_content())
}

/// The entries by the routes of the resource and by those of the service.
struct Diaries(InProcessApi);

impl Diaries {
    fn open() -> Self {
        let routes = Router::new()
            .route("/own", get(list).post(create))
            .route("/own/{id}", get(retrieve).put(update).delete(delete))
            .route("/probe/{column}", get(probe))
            .route("/whole/{id}", get(whole))
            .route("/refused/{attribute}", get(refused))
            .route("/anybody", get(anybody));
        let builder = Api::builder().resource::<Entry>().table::<Payment>();
        let builder = builder.errors(&[NO_ENTRY]).routes(routes);
        Self(InProcessApi::new(builder))
    }

    /// The id of a new entry of ann.
    fn store(&self) -> i64 {
        let entry = new!(Entry {
            author: "ann",
            title: "Aja",
            pin: "1234",
            rank: 1,
            remark: "x",
            phone: "555",
        });
        block_on(self.0.items().insert(entry)).unwrap().id
    }

    /// An entry as it is stored, without its id.
    fn stored(&self, id: i64) -> Option<String> {
        let entry = block_on(self.0.items::<Entry>().get(id)).unwrap();
        entry.map(|entry| format!("{:?}", Entry { id: 0, ..entry }))
    }

    /// A caller by name and scopes; of neither, without credentials.
    fn caller(&self, caller: &str) -> Client {
        match caller.split_once(' ').unwrap_or((caller, "")) {
            ("", _) => self.0.anonymous(),
            (name, scopes) => self.0.as_user(name, scopes),
        }
    }
}

/// The status of a response, its error code and its challenge; an entry that is missing has a code of the service's
/// own.
fn outcome(answer: &Answer) -> (u16, Value, Option<String>) {
    let challenge = answer.header("www-authenticate").map(str::to_owned);
    let code = match answer.status {
        200..300 => Value::Null,
        404 => json!(10001),
        _ => answer.json()["error_code"].clone(),
    };
    (answer.status, code, challenge)
}

const CALLERS: [&str; 12] = [
    "",
    "ann",
    "ann read",
    "ann write",
    "ann delete",
    "ann read write",
    "ann read audit",
    "ann read write delete lock audit",
    "ben read write delete lock audit",
    "root read write delete admin",
    "root read write delete admin lock audit",
    "root admin",
];

#[apply(every_database)]
fn reads_of_a_caller_are_those_of_http() {
    let diaries = Diaries::open();
    let id = diaries.store();
    for caller in CALLERS {
        let client = diaries.caller(caller);
        for (http, own) in [
            ("/api/1.0/entries".to_owned(), "/own".to_owned()),
            (format!("/api/1.0/entries/{id}"), format!("/own/{id}")),
            ("/api/1.0/entries/99999".to_owned(), "/own/99999".to_owned()),
        ] {
            let (http, own) = (client.get(&http), client.get(&own));
            assert_eq!(outcome(&http), outcome(&own), "{caller}: {}", own.text());
            if http.status == 200 {
                assert_eq!(http.json(), own.json(), "{caller}");
            }
        }
    }
}

#[apply(every_database)]
fn writes_of_a_caller_are_those_of_http() {
    let diaries = Diaries::open();
    for caller in CALLERS {
        let client = diaries.caller(caller);
        for changes in [
            json!({"title": "Peg"}),
            json!({"title": "longer than ten"}),
            json!({"rank": 3}),
            json!({"author": "ben"}),
            json!({"locked": true}),
            json!({"remark": "y", "title": "Peg"}),
            json!({"seal": "wax", "title": "Peg"}),
            json!({"seal": "", "locked": true}),
        ] {
            let twins = [diaries.store(), diaries.store()];
            // The handler takes an empty seal for null.
            let mut of_http = changes.clone();
            if changes["seal"] == "" {
                of_http["seal"] = Value::Null;
            }
            let http = format!("/api/1.0/entries/{}", twins[0]);
            let http = client.put(&http, &of_http);
            let own = client.put(&format!("/own/{}", twins[1]), &changes);
            let text = own.text();
            assert_eq!(outcome(&http), outcome(&own), "{caller} {changes}: {text}");
            if http.status == 400 {
                assert_eq!(http.json(), own.json(), "{caller} {changes}");
            }
            assert_eq!(diaries.stored(twins[0]), diaries.stored(twins[1]));
        }
        let twins = [diaries.store(), diaries.store()];
        let http = client.delete(&format!("/api/1.0/entries/{}", twins[0]));
        let own = client.delete(&format!("/own/{}", twins[1]));
        assert_eq!(outcome(&http), outcome(&own), "{caller}: {}", own.text());
        assert_eq!(diaries.stored(twins[0]), diaries.stored(twins[1]));
        let missing = client.delete("/own/99999");
        let of_http = client.delete("/api/1.0/entries/99999");
        assert_eq!(outcome(&of_http), outcome(&missing));
    }
}

#[apply(every_database)]
fn new_item_of_a_caller_is_that_of_http_and_returned_as_its_caller_sees_it() {
    let diaries = Diaries::open();
    for caller in CALLERS {
        let client = diaries.caller(caller);
        for new in [
            json!({"title": "Peg", "pin": "1"}),
            json!({"title": "Peg", "author": "ben", "phone": "555"}),
            json!({"title": "longer than ten"}),
            json!({"title": "Peg", "locked": true}),
            json!({"title": "Peg", "remark": "y"}),
        ] {
            // The owner whom a bound caller names is not taken over, which a struct does each time.
            let is_bound = !caller.contains("admin");
            let mut named = new.clone();
            if is_bound {
                named.as_object_mut().unwrap().remove("author");
            } else if new.get("author").is_none() {
                named["author"] = json!("");
            }
            let http = client.post("/api/1.0/entries", &named);
            let own = client.post("/own", &new);
            let text = own.text();
            assert_eq!(outcome(&http), outcome(&own), "{caller} {new}: {text}");
            if http.status != 201 {
                continue;
            }
            let location = http.header("location").unwrap();
            let (_, id) = location.rsplit_once('/').unwrap();
            let created = own.json();
            let twins = [id.parse().unwrap(), created["id"].as_i64().unwrap()];
            assert_eq!(
                diaries.stored(twins[0]),
                diaries.stored(twins[1]),
                "{caller} {new}"
            );
            let read = client.get(&format!("/own/{}", twins[1]));
            if read.status == 403 {
                // As of a request, a caller who may not read it learns the key alone.
                assert_eq!(created, json!({"id": twins[1]}));
                continue;
            }
            if read.status == 200 {
                assert_eq!(created, read.json());
            }
            assert_eq!(created["rank"], 7);
            assert_eq!(created.get("pin"), None);
        }
    }
}

#[apply(every_database)]
fn hidden_columns_are_neither_selected_nor_filtered_by() {
    let diaries = Diaries::open();
    diaries.store();
    let get = |caller, path: &str| diaries.caller(caller).get(path);
    let probe = |caller, column| get(caller, &format!("/probe/{column}"));
    assert_eq!(probe("ann read", "title").json(), json!(["Aja"]));
    assert_eq!(probe("ben read", "title").json(), json!([]));
    for column in ["pin", "remark", "phone"] {
        let refused = probe("ann read", column);
        assert_error(&refused, 403, 12110);
        assert!(!refused.text().contains(column), "{}", refused.text());
    }
    assert_eq!(probe("ann read audit", "remark").json(), json!(["x"]));
    let filter = get("ann read", "/api/1.0/entries?filter=eq(remark,\"x\")");
    assert_eq!(outcome(&filter), outcome(&probe("ann read", "filter")));
    let order = get("ann read", "/api/1.0/entries?order=asc(phone)");
    assert_eq!(outcome(&order), outcome(&probe("ann read", "order")));
    assert_eq!(probe("ann probe", "scope").status, 200);
    let refused = probe("ann read", "scope");
    assert_error(&refused, 403, 12110);
    let challenge = refused.header("www-authenticate").unwrap();
    assert!(challenge.contains("scope=\"probe\""), "{challenge}");
}

#[apply(every_database)]
fn partial_item_tells_what_its_caller_sees() {
    let diaries = Diaries::open();
    let id = diaries.store();
    let whole = |caller| diaries.caller(caller).get(&format!("/whole/{id}"));
    assert_eq!(
        whole("ann read").json(),
        json!(["Aja", null, null, "ann", 1])
    );
    // The pin is hidden from everybody, so nobody gets the whole struct.
    assert_eq!(
        whole("ann read audit").json(),
        json!(["Aja", "x", null, "ann", 1])
    );
    let refused = whole("");
    assert_error(&refused, 401, 12100);
    assert_eq!(
        refused.header("www-authenticate"),
        Some("Bearer realm=\"api\"")
    );
    let anybody = |caller| diaries.caller(caller).read("/anybody");
    assert_eq!(anybody(""), json!([false, false]));
    assert_eq!(anybody("ann read"), json!([true, true]));
}

#[apply(every_database)]
fn error_of_the_system_names_no_attribute_to_clients_who_may_not_know_it() {
    let diaries = Diaries::open();
    diaries.store();
    let client = diaries.0.anonymous();
    let refused = |attribute| client.get(&format!("/refused/{attribute}"));
    assert_error(&refused("title"), 400, 10010).naming(&["`title` must"]);
    for (attribute, code) in [("seal", 10010), ("receipt", 10030)] {
        let log = watch::keep();
        assert_error(&refused(attribute), 400, code).without(attribute);
        let path = format!("/refused/{attribute}");
        let problem = client.request("GET", &path);
        let problem = problem.header("accept", "application/problem+json").send();
        let problem: Value = serde_json::from_slice(&problem.body).unwrap();
        let detail = problem["detail"].as_str().unwrap();
        assert!(!detail.contains(attribute), "{problem}");
        assert_eq!(problem["errors"], Value::Null);
        assert!(
            log.text().contains(&format!("`{attribute}`")),
            "{}",
            log.text()
        );
    }
    assert_error(&refused("filter"), 400, 10010).without("seal");
    assert_error(&refused("table"), 404, 10001).without("Payment");
    let payment = Payment { id: 0, receipt: 7 };
    let error = block_on(diaries.0.items().insert(payment)).unwrap_err();
    assert!(
        error.to_string().starts_with("`receipt` is already taken"),
        "{error}"
    );
    assert_eq!(error.code(), Some(10030));
    assert_eq!(error.attributes(), ["receipt"]);
}
