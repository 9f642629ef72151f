//! Values that the database writes: generated columns, those of triggers, and defaults of the table.

use resource_runtime::{
    Api, ApiBuilder, ApiResource, Database, HookResult, Messages, Validator, WriteContext,
};
use resource_tests::{
    Answer, Service, TestDatabase, apply, assert_created, assert_error, assert_no_content,
    block_on, every_database,
};
use serde_json::json;

use crate::{made_by, of_backend, sentences};

/// An item with everything that a database may write, and its key.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(
    name = "Line",
    url = "/lines",
    version = "1.0",
    table = "lines",
    existing
)]
struct Line {
    #[resource(primary_key, default = database)]
    sku: String,
    price: i64,
    #[resource(default = database)]
    count: i64,
    #[resource(computed)]
    total: i64,
}

/// The same with a hook behind the statement.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Hooked", url = "/hooked", version = "1.0", table = "lines", existing, validator = Counting)]
struct Hooked {
    #[resource(primary_key, default = database)]
    sku: String,
    price: i64,
    #[resource(default = database)]
    count: i64,
    #[resource(computed)]
    total: i64,
}

#[derive(Debug, Default)]
struct Counting;

impl Validator<Hooked> for Counting {
    async fn validate(
        &self,
        _: &Hooked,
        _: &mut WriteContext<'_, Hooked>,
        _: &mut Messages<Hooked>,
    ) -> HookResult {
        Ok(())
    }
}

/// The same, whose key a client may choose.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(
    name = "Chosen",
    url = "/chosen",
    version = "1.0",
    table = "lines",
    existing
)]
struct Chosen {
    #[resource(primary_key, assigned, default = database)]
    sku: String,
    price: i64,
    #[resource(default = database)]
    count: i64,
}

fn lines() -> TestDatabase {
    let (text, random) = of_backend(
        ("TEXT", "(lower(hex(randomblob(8))))"),
        ("text COLLATE \"C\"", "md5(random()::text)"),
    );
    made_by(&format!(
        "CREATE TABLE lines (sku {text} NOT NULL DEFAULT {random} PRIMARY KEY, price bigint NOT NULL,
             count bigint DEFAULT 3 NOT NULL, total bigint GENERATED ALWAYS AS (price * count) STORED NOT NULL)"
    ))
}

fn api() -> ApiBuilder {
    Api::builder()
        .resource::<Line>()
        .resource::<Hooked>()
        .resource::<Chosen>()
}

fn start() -> Service {
    resource_tests::responses_differ("keys are made by chance");
    let database = lines();
    assert_eq!(sentences(api(), &database), (vec![], vec![]));
    Service::start_on(&database, |database| {
        let lifetime = std::time::Duration::from_hours(1);
        api().idempotency_keys(lifetime).build(database)
    })
}

/// Tests whether the tag is that of the item, whatever the answer shows of it.
fn is_of(tag: &str, read: &Answer) -> bool {
    let start = tag.trim_end_matches('"');
    read.header("etag").is_some_and(|it| it.starts_with(start))
}

#[apply(every_database)]
fn clients_read_what_the_database_writes() {
    let service = start();
    for collection in ["lines", "hooked"] {
        let all = format!("/api/1.0/{collection}");
        let answer = service.post(&all, &json!({"price": 5}));
        let path = assert_created(&answer);
        let read = service.get(&path);
        assert_eq!(
            (&read.ok()["count"], &read.ok()["total"]),
            (&json!(3), &json!(15))
        );
        // A tag that a write tells is that of the item as it is stored.
        if let Some(tag) = answer.header("etag") {
            assert!(is_of(tag, &read), "{collection}");
        }
        let answer = service.put(&path, &json!({"price": 7}));
        assert_no_content(&answer);
        if let Some(tag) = answer.header("etag") {
            assert!(is_of(tag, &service.get(&path)), "{collection}");
        }
        assert_eq!(service.read(&path)["total"], 21);
        let shown = service
            .request("POST", &all)
            .header("prefer", "return=representation");
        let shown = shown
            .json(json!({"price": 2, "count": 4}).to_string())
            .send();
        assert_eq!((shown.status, &shown.json()["total"]), (201, &json!(8)));
        let tag = service
            .get(&path)
            .header("etag")
            .map(str::to_owned)
            .expect("a tag");
        let matched = |tag: &str| {
            let put = service.request("PUT", &path).header("if-match", tag);
            put.json(json!({"price": 8}).to_string()).send().status
        };
        assert_eq!(matched(&tag), 204);
        assert_eq!(matched(&tag), 412);
        for (name, value) in [("total", 1), ("sku", 1)] {
            let body = json!({"price": 1, name: value});
            assert_eq!(service.post(&all, &body).status, 400, "{name}");
        }
        assert_error(&service.put(&path, &json!({"total": 1})), 400, 10010);
    }
}

#[apply(every_database)]
fn a_key_of_the_database_may_be_chosen_where_it_is_assigned() {
    let service = start();
    let own = assert_created(&service.post("/api/1.0/chosen", &json!({"price": 1, "sku": "mine"})));
    assert_eq!(own, "/api/1.0/chosen/mine");
    let taken = json!({"price": 1, "sku": "mine"});
    assert_error(&service.post("/api/1.0/chosen", &taken), 400, 10030).naming(&["`sku`"]);
    let made = assert_created(&service.post("/api/1.0/chosen", &json!({"price": 1})));
    assert_eq!(service.read(&made)["count"], 3);
    let post = || {
        let post = service
            .request("POST", "/api/1.0/chosen")
            .header("idempotency-key", "\"a-key-of-a-test-02\"");
        post.json(json!({"price": 9}).to_string()).send()
    };
    let (first, again) = (post(), post());
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(service.read(first.header("location").unwrap())["price"], 9);
    assert_eq!(service.read("/api/1.0/chosen")["totalItems"], 3);
}

#[apply(every_database)]
fn code_gets_items_as_the_database_has_stored_them() {
    let database = lines();
    block_on(async {
        let opened = Database::connect(&database.url()).await.unwrap();
        let api = api().build(opened).unwrap();
        let line = Line {
            sku: "x".into(),
            price: 2,
            count: 5,
            total: 0,
        };
        let stored = api
            .items::<Line>()
            .without_hooks()
            .insert(line)
            .await
            .unwrap();
        assert_eq!(stored.total, 10);
        let drafts = [
            resource_runtime::new!(Hooked { price: 1 }),
            resource_runtime::new!(Hooked { price: 2, count: 7 }),
            resource_runtime::new!(Hooked { price: 3 }),
        ];
        let items = api.items::<Hooked>();
        let keys = items.without_hooks().insert_all(drafts).await.unwrap();
        let all = api
            .items::<Hooked>()
            .filter(Hooked::SKU.is_in(keys))
            .order_by(Hooked::PRICE.asc());
        let all = all.limit(9).all().await.unwrap();
        let found: Vec<_> = all.iter().map(|it| (it.count, it.total)).collect();
        assert_eq!(found, [(3, 3), (7, 14), (3, 9)]);
        let hooked = resource_runtime::new!(Hooked { price: 4 });
        let hooked = api.items::<Hooked>().insert(hooked).await.unwrap();
        assert_eq!((hooked.count, hooked.total), (3, 12));
        let again = resource_runtime::new!(Line {
            sku: "x".to_owned(),
            price: 6
        });
        let line = api
            .items::<Line>()
            .without_hooks()
            .upsert(Line::SKU, again)
            .await
            .unwrap();
        assert_eq!((line.count, line.total), (5, 30));
        let set = api
            .items::<Hooked>()
            .update(hooked.sku)
            .set(Hooked::TOTAL, 1)
            .await;
        assert!(
            set.unwrap_err()
                .to_string()
                .contains("`total` is read-only")
        );
    });
}

#[apply(every_database)]
fn columns_of_triggers_are_computed_as_well() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Memo", url = "/memos", version = "1.0", existing)]
    struct Memo {
        #[resource(primary_key, assigned)]
        id: i64,
        text: String,
        #[resource(computed)]
        shout: Option<String>,
    }
    let text = of_backend("TEXT", "text COLLATE \"C\"");
    let trigger = of_backend(
        "CREATE TRIGGER loud AFTER INSERT ON memos BEGIN
             UPDATE memos SET shout = upper(text) WHERE id = NEW.id; END",
        "CREATE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             NEW.shout = upper(NEW.text); RETURN NEW; END $$;
         CREATE TRIGGER loud BEFORE INSERT ON memos FOR EACH ROW EXECUTE FUNCTION loud()",
    );
    let table = format!(
        "CREATE TABLE memos (id bigint NOT NULL PRIMARY KEY, text {text} NOT NULL, shout {text});"
    );
    let database = made_by(&format!("{table}{trigger}"));
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Memo>().build(database)
    });
    let answer = service.post("/api/1.0/memos", &json!({"id": 1, "text": "hey"}));
    let path = assert_created(&answer);
    assert_eq!(answer.header("etag"), None);
    assert_eq!(service.read(&path)["shout"], "HEY");
    assert_no_content(&service.put(&path, &json!({"text": "ho"})));
    assert_eq!(service.read(&path)["shout"], "HEY");
}

#[apply(every_database)]
fn a_default_that_the_table_lacks_is_told() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Line", url = "/lines", version = "1.0", existing)]
    struct Priced {
        #[resource(primary_key, default = database)]
        sku: String,
        #[resource(default = database)]
        price: i64,
    }
    let (fatal, _) = sentences(Api::builder().resource::<Priced>(), &lines());
    assert_eq!(
        fatal,
        [
            "`lines.price` has no default, but `Line` 1.0 leaves its value to one; remove `default = database`"
        ]
    );
}

/// A row whose defaults are in forms of their own.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Leaf",
    url = "/leaves",
    version = "1.0",
    table = "leaves",
    existing
)]
struct Leaf {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(default = database)]
    flag: Option<bool>,
    #[resource(default = database, stored(sqlite = space_text(0), postgres = utc))]
    at: Option<chrono::DateTime<chrono::Utc>>,
    #[resource(default = database, max_length = 9)]
    code: Option<String>,
    #[resource(default = database)]
    count: Option<i64>,
    #[resource(computed)]
    size: Option<i64>,
}

#[apply(every_database)]
fn a_default_that_no_client_can_read_is_fatal() {
    resource_tests::responses_differ("the clocks of the databases differ in digits");
    let leaves = || Api::builder().resource::<Leaf>();
    let made = |[flag, at, code, count, size]: [&str; 5]| {
        let types = of_backend(
            ["boolean", "DATETIME", "VARCHAR(9)", "INTEGER", "INTEGER"],
            ["boolean", "timestamp", "varchar(9)", "bigint", "bigint"],
        );
        let [of_flag, of_at, of_code, of_count, of_size] = types;
        made_by(&format!(
            "CREATE TABLE leaves (id bigint NOT NULL PRIMARY KEY, flag {of_flag} DEFAULT {flag},
                 at {of_at} DEFAULT {at}, code {of_code} DEFAULT {code}, count {of_count} DEFAULT {count},
                 size {of_size} DEFAULT {size})"
        ))
    };
    let fitting = of_backend(
        ["'1'", "CURRENT_TIMESTAMP", "'it''s'", "(1 + 1)", "'7'"],
        ["'t'", "now()", "'it''s'", "(1 + 1)", "'7'"],
    );
    assert_eq!(sentences(leaves(), &made(fitting)).0, [""; 0]);
    let service = Service::start_on(&made(fitting), |database| leaves().build(database));
    let path = service.create("/api/1.0/leaves", &json!({"id": 1}));
    let leaf = service.read(&path);
    let found = ["flag", "code", "count", "size"].map(|it| leaf[it].clone());
    assert_eq!(found, [json!(true), json!("it's"), json!(2), json!(7)]);
    let told = |column: &str, default: &str, words: &str| {
        format!(
            "`leaves.{column}` is `{default}` in a new row that does not name it, but `Leaf` 1.0 cannot read that: \
             {words}; declare the form of this value, or give the field a `default` of its own"
        )
    };
    let unfit = of_backend(
        vec![
            (0, "flag", "'f'"),
            (1, "at", "strftime('%Y-%m-%dT%H:%M:%fZ','now')"),
            (2, "code", "'much too long'"),
            (3, "count", "'many'"),
            (4, "size", "1.5"),
        ],
        vec![(1, "at", "'infinity'::timestamp without time zone")],
    );
    for (place, column, default) in unfit {
        let written = format!("({default})");
        let mut defaults = fitting;
        defaults[place] = &written;
        let (fatal, _) = sentences(leaves(), &made(defaults));
        let [sentence] = &fatal[..] else {
            panic!("{fatal:?}");
        };
        let (before, behind) = sentence.split_once(" cannot read that: ").expect("words");
        let words = behind.split("; declare ").next().expect("words");
        assert_eq!(*sentence, told(column, default, words), "{before}");
    }
}
