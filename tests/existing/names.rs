//! Names of any letters, in tables, columns and schemas: quoted everywhere, and told apart in errors.

use resource_runtime::{Api, ApiBuilder, ApiResource, Database};
use resource_tests::{
    Backend, Service, TestDatabase, apply, assert_error, assert_no_content, block_on,
    every_database, problems,
};
use serde_json::{Map, Value, json};

use crate::{assigned_key, made_by, of_backend, sentences};

const TABLE: &str = "odd \"table\", 注文. x";

/// A row of columns with forty odd names.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Odd",
    url = "/odd",
    version = "1.0",
    table = "odd \"table\", 注文. x",
    existing
)]
struct Odd {
    id: i64,
    #[resource(column = "plain")]
    a0: Option<String>,
    #[resource(column = "With Space", max_length = 5)]
    a1: Option<String>,
    #[resource(column = "quo\"te", unique)]
    a2: Option<String>,
    #[resource(column = "two\"\"quotes")]
    a3: Option<String>,
    #[resource(column = "apos'trophe")]
    a4: Option<String>,
    #[resource(column = "a, b", max_length = 5)]
    a5: Option<String>,
    #[resource(column = "dot.ted", unique)]
    a6: Option<String>,
    #[resource(column = ".")]
    a7: Option<String>,
    #[resource(column = "\"")]
    a8: Option<String>,
    #[resource(column = "顧客", max_length = 5)]
    a9: Option<String>,
    #[resource(column = "Größe", unique)]
    a10: Option<String>,
    #[resource(column = "пол")]
    a11: Option<String>,
    #[resource(column = "😀")]
    a12: Option<String>,
    #[resource(column = "semi;colon", max_length = 5)]
    a13: Option<String>,
    #[resource(column = "--comment", unique)]
    a14: Option<String>,
    #[resource(column = "/*x*/")]
    a15: Option<String>,
    #[resource(column = "(paren)")]
    a16: Option<String>,
    #[resource(column = "a)=(b", max_length = 5)]
    a17: Option<String>,
    #[resource(column = "[brackets]", unique)]
    a18: Option<String>,
    #[resource(column = "back`tick")]
    a19: Option<String>,
    #[resource(column = "back\\slash")]
    a20: Option<String>,
    #[resource(column = "?", max_length = 5)]
    a21: Option<String>,
    #[resource(column = "?1", unique)]
    a22: Option<String>,
    #[resource(column = "$1")]
    a23: Option<String>,
    #[resource(column = ":name")]
    a24: Option<String>,
    #[resource(column = "@at", max_length = 5)]
    a25: Option<String>,
    #[resource(column = "%", unique)]
    a26: Option<String>,
    #[resource(column = "_")]
    a27: Option<String>,
    #[resource(column = "select")]
    a28: Option<String>,
    #[resource(column = "ORDER", max_length = 5)]
    a29: Option<String>,
    #[resource(column = "Desc", unique)]
    a30: Option<String>,
    #[resource(column = "7up")]
    a31: Option<String>,
    #[resource(column = "-")]
    a32: Option<String>,
    #[resource(column = "tab\there", max_length = 5)]
    a33: Option<String>,
    #[resource(column = "line\nfeed", unique)]
    a34: Option<String>,
    #[resource(column = "the.item")]
    a35: Option<String>,
    #[resource(column = "order.x")]
    a36: Option<String>,
    #[resource(column = "$$", max_length = 5)]
    a37: Option<String>,
    #[resource(column = "null", unique)]
    a38: Option<String>,
    #[resource(column = "éééééééééééééééééééééééééééééééx")]
    a39: Option<String>,
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The attributes but the key, each with its column.
fn attributes() -> impl Iterator<Item = (&'static str, String)> {
    let attributes = Odd::DEFINITION.all_attributes().iter().skip(1);
    attributes.map(|it| (it.name(), quoted(it.identifier().as_str())))
}

fn odd_table() -> TestDatabase {
    let columns = attributes().map(|(name, column)| {
        let attribute = Odd::DEFINITION.find(name).expect("an attribute").1;
        let unique = if attribute.is_unique() { " UNIQUE" } else { "" };
        of_backend(
            format!(", {column} TEXT CHECK (length({column}) <= 5){unique}"),
            format!(", {column} varchar(5) COLLATE \"C\"{unique}"),
        )
    });
    let columns: String = columns.collect();
    let key = of_backend("id INTEGER PRIMARY KEY AUTOINCREMENT", assigned_key());
    made_by(&format!("CREATE TABLE {} ({key}{columns})", quoted(TABLE)))
}

#[apply(every_database)]
fn forty_odd_names_take_part_in_every_operation() {
    let database = odd_table();
    let api = || Api::builder().resource::<Odd>();
    let (fatal, _) = sentences(api(), &database);
    // The attributes without a length allow more than the columns.
    assert!(
        fatal
            .iter()
            .all(|it| it.contains("holds at most 5 characters")),
        "{fatal:?}"
    );
    let service = Service::start_on(&database, |database| api().build(database));
    let all = "/api/1.0/odd";
    let values = |suffix: &str| {
        let values =
            attributes().map(|(name, _)| (name.to_owned(), json!(format!("{name}{suffix}"))));
        Value::Object(values.collect::<Map<_, _>>())
    };
    let first = service.create(all, &values("x"));
    let second = service.create(all, &values("y"));
    let listed = service.read(&format!("{all}?order=asc(a39),desc(a34)&limit=1"));
    assert_eq!(listed["items"][0]["a39"], "a39x");
    for (name, _) in attributes() {
        let list = service.read(&format!(
            "{all}?filter=eq({name},\"{name}y\")&fields={name}&order=asc({name})"
        ));
        assert_eq!(list["items"], json!([{name: format!("{name}y")}]));
        let too_long = json!({name: "123456"});
        assert_error(&service.put(&first, &too_long), 400, 10010);
        let taken = json!({name: format!("{name}y")});
        let is_unique = Odd::DEFINITION
            .find(name)
            .expect("an attribute")
            .1
            .is_unique();
        let answer = service.put(&first, &taken);
        if is_unique {
            let named = format!("`{name}` is already taken");
            assert_error(&answer, 400, 10030).naming(&[&named]);
        } else {
            assert_no_content(&answer);
        }
    }
    assert_no_content(&service.delete(&second));
    assert_error(&service.get(&second), 404, 10001);
    assert_eq!(service.read(all)["totalItems"], 1);
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Buyer",
    url = "/buyers",
    version = "1.0",
    schema = "odd, \"sales\"",
    existing
)]
struct Buyer {
    id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Sale",
    url = "/sales",
    version = "1.0",
    schema = "odd, \"sales\"",
    existing
)]
#[resource(subresource(buyer = "buyer_id"))]
struct Sale {
    id: i64,
    #[resource(references = Buyer)]
    buyer_id: i64,
}

fn sales() -> ApiBuilder {
    Api::builder().resource::<Buyer>().resource::<Sale>()
}

#[apply(every_database)]
fn a_schema_is_named_in_every_statement() {
    let (schema, key) = (
        "\"odd, \"\"sales\"\"\"",
        of_backend("id INTEGER PRIMARY KEY AUTOINCREMENT", assigned_key()),
    );
    let before = of_backend(
        String::new(),
        format!(
            "DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; SET search_path = {schema};"
        ),
    );
    let database = made_by(&format!(
        "{before} CREATE TABLE buyers ({key});
         CREATE TABLE sales ({key}, buyer_id bigint NOT NULL REFERENCES buyers (id));
         CREATE INDEX by_buyer ON sales (buyer_id);"
    ));
    assert_eq!(sentences(sales(), &database), (vec![], vec![]));
    let service = Service::start_on(&database, |database| sales().build(database));
    let buyer = service.create("/api/1.0/buyers", &json!({}));
    let id = service.read(&buyer)["id"].clone();
    let sale = service.create("/api/1.0/sales", &json!({"buyer_id": id}));
    assert_eq!(
        service.read(&format!("{sale}?fields=buyer(id)")),
        json!({"buyer": {"id": id}})
    );
    assert_error(&service.put(&sale, &json!({"buyer_id": 99})), 400, 10031);
    assert_error(&service.delete(&buyer), 400, 10020);
    let list = "/api/1.0/sales?filter=eq(buyer.id,1)&order=asc(buyer.id)&limit=1";
    for _ in 0..3 {
        assert_eq!(service.read(list)["totalItems"], 1);
    }
    assert_no_content(&service.delete(&sale));
    assert_no_content(&service.delete(&buyer));
}

#[apply(every_database)]
fn names_that_the_database_cannot_keep_apart_fail_the_build() {
    #[derive(Debug, ApiResource)]
    #[resource(
        name = "Former",
        url = "/former",
        version = "1.0",
        schema = "old",
        table = "BUYERS",
        existing
    )]
    struct Former {
        #[resource(column = "a_name_of_sixty_four_bytes_which_no_name_of_PostgreSQL_can_ever_")]
        id: i64,
    }
    let database = TestDatabase::default();
    let built = block_on(async {
        let opened = Database::connect(&database.url()).await.expect("it opens");
        sales().resource::<Former>().build(opened)
    });
    let expected = match Backend::under_test() {
        Backend::Sqlite => {
            "the tables \"odd, \"\"sales\"\"\".\"buyers\" and \"old\".\"BUYERS\" are one on SQLite, which has no \
             schemas; give one another `table`"
        }
        Backend::Postgres => {
            "`a_name_of_sixty_four_bytes_which_no_name_of_PostgreSQL_can_ever_` is longer than the 63 bytes that \
             PostgreSQL keeps of a name; write the name that it has there"
        }
    };
    assert_eq!(problems(&built.unwrap_err()), [expected]);
}
