//! Texts in collations that others chose: answers are those of code points, and the indexes of the columns serve.

use resource_runtime::{Api, ApiResource, Database};
use resource_tests::polling::wait_for;
use resource_tests::{
    Backend, Cluster, Service, TestDatabase, apply, assert_error, assert_no_content, block_on,
    every_database,
};
use serde_json::{Value, json};

use crate::requests::{page, url};

#[derive(Debug, ApiResource)]
#[resource(
    name = "Word",
    url = "/words",
    version = "1.0",
    table = "Word",
    existing
)]
#[resource(subresource(root = "root_text"), collection(derived = Word::ROOT_TEXT))]
struct Word {
    #[resource(primary_key, assigned, max_length = 20)]
    text: String,
    #[resource(max_length = 20)]
    sound: Option<String>,
    #[resource(references = Word, max_length = 20)]
    root_text: Option<String>,
}

const WORDS: &str = "/api/1.0/words";

/// The table with columns whose collations have another order than code points, on SQLite one in which different texts
/// are equal.
fn database() -> TestDatabase {
    let (key, collation) = match Backend::under_test() {
        Backend::Sqlite => ("COLLATE NOCASE", "COLLATE NOCASE"),
        Backend::Postgres => ("", "COLLATE \"en-x-icu\""),
    };
    let database = TestDatabase::default();
    database.other_program().execute(&format!(
        "CREATE TABLE \"Word\" (text VARCHAR(20) {key} NOT NULL PRIMARY KEY, sound VARCHAR(20) {collation},
                                root_text VARCHAR(20) {key} REFERENCES \"Word\" (text));
         CREATE INDEX word_sound ON \"Word\" (sound);
         CREATE INDEX word_root ON \"Word\" (root_text);"
    ));
    database
}

fn texts(service: &Service, parameters: &[(&str, &str)]) -> Vec<String> {
    let page = page(service, WORDS, parameters);
    let items = page["items"].as_array().expect("items");
    let texts = items
        .iter()
        .map(|it| it["text"].as_str().expect("a text").to_owned());
    texts.collect()
}

#[apply(every_database)]
fn texts_are_compared_and_ordered_by_code_point() {
    let database = database();
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Word>().build(database)
    });
    for (text, sound) in [
        ("a", "b"),
        ("B", "B"),
        ("ä", "a"),
        ("Z", "ä"),
        ("_", "A"),
        ("c%d", "b "),
    ] {
        let path = service.create(
            WORDS,
            &json!({"text": text, "sound": sound, "root_text": "a"}),
        );
        assert_eq!(service.read(&path)["sound"], sound);
    }
    assert_eq!(texts(&service, &[]), ["B", "Z", "_", "a", "c%d", "ä"]);
    for (filter, expected) in [
        ("eq(sound,\"b\")", &["a"][..]),
        ("ne(sound,\"b\")", &["B", "Z", "_", "c%d", "ä"]),
        ("in(sound,[\"b\",\"a\"])", &["a", "ä"]),
        ("gt(sound,\"B\")", &["Z", "a", "c%d", "ä"]),
        ("le(sound,\"a\")", &["B", "_", "ä"]),
        ("like(sound,\"b%\")", &["a", "c%d"]),
        ("startswith(sound,\"B\")", &["B"]),
        ("like(text,\"c\\\\%d\")", &["c%d"]),
        ("ilike(sound,\"B%\")", &["B", "a", "c%d"]),
        ("contains(sound,\"a\")", &["ä"]),
        ("eq(root.sound,\"b\")", &["B", "Z", "_", "a", "c%d", "ä"]),
        ("has(derived,eq(sound,\"A\"))", &["a"]),
        ("has(derived,eq(sound,\"Ä\"))", &[]),
    ] {
        assert_eq!(texts(&service, &[("filter", filter)]), expected, "{filter}");
    }
    for (order, expected) in [
        ("asc(sound)", ["_", "B", "ä", "a", "c%d", "Z"]),
        ("desc(sound)", ["Z", "c%d", "a", "ä", "B", "_"]),
        (
            "asc(root.text),desc(text)",
            ["ä", "c%d", "a", "_", "Z", "B"],
        ),
    ] {
        assert_eq!(texts(&service, &[("order", order)]), expected, "{order}");
        let (mut found, mut cursor) = (Vec::new(), "start".to_owned());
        while found.len() < expected.len() {
            let parameters = [("order", order), ("limit", "2"), ("cursor", &*cursor)];
            found.extend(texts(&service, &parameters));
            let read: Value = service.get(&url(WORDS, &parameters)).json();
            read["next"]
                .as_str()
                .unwrap_or_default()
                .clone_into(&mut cursor);
        }
        assert_eq!(found, expected, "{order}");
        let fields = [("order", order), ("fields", "text,root(sound)")];
        assert_eq!(texts(&service, &fields), expected, "{order}");
    }
    // Another text is another key, whatever the collation takes as equal.
    assert_eq!(service.get(&format!("{WORDS}/A")).status, 404);
    assert_error(
        &service.put(&format!("{WORDS}/z"), &json!({"sound": "x"})),
        404,
        10001,
    );
    assert_error(&service.delete(&format!("{WORDS}/b")), 404, 10001);
    assert_no_content(&service.delete(&format!("{WORDS}/B")));
}

#[apply(every_database)]
fn check_tells_what_another_order_costs_and_refuses_equality_beyond_the_text() {
    let database = database();
    let report = || {
        let opened = block_on(Database::connect(&database.url())).expect("it opens");
        let api = Api::builder().resource::<Word>().build(opened);
        block_on(api.expect("it builds").check_schema())
    };
    let (place, collation, ordered) = match Backend::under_test() {
        Backend::Sqlite => ("Word", "NOCASE", "COLLATE BINARY"),
        Backend::Postgres => ("Word", "default", "COLLATE \"C\""),
    };
    let told = report().expect("nothing is fatal").to_string();
    let index = |column: &str, end: &str| {
        format!("CREATE INDEX \"Word.{column}.ordered\" ON \"Word\" (\"{column}\" {ordered}{end})")
    };
    assert!(
        told.contains(&format!("`{place}.text` has the collation `{collation}`")),
        "{told}"
    );
    assert!(told.contains(&index("text", "")), "{told}");
    // Nothing is said of a column without a wanted index.
    assert!(!told.contains("sound"), "{told}");
    database.other_program().execute(&index("text", ""));
    let told = report().expect("nothing is fatal").to_string();
    assert!(!told.contains("`Word.text`"), "{told}");
    if Backend::under_test() == Backend::Postgres {
        database.other_program().execute(
            "CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
             ALTER TABLE \"Word\" ALTER COLUMN sound TYPE varchar(20) COLLATE caseless;",
        );
        let error = report().expect_err("different texts are equal").to_string();
        assert!(
            error.contains("`stored(postgres = type(\"varchar\"))`"),
            "{error}"
        );
    }
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "City",
    url = "/cities",
    version = "1.0",
    table = "City",
    existing
)]
struct City {
    #[resource(primary_key, assigned, max_length = 20)]
    code: String,
    #[resource(max_length = 50)]
    name: String,
}

/// Options by which a server logs the plan of each statement.
const EXPLAIN: &str = "%20-c%20session_preload_libraries%3Dauto_explain\
    %20-c%20auto_explain.log_min_duration%3D0";

/// The logged plans of pages.
fn plans(log: &str) -> Vec<&str> {
    let plans = log.split("Query Text: ").skip(1);
    plans.filter(|plan| plan.contains("\"City\"")).collect()
}

#[test]
fn existing_indexes_of_the_default_collation_serve_on_postgres() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let database = TestDatabase::schema(&cluster.url()).with_options(EXPLAIN);
    database.other_program().execute(
        "CREATE TABLE \"City\" (code varchar(20) PRIMARY KEY, name varchar(50) NOT NULL);
         CREATE INDEX city_name ON \"City\" (name);
         INSERT INTO \"City\" SELECT 'c' || number, 'city ' || number
             FROM generate_series(1, 50000) AS number;
         ANALYZE \"City\"",
    );
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<City>().build(database)
    });
    for (target, index) in [
        ("/api/1.0/cities/c77".to_owned(), "City_pkey"),
        (of("eq(name,\"city 77\")"), "city_name"),
        (of("in(name,[\"city 77\",\"city 78\"])"), "city_name"),
        (of("eq(code,\"c77\")"), "City_pkey"),
    ] {
        let before = plans(&cluster.log()).len();
        // After five executions, the server may use a generic plan.
        for _ in 0..8 {
            assert_eq!(service.get(&target).status, 200);
        }
        wait_for("the plans", || {
            (plans(&cluster.log()).len() >= before + 8).then_some(())
        });
        let log = cluster.log();
        for plan in &plans(&log)[before..] {
            assert!(plan.contains(index), "{target}: {plan}");
            assert!(!plan.contains("Seq Scan"), "{target}: {plan}");
        }
    }
}

fn of(filter: &str) -> String {
    url("/api/1.0/cities", &[("filter", filter)])
}
