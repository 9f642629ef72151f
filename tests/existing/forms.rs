//! Columns that hold values in forms of their own: random values are read, found, ordered and written as a plain
//! evaluation says, and what a form cannot hold is refused or told.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use resource_runtime::{
    Api, ApiResource, Database, FieldValue, HookResult, Messages, Validator, WriteContext, new,
};
use resource_tests::{
    Answer, Backend, Service, TestDatabase, apply, assert_error, assert_no_content, block_on,
    every_database, problems, responses_differ, watch,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::requests::{filtered, ids, page, url};
use crate::{made_by, of_backend, sentences};

const READINGS: &str = "/api/1.0/readings";

/// A resource with a field for each form; those that a database lacks are there in our own form.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Reading",
    url = "/readings",
    version = "1.0",
    table = "Reading",
    existing
)]
#[resource(limit(max = 1000))]
struct Reading {
    #[resource(column = "Id")]
    id: i64,
    #[resource(digits(10, 2), stored(sqlite = number))]
    price: Option<Decimal>,
    #[resource(digits(15, 6), stored(sqlite = number))]
    long: Option<Decimal>,
    #[resource(digits(15, 0), stored(sqlite = number))]
    whole: Option<Decimal>,
    #[resource(digits(20, 3))]
    own: Option<Decimal>,
    #[resource(stored(sqlite = space_text(0), postgres = utc))]
    space0: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = space_text(auto)))]
    space_auto: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = t_text(3), postgres = utc))]
    t3: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = t_text(6)))]
    t6: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = offset_text(0)))]
    offset0: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = offset_text(auto), postgres = utc))]
    offset_auto: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = t_text(auto)))]
    local_auto: Option<NaiveDateTime>,
    #[resource(stored(sqlite = space_text(3)))]
    local3: Option<NaiveDateTime>,
    #[resource(stored(sqlite = t_text(0)))]
    local0: Option<NaiveDateTime>,
    #[resource(stored(sqlite = space_text(0)))]
    day: Option<NaiveDate>,
}

/// A value as a whole number: of its last decimal place, or of microseconds since 1970.
type Number = i64;

/// A form with its types, and its values in JSON and in SQL, formatted here without the service.
struct Form {
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
    values: Values,
}

enum Values {
    /// Decimals of so many digits.
    Decimal(u32, u32),
    /// Dates, as their first moment.
    Day,
    /// Times with so many digits behind the second, and their format on SQLite; `%F` of chrono is the date.
    Time {
        digits: u32,
        is_auto: bool,
        format: &'static str,
        is_local: bool,
    },
}

const fn time(digits: u32, is_auto: bool, format: &'static str, is_local: bool) -> Values {
    Values::Time {
        digits,
        is_auto,
        format,
        is_local,
    }
}

#[rustfmt::skip]
const FORMS: [Form; 14] = [
    Form { name: "price", sqlite: "NUMERIC(10,2)", postgres: "numeric(10,2)", values: Values::Decimal(10, 2) },
    Form { name: "long", sqlite: "REAL", postgres: "numeric(15,6)", values: Values::Decimal(15, 6) },
    Form { name: "whole", sqlite: "DECIMAL", postgres: "numeric(15,0)", values: Values::Decimal(15, 0) },
    Form { name: "own", sqlite: "TEXT", postgres: "numeric(20,3)", values: Values::Decimal(18, 3) },
    Form { name: "space0", sqlite: "DATETIME", postgres: "timestamp", values: time(0, false, "%F %T", false) },
    Form { name: "space_auto", sqlite: "DATETIME", postgres: "timestamptz", values: time(6, true, "%F %T", false) },
    Form { name: "t3", sqlite: "TEXT", postgres: "timestamp", values: time(3, false, "%FT%T%.3fZ", false) },
    Form { name: "t6", sqlite: "VARCHAR(30)", postgres: "timestamptz", values: time(6, false, "%FT%T%.6fZ", false) },
    Form { name: "offset0", sqlite: "TIMESTAMP", postgres: "timestamptz", values: time(0, false, "%FT%T+00:00", false) },
    Form { name: "offset_auto", sqlite: "TEXT", postgres: "timestamp", values: time(6, true, "%FT%T+00:00", false) },
    Form { name: "local_auto", sqlite: "DATETIME", postgres: "timestamp", values: time(6, true, "%FT%T", true) },
    Form { name: "local3", sqlite: "DATETIME", postgres: "timestamp", values: time(3, false, "%F %T%.3f", true) },
    Form { name: "local0", sqlite: "DATETIME", postgres: "timestamp", values: time(0, false, "%FT%T", true) },
    Form { name: "day", sqlite: "DATETIME", postgres: "date", values: Values::Day },
];

impl Form {
    fn any(&self, random: &mut TestRng) -> Number {
        let values = match self.values {
            Values::Decimal(precision, _) => {
                // As often few digits as many.
                let most = 10_i64.pow(random.random_range(1..=precision));
                return random.random_range(1 - most..most);
            }
            Values::Day => return random.random_range(-719_162..2_932_896) * 86_400_000_000,
            Values::Time { digits, .. } => digits,
        };
        // All years from 1 to 9999, and as often those of today.
        let seconds = if random.random::<bool>() {
            random.random_range(-62_135_596_800..253_402_300_800_i64)
        } else {
            random.random_range(1_230_000_000..1_230_000_100_i64)
        };
        let unit = 10_i64.pow(6 - values);
        let fraction = if random.random::<bool>() {
            0
        } else {
            random.random_range(0..1_000_000 / unit) * unit
        };
        seconds * 1_000_000 + fraction
    }

    /// The text in JSON, of the same length for all values of a decimal.
    fn json(&self, value: Number) -> String {
        match self.values {
            Values::Day => moment(value).format("%F").to_string(),
            Values::Decimal(_, 0) => value.to_string(),
            Values::Decimal(_, scale) => {
                let scale = usize::try_from(scale).expect("a few digits");
                let sign = if value < 0 { "-" } else { "" };
                let digits = format!("{:0width$}", value.unsigned_abs(), width = scale + 1);
                let (whole, fraction) = digits.split_at(digits.len() - scale);
                format!("{sign}{whole}.{fraction}")
            }
            Values::Time { is_local, .. } => {
                let text = moment(value).format("%FT%T%.6f").to_string();
                let text = text.trim_end_matches('0').trim_end_matches('.');
                let text = if text.len() < 19 {
                    // The zeros of a whole second stay.
                    moment(value).format("%FT%T").to_string()
                } else {
                    text.to_owned()
                };
                text + if is_local { "" } else { "Z" }
            }
        }
    }

    /// The literal in SQL, as another program writes the value.
    fn literal(&self, value: Number) -> String {
        match (&self.values, Backend::under_test()) {
            (Values::Decimal(..), Backend::Sqlite) if self.sqlite == "TEXT" => {
                format!("'{}'", self.json(value))
            }
            (Values::Decimal(..), _) => self.json(value),
            (Values::Day, Backend::Sqlite) => format!("'{}'", moment(value).format("%F %T")),
            (Values::Day, Backend::Postgres) => format!("'{}'", self.json(value)),
            (Values::Time { .. }, Backend::Postgres) => {
                let zone = if self.postgres == "timestamptz" {
                    "Z"
                } else {
                    ""
                };
                format!("'{}{zone}'", moment(value).format("%F %T%.6f"))
            }
            (
                Values::Time {
                    is_auto, format, ..
                },
                Backend::Sqlite,
            ) => {
                let is_fine = *is_auto && value % 1_000_000 != 0;
                let format = if is_fine {
                    format.replace("%T", "%T%.6f")
                } else {
                    (*format).to_owned()
                };
                format!("'{}'", moment(value).format(&format))
            }
        }
    }
}

fn moment(value: Number) -> NaiveDateTime {
    DateTime::UNIX_EPOCH.naive_utc() + TimeDelta::microseconds(value)
}

/// The number of values of each form: more on a machine without haste.
fn count() -> usize {
    let number = std::env::var("FORMS_VALUES").ok();
    number.map_or(300, |it| it.parse().expect("a number"))
}

/// The rows of the table: a value or null of each form, some of them twice.
fn random_rows(random: &mut TestRng) -> Vec<[Option<Number>; FORMS.len()]> {
    let mut rows: Vec<[Option<Number>; FORMS.len()]> = Vec::new();
    for _ in 0..count() {
        let again = rows.get(random.random_range(0..=rows.len())).copied();
        let mut index = 0;
        rows.push(FORMS.each_ref().map(|form| {
            index += 1;
            match random.random_range(0..10) {
                0 => None,
                1 => again.and_then(|row| row[index - 1]),
                _ => Some(form.any(random)),
            }
        }));
    }
    rows
}

/// A database with the table of `Reading`, as others made it, and these rows.
fn database_of(rows: &[[Option<Number>; FORMS.len()]]) -> TestDatabase {
    let database = TestDatabase::default();
    let (id, of_form): (_, fn(&Form) -> &'static str) = match Backend::under_test() {
        Backend::Sqlite => ("\"Id\" INTEGER PRIMARY KEY AUTOINCREMENT", |form| {
            form.sqlite
        }),
        Backend::Postgres => (
            "\"Id\" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
            |form| form.postgres,
        ),
    };
    let columns = FORMS
        .each_ref()
        .map(|form| format!("{} {}", form.name, of_form(form)));
    let mut program = database.other_program();
    program.execute(&format!(
        "CREATE TABLE \"Reading\" ({id}, {})",
        columns.join(", ")
    ));
    for chunk in rows.chunks(500) {
        let rows = chunk.iter().map(|row| {
            let values = FORMS.iter().zip(row).map(|(form, value)| {
                value.map_or_else(|| "NULL".to_owned(), |value| form.literal(value))
            });
            format!("({})", values.collect::<Vec<_>>().join(", "))
        });
        let names = FORMS.each_ref().map(|form| form.name).join(", ");
        let rows = rows.collect::<Vec<_>>().join(", ");
        program.execute(&format!("INSERT INTO \"Reading\" ({names}) VALUES {rows}"));
    }
    database
}

fn readings(database: &TestDatabase) -> Service {
    Service::start_on(database, |database| {
        Api::builder().resource::<Reading>().build(database)
    })
}

fn item(row: &[Option<Number>; FORMS.len()], id: usize) -> Value {
    let mut item = json!({ "id": id });
    for (form, value) in FORMS.iter().zip(row) {
        item[form.name] = value.map_or(Value::Null, |value| form.json(value).into());
    }
    item
}

#[apply(every_database)]
fn random_values_are_read_found_ordered_and_written_as_they_are() {
    let random = &mut TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let rows = random_rows(random);
    let database = database_of(&rows);
    let service = readings(&database);
    let report = block_on(async {
        let opened = Database::connect(&database.url()).await.expect("it opens");
        let api = Api::builder().resource::<Reading>().build(opened);
        api.expect("it builds").check_schema().await
    });
    let report = report.expect("nothing is fatal");
    assert!(report.is_empty(), "{report}");
    // Read as stored by another program, in the order of the key.
    for (id, row) in (1..).zip(&rows).step_by(1 + rows.len() / 100) {
        assert_eq!(service.read(&format!("{READINGS}/{id}")), item(row, id));
    }
    for (index, form) in FORMS.iter().enumerate() {
        let values: Vec<Option<Number>> = rows.iter().map(|row| row[index]).collect();
        require_filters(&service, form, &values, random);
        require_orders(&service, form, &values);
    }
    require_writes(&service, &database, &rows);
}

/// Filters on the attribute find the rows that a plain evaluation finds.
fn require_filters(
    service: &Service,
    form: &Form,
    values: &[Option<Number>],
    random: &mut TestRng,
) {
    let known: Vec<Number> = values.iter().copied().flatten().collect();
    for _ in 0..6 {
        let one = known[random.random_range(0..known.len())];
        let other = form.any(random);
        let (name, text, others) = (form.name, form.json(one), form.json(other));
        let tests: [(String, &dyn Fn(Number) -> bool); 5] = [
            (format!("eq({name},\"{text}\")"), &|it| it == one),
            (format!("gt({name},\"{others}\")"), &|it| it > other),
            (format!("le({name},\"{text}\")"), &|it| it <= one),
            (
                format!("and(ge({name},\"{text}\"),lt({name},\"{others}\"))"),
                &|it| it >= one && it < other,
            ),
            (format!("in({name},[\"{text}\",\"{others}\"])"), &|it| {
                it == one || it == other
            }),
        ];
        for (filter, holds) in tests {
            let expected = (1..).zip(values).filter(|(_, it)| it.is_some_and(holds));
            let expected: Vec<i64> = expected.map(|(id, _)| id).take(1000).collect();
            let found = page(service, READINGS, &[("filter", &filter), ("limit", "1000")]);
            assert_eq!(ids(&found), expected, "{filter}");
        }
    }
    let null = format!("eq({},null)", form.name);
    let expected = (1..).zip(values).filter(|(_, it)| it.is_none());
    let expected: Vec<i64> = expected.map(|(id, _)| id).collect();
    if expected.len() <= 1000 {
        assert_eq!(filtered(service, READINGS, &null), expected);
    }
}

/// Pages by cursor, forward and back, together are the rows in the order of a plain evaluation.
fn require_orders(service: &Service, form: &Form, values: &[Option<Number>]) {
    let mut expected: Vec<(Option<Number>, i64)> = values.iter().copied().zip(1..).collect();
    // Null is the smallest, in both.
    expected.sort_unstable();
    let ascending: Vec<i64> = expected.iter().map(|(_, id)| *id).collect();
    expected.sort_unstable_by_key(|(value, id)| (std::cmp::Reverse(*value), *id));
    let descending: Vec<i64> = expected.iter().map(|(_, id)| *id).collect();
    for (direction, expected) in [("asc", ascending), ("desc", descending)] {
        let order = format!("{direction}({})", form.name);
        let start = [("order", &*order), ("limit", "97"), ("cursor", "start")];
        let mut page = service.get(&url(READINGS, &start));
        let mut found = ids(&page.json());
        while let Some(next) = link(&page, "next") {
            page = service.get(next);
            found.extend(ids(&page.json()));
        }
        assert_eq!(found, expected, "{order}");
        let previous = link(&page, "prev").expect("a page before");
        let end = (expected.len() - 1) / 97 * 97;
        let back = ids(&service.get(previous).json());
        assert_eq!(back, expected[end - 97..end], "{order} back");
    }
}

/// The URL of a link in the header `Link`.
fn link<'answer>(answer: &'answer Answer, relation: &str) -> Option<&'answer str> {
    let links = answer.header("link").unwrap_or_default().split(", ");
    let mut links = links.filter_map(|link| link.strip_prefix('<')?.split_once(">; rel="));
    let (url, _) = links.find(|(_, it)| it.trim_matches('"') == relation)?;
    Some(url)
}

/// Items that clients write are stored as another program would have stored them.
fn require_writes(
    service: &Service,
    database: &TestDatabase,
    rows: &[[Option<Number>; FORMS.len()]],
) {
    let mut program = database.other_program();
    let same = match Backend::under_test() {
        Backend::Sqlite => "IS",
        Backend::Postgres => "IS NOT DISTINCT FROM",
    };
    for (index, (id, row)) in (1..).zip(rows).take(40).enumerate() {
        // Those of another row, some by a new item.
        let mut body = item(&rows[rows.len() - 1 - index], id);
        body.as_object_mut().expect("an object").remove("id");
        let id = if index % 2 == 0 {
            let path = service.create(READINGS, &body);
            assert_eq!(service.read(&path)["price"], body["price"]);
            path.rsplit_once('/').expect("an id").1.to_owned()
        } else {
            assert_no_content(&service.put(&format!("{READINGS}/{id}"), &body));
            id.to_string()
        };
        let stored = FORMS
            .iter()
            .zip(&rows[rows.len() - 1 - index])
            .map(|(form, value)| {
                let literal = value.map_or_else(|| "NULL".to_owned(), |value| form.literal(value));
                match form.values {
                    // A literal has no type of its own on SQLite.
                    Values::Decimal(..) if form.sqlite != "TEXT" => {
                        format!("{} {same} {literal}", form.name)
                    }
                    _ => format!("{} {same} {literal}", form.name),
                }
            });
        let stored = stored.collect::<Vec<_>>().join(" AND ");
        let query = format!(
            "SELECT CAST(count(*) AS TEXT) FROM \"Reading\" WHERE \"Id\" = {id} AND {stored}"
        );
        assert_eq!(program.text(&query), "1", "{query} {row:?}");
    }
}

#[apply(every_database)]
fn digits_are_padded_and_what_is_finer_is_refused() {
    let database = database_of(&[]);
    let service = readings(&database);
    for (sent, shown) in [
        (json!("1.5"), "1.50"),
        (json!(2), "2.00"),
        (json!(0.25), "0.25"),
        (json!("-3.000"), "-3.00"),
        (json!("99999999.99"), "99999999.99"),
    ] {
        let path = service.create(READINGS, &json!({ "price": sent, "own": sent }));
        let read = service.read(&path);
        assert_eq!(
            (&read["price"], &read["own"]),
            (&json!(shown), &json!(shown.to_owned() + "0"))
        );
        let filter = format!("eq(price,{sent})");
        assert_eq!(
            filtered(&service, READINGS, &filter),
            [read["id"].as_i64().expect("an id")]
        );
    }
    for (attribute, value, told) in [
        (
            "price",
            json!("1.234"),
            "`price` must be a decimal number of at most 8 digits before the point and 2 behind it",
        ),
        (
            "price",
            json!(100_000_000),
            "`price` must be a decimal number of at most 8 digits before the point and 2 behind it",
        ),
        (
            "own",
            json!("0.0001"),
            "`own` must be a decimal number of at most 17 digits before the point and 3 behind it",
        ),
        (
            "space0",
            json!("2009-01-01T00:00:00.5Z"),
            "`space0` must be a timestamp with an offset like \"2024-02-29T07:08:09Z\", without a fraction of a second",
        ),
        (
            "t3",
            json!("2009-01-01T00:00:00.1234Z"),
            "`t3` must be a timestamp with an offset like \"2024-02-29T07:08:09Z\", of at most 3 digits behind the second",
        ),
        (
            "local0",
            json!("2009-01-01T00:00:00.1"),
            "`local0` must be a date and time like \"2024-02-29T07:08:09\", without a fraction of a second",
        ),
    ] {
        let body = json!({ attribute: value });
        let answer = service.post(READINGS, &body);
        assert_error(&answer, 400, 10010);
        assert_eq!(answer.json()["error_description"], told);
        for function in ["eq", "lt"] {
            let filter = format!("{function}({attribute},{value})");
            let answer = service.get(&url(READINGS, &[("filter", &filter)]));
            assert_error(&answer, 400, 10060);
        }
    }
}

#[apply(every_database)]
fn clients_are_told_the_digits() {
    let service = readings(&database_of(&[]));
    let document = service.read("/api/1.0/openapi.json");
    let properties = &document["components"]["schemas"]["ReadingCreate"]["properties"];
    for (attribute, pattern) in [
        ("price", r"^-?\d{1,8}(\.\d{1,2})?$"),
        ("whole", r"^-?\d{1,15}$"),
    ] {
        assert_eq!(properties[attribute]["pattern"], pattern, "{attribute}");
    }
    for (attribute, words) in [
        ("space0", json!("Without a fraction of a second.")),
        ("t3", json!("At most 3 digits behind the second.")),
        ("t6", Value::Null),
    ] {
        assert_eq!(properties[attribute]["description"], words, "{attribute}");
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(digits(6, 2))]
    price: Decimal,
    #[resource(default = Utc::now(), default_on_update = Utc::now(), stored(sqlite = space_text(0), postgres = utc))]
    at: DateTime<Utc>,
}

#[apply(every_database)]
fn our_own_tables_and_code_keep_the_digits_too() {
    responses_differ("the clock may reach the next second");
    let database = TestDatabase::default();
    let opened = block_on(Database::connect(&database.url())).expect("it opens");
    let api = Api::builder()
        .resource::<Note>()
        .build(opened)
        .expect("it builds");
    block_on(api.create_missing_tables()).expect("its tables");
    let report = block_on(api.check_schema()).expect("the tables are what is needed");
    assert!(report.is_empty(), "{report}");
    let half: Decimal = "0.5".parse().expect("a decimal");
    let notes = || api.items::<Note>().without_hooks();
    let note = || new!(Note { price: half });
    block_on(async {
        notes().insert(note()).await?;
        notes().insert_all([note(), note()]).await?;
        let second = notes().filter(Note::ID.eq(2)).update_all();
        second.set(Note::PRICE, half + Decimal::ONE).await?;
        let third = notes().update(3).if_match(Note::PRICE, half);
        third.set(Note::PRICE, half).await
    })
    .expect("they are written");
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Note>().build(database)
    });
    for (id, price) in [(1, "0.50"), (2, "1.50"), (3, "0.50")] {
        let read = service.read(&format!("/api/1.0/notes/{id}"));
        assert_eq!(read["price"], price);
        // A clock is cut to what the column holds.
        assert!(
            !read["at"].as_str().expect("a time").contains('.'),
            "{read}"
        );
    }
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Host",
    url = "/hosts",
    version = "1.0",
    table = "Host",
    existing
)]
struct Host {
    #[resource(primary_key, assigned, max_length = 36, stored(postgres = type("uuid")))]
    name: String,
    #[resource(stored(postgres = type("mood")))]
    mood: Option<Mood>,
    #[resource(max_length = 20, stored(postgres = type("pg_catalog", "inet")))]
    address: Option<String>,
    #[resource(max_length = 20, stored(postgres = type("interval")))]
    rest: Option<String>,
    #[resource(stored(postgres = type("xml")))]
    notes: Option<String>,
    #[resource(max_length = 20, stored(postgres = type("Case Less")))]
    mail: Option<String>,
    #[resource(max_length = 9, stored(postgres = type("bpchar")))]
    code: Option<String>,
}

#[derive(Debug, FieldValue)]
#[resource(rename_all = "snake_case")]
enum Mood {
    Sad,
    Glad,
}

const HOSTS: &str = "/api/1.0/hosts";

/// Types in an order that is not that of their texts, and a text in a collation of its own.
const TYPES: &str = r#"
    CREATE TYPE mood AS ENUM ('sad', 'glad');
    CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE DOMAIN "Case Less" AS text COLLATE caseless;
    CREATE TABLE "Host" (name uuid PRIMARY KEY, mood mood, address inet, rest interval, notes xml,
                         mail "Case Less", code char(9));
    CREATE INDEX ON "Host" (mail);"#;

/// A key in which the last digits count.
fn key(number: u32) -> String {
    format!("01890a5d-ac96-774b-bcce-b302099a{number:04}")
}

#[test]
fn types_of_postgres_are_texts_of_the_server() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.other_program().execute(TYPES);
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Host>().build(database)
    });
    let api = block_on(Database::connect(&database.url())).expect("it opens");
    let api = Api::builder()
        .resource::<Host>()
        .build(api)
        .expect("it builds");
    let report = block_on(api.check_schema()).expect("nothing is fatal");
    assert!(report.is_empty(), "{report}");
    let host = |number, mood: &str, address: &str, rest: &str, mail: &str| {
        let body = json!({"name": key(number), "mood": mood, "address": address, "rest": rest,
                          "mail": mail, "notes": "<a/>", "code": "ab"});
        service.create(HOSTS, &body)
    };
    let first = host(1, "sad", "10.0.0.10", "1 day", "ann@b");
    host(2, "glad", "10.0.0.9", "24:00:00", "Ann@b");
    host(3, "sad", "::1", "3 days", "bob@b");
    // The server's own text, whatever the client has written.
    assert_eq!(
        service.read(&first),
        json!({"name": key(1), "mood": "sad", "address": "10.0.0.10/32", "rest": "1 day",
               "notes": "<a/>", "mail": "ann@b", "code": "ab"})
    );
    let names = |parameters: &[(&str, &str)]| -> Vec<String> {
        let page = page(&service, HOSTS, parameters);
        let items = page["items"].as_array().expect("items");
        let names = items
            .iter()
            .map(|it| it["name"].as_str().expect("a name").to_owned());
        names.collect()
    };
    for (filter, found) in [
        (r#"eq(mood,"sad")"#, &[1, 3][..]),
        (r#"in(address,["10.0.0.9","::1"])"#, &[2, 3]),
        // Texts, though the type takes both as equal.
        (r#"eq(rest,"1 day")"#, &[1]),
        (r#"eq(mail,"ann@b")"#, &[1]),
        (r#"startswith(mail,"Ann")"#, &[2]),
        (r#"gt(address,"10.0.0.10/32")"#, &[2, 3]),
        (r#"eq(notes,"<a/>")"#, &[1, 2, 3]),
        (r#"eq(code,"ab")"#, &[1, 2, 3]),
    ] {
        let expected: Vec<String> = found.iter().map(|number| key(*number)).collect();
        assert_eq!(names(&[("filter", filter)]), expected, "{filter}");
    }
    for (order, expected) in [
        ("asc(mood),desc(name)", [2, 3, 1]),
        ("asc(address)", [1, 2, 3]),
        ("asc(mail)", [2, 1, 3]),
        ("desc(rest)", [3, 2, 1]),
    ] {
        let expected = expected.map(key);
        assert_eq!(names(&[("order", order)]), expected, "{order}");
        let start: Value = service
            .get(&url(
                HOSTS,
                &[("order", order), ("limit", "1"), ("cursor", "start")],
            ))
            .json();
        let next = start["next"].as_str().expect("a cursor");
        let rest = names(&[("order", order), ("cursor", next)]);
        assert_eq!(rest, expected[1..], "{order}");
    }
    require_refusals(&service, &first);
    assert_no_content(&service.put(
        &first,
        &json!({"address": "fe80::/10", "rest": null, "mood": "glad"}),
    ));
    assert_eq!(service.read(&first)["address"], "fe80::/10");
    assert_no_content(&service.delete(&first));
}

/// What a type rejects is the mistake of the client who sent it, and no key of an item.
fn require_refusals(service: &Service, path: &str) {
    for body in [
        json!({"address": "10.0.0"}),
        json!({"rest": "soon"}),
        json!({"notes": "<a>"}),
    ] {
        assert_error(&service.put(path, &body), 400, 10010);
    }
    let answer = service.get(&url(HOSTS, &[("filter", "eq(address,\"10.0.0\")")]));
    assert_error(&answer, 400, 10060);
    assert_error(&service.get(&format!("{HOSTS}/none")), 404, 10001);
}

#[apply(every_database)]
fn a_stored_value_that_is_none_of_its_form_is_told_with_its_place() {
    let row = FORMS
        .each_ref()
        .map(|form| Some(i64::from(form.sqlite == "TEXT")));
    let database = database_of(&[row, row]);
    let service = readings(&database);
    let misfits: &[(&str, &str)] = match Backend::under_test() {
        Backend::Sqlite => &[
            ("price", "'dear'"),
            ("price", "1.005"),
            ("long", "x'00'"),
            ("space0", "'2009-01-01T00:00:00'"),
            ("space0", "'2009-01-01 00:00:00.5'"),
            ("space0", "1230768000"),
            ("t3", "'2009-01-01T00:00:00Z'"),
            ("offset_auto", "'2009-01-01T00:00:00+01:00'"),
            ("local0", "'2009-01-01'"),
            ("day", "'2009-01-01 12:00:00'"),
        ],
        Backend::Postgres => &[
            ("price", "'NaN'"),
            ("space0", "'infinity'"),
            ("t6", "'-infinity'"),
            ("local0", "'0044-03-15 00:00:00 BC'"),
        ],
    };
    responses_differ("each database has values of its own that fit no form");
    for (column, literal) in misfits {
        let log = watch::keep();
        let mut program = database.other_program();
        program.execute(&format!(
            "UPDATE \"Reading\" SET {column} = {literal} WHERE \"Id\" = 2"
        ));
        for path in [READINGS.to_owned(), format!("{READINGS}/2")] {
            assert_eq!(service.get(&path).status, 500, "{column} {literal}");
        }
        let told = format!("`Reading.{column}` of the row with the key 2 cannot be read");
        // Tests that run beside this one are heard, too.
        let times = log.text().matches(&told).count();
        assert!(times >= 2, "{}", log.text());
        program.execute(&format!(
            "UPDATE \"Reading\" SET {column} = NULL WHERE \"Id\" = 2"
        ));
    }
    assert_eq!(service.get(READINGS).status, 200);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Gauge", url = "/gauges", version = "1.0", existing)]
struct Gauge {
    #[resource(primary_key, assigned)]
    id: i64,
    level: f64,
    day: Option<NaiveDate>,
    name: Option<String>,
}

/// The same, whose items a hook sees.
#[derive(Debug, ApiResource)]
#[resource(name = "Probe", url = "/probes", version = "1.0", table = "gauges")]
#[resource(existing, validator = Calm)]
struct Probe {
    #[resource(primary_key, assigned)]
    id: i64,
    level: f64,
    day: Option<NaiveDate>,
    name: Option<String>,
}

#[derive(Debug, Default)]
struct Calm;

impl Validator<Probe> for Calm {
    async fn validate(
        &self,
        _: &Probe,
        _: &mut WriteContext<'_, Probe>,
        _: &mut Messages<Probe>,
    ) -> HookResult {
        Ok(())
    }
}

#[apply(every_database)]
fn a_stored_value_that_is_none_of_its_kind_is_told_with_its_place() {
    let (real, day, text) = of_backend(
        ("REAL", "TEXT", "TEXT"),
        ("double precision", "date", "text COLLATE \"C\""),
    );
    let (column, value, infinite) =
        of_backend(("level", "'high'", "9e999"), ("day", "'infinity'", "'NaN'"));
    let database = made_by(&format!(
        "CREATE TABLE gauges (id bigint NOT NULL PRIMARY KEY, level {real} NOT NULL DEFAULT 1, day {day}, name {text});
         INSERT INTO gauges (id, {column}) VALUES (4711, {value})"
    ));
    responses_differ("each database has values of its own that fit no kind");
    let service = Service::start_on(&database, |database| {
        let api = Api::builder().resource::<Gauge>().resource::<Probe>();
        api.build(database)
    });
    let told = format!("`gauges.{column}` of the row with the key 4711 cannot be read");
    let require_told = |what: &str, fails: &dyn Fn() -> u16| {
        let log = watch::keep();
        assert_eq!(fails(), 500, "{what}");
        assert!(log.text().contains(&told), "{what}: {}", log.text());
    };
    for path in [
        "/api/1.0/gauges",
        "/api/1.0/gauges?format=csv",
        "/api/1.0/gauges?fields=level,day,id",
        "/api/1.0/gauges/4711",
        "/api/1.0/probes",
        "/api/1.0/probes/4711",
    ] {
        require_told(path, &|| service.get(path).status);
    }
    require_told("PUT", &|| {
        let body = json!({"name": "b"});
        service.put("/api/1.0/probes/4711", &body).status
    });
    block_on(async {
        let opened = Database::connect(&database.url()).await.expect("it opens");
        let api = Api::builder().resource::<Gauge>().build(opened);
        let api = api.expect("it builds");
        let gauges = || api.items::<Gauge>().without_hooks();
        let one = gauges().get(4711).await.unwrap_err();
        let all = gauges().limit(9).all().await.unwrap_err();
        for error in [one, all] {
            let error = format!("{error:?}");
            assert!(error.contains(&told), "{error}");
        }
        let both = (Gauge::LEVEL, Gauge::DAY);
        let some = gauges().limit(9).select(both).all().await;
        let some = format!("{:?}", some.unwrap_err());
        let told = format!("`gauges.{column}` cannot be read");
        assert!(some.contains(&told), "{some}");
    });
    // JSON has no such numbers, and null is none.
    database.other_program().execute(&format!(
        "UPDATE gauges SET level = {infinite}, day = NULL WHERE id = 4711"
    ));
    for path in ["/api/1.0/gauges?format=csv", "/api/1.0/gauges/4711"] {
        let log = watch::keep();
        assert_eq!(service.get(path).status, 500, "{path}");
        let told = "`gauges.level` of the row with the key 4711 cannot be read";
        assert!(log.text().contains(told), "{}", log.text());
    }
}

/// The columns of PostgreSQL that round times, or have no equality, for clients who write them.
#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0", existing)]
struct Event {
    #[resource(primary_key, assigned)]
    id: i64,
    at: Option<DateTime<Utc>>,
    made: Option<DateTime<Utc>>,
    local: Option<NaiveDateTime>,
    clock: Option<NaiveTime>,
    extra: Option<Value>,
}

/// The same for clients who only read.
#[derive(Debug, ApiResource)]
#[resource(name = "Past", url = "/past", version = "1.0", table = "events")]
#[resource(existing, operations(list, retrieve))]
struct Past {
    #[resource(primary_key, assigned)]
    id: i64,
    at: Option<DateTime<Utc>>,
    #[resource(stored(postgres = utc))]
    made: Option<DateTime<Utc>>,
    local: Option<NaiveDateTime>,
    clock: Option<NaiveTime>,
    extra: Option<Value>,
}

/// The same as the check asks for it.
#[derive(Debug, ApiResource)]
#[resource(name = "Kept", url = "/kept", version = "1.0", table = "events")]
#[resource(existing)]
struct Kept {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(stored(sqlite = t_text(0)))]
    at: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = t_text(3), postgres = utc))]
    made: Option<DateTime<Utc>>,
    #[resource(stored(sqlite = t_text(3)))]
    local: Option<NaiveDateTime>,
    #[resource(computed)]
    clock: Option<NaiveTime>,
    #[resource(stored(postgres = type("json")))]
    extra: Option<String>,
}

#[test]
fn columns_of_postgres_that_round_times_or_have_no_equality_are_served_exactly_or_refused() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.other_program().execute(
        "CREATE TABLE events (id bigint PRIMARY KEY, at timestamptz(0), made timestamp(3), local timestamp(4),
             clock time(0), extra json);
         INSERT INTO events VALUES (1, '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.678', '2024-01-02T03:04:05.6789',
             '03:04:05', '{\"b\": 1,  \"a\": [2]}'), (2, NULL, NULL, NULL, NULL, NULL)",
    );
    let kept = "by which no client writes more digits than the column keeps, or `computed`";
    assert_eq!(
        sentences(Api::builder().resource::<Event>(), &database).0,
        [
            format!(
                "`events.at` is of the type `timestamp(0) with time zone`, but `Event` 1.0 needs `timestamptz`; declare \
                 `stored(sqlite = t_text(0))`, {kept}"
            ),
            format!(
                "`events.made` is of the type `timestamp(3) without time zone`, but `Event` 1.0 needs `timestamptz`; \
                 declare `stored(sqlite = t_text(3), postgres = utc)`, {kept}"
            ),
            format!(
                "`events.local` is of the type `timestamp(4) without time zone`, but `Event` 1.0 needs `timestamp`; \
                 declare `stored(sqlite = t_text(3))`, {kept}"
            ),
            "`events.clock` is of the type `time(0) without time zone`, but `Event` 1.0 needs `time`; declare the field \
             `computed`, since the column rounds what clients write"
                .to_owned(),
            "`events.extra` is of the type `json`, but `Event` 1.0 needs `jsonb`; declare `stored(postgres = \
             type(\"json\"))` on a `String`, since `json` has no equality"
                .to_owned(),
        ]
    );
    for (api, all) in [
        (Api::builder().resource::<Past>(), "/api/1.0/past"),
        (Api::builder().resource::<Kept>(), "/api/1.0/kept"),
    ] {
        let mut extra = json!({"a": [2], "b": 1});
        if all.ends_with("kept") {
            extra = json!("{\"b\": 1,  \"a\": [2]}");
        }
        assert_eq!(sentences(api.clone(), &database), (vec![], vec![]), "{all}");
        let service = Service::start_on(&database, |database| api.build(database));
        let first = json!({"id": 1, "at": "2024-01-02T03:04:05Z", "made": "2024-01-02T03:04:05.678Z",
                           "local": "2024-01-02T03:04:05.6789", "clock": "03:04:05", "extra": extra});
        assert_eq!(service.read(&format!("{all}/1")), first);
        for (filter, found) in [
            ("eq(at,\"2024-01-02T03:04:05Z\")", &[1][..]),
            ("gt(local,\"2024-01-02T03:04:05.678\")", &[1]),
            ("in(clock,[\"03:04:05\"])", &[1]),
            ("eq(extra,null)", &[2]),
            ("ne(extra,null)", &[1]),
        ] {
            assert_eq!(filtered(&service, all, filter), found, "{all} {filter}");
        }
        for path in [
            "?order=desc(made),asc(clock)",
            "?order=asc(extra)",
            "?filter=eq(extra,\"{}\")",
            "?q=a",
        ] {
            let status = service.get(&format!("{all}{path}")).status;
            assert!(status == 200 || status == 400, "{all}{path}: {status}");
        }
        if all.ends_with("past") {
            let finer = "eq(at,\"2024-01-02T03:04:05.4Z\")";
            assert_eq!(filtered(&service, all, finer), [0; 0]);
            continue;
        }
        let fine = json!({"id": 3, "at": "2024-01-02T03:04:05.6Z"});
        assert_error(&service.post(all, &fine), 400, 10010);
        let path = service.create(
            all,
            &json!({"id": 3, "at": "2024-01-02T03:04:05Z", "extra": "[1]"}),
        );
        let tag = service.get(&path).header("etag").expect("a tag").to_owned();
        let put = service.request("PUT", &path).header("if-match", &tag);
        assert_no_content(&put.json(json!({"extra": "{}"}).to_string()).send());
        assert_eq!(service.read(&path)["extra"], "{}");
        assert_error(&service.put(&path, &json!({"extra": "{"})), 400, 10010);
        assert_no_content(&service.delete(&path));
    }
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Invoice",
    url = "/invoices",
    version = "1.0",
    table = "Invoice",
    existing
)]
struct Invoice {
    id: i64,
    number: Option<i32>,
    total: Option<Decimal>,
    #[resource(digits(8, 2))]
    tax: Option<Decimal>,
    at: Option<DateTime<Utc>>,
    state: Option<String>,
}

/// The sentences about the table with these columns, fatal or not.
fn differences(columns: &str) -> Vec<String> {
    let database = TestDatabase::default();
    let id = match Backend::under_test() {
        Backend::Sqlite => "id INTEGER PRIMARY KEY AUTOINCREMENT",
        Backend::Postgres => "id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    };
    let table = format!("CREATE TABLE \"Invoice\" ({id}, {columns})");
    database.other_program().execute(&table);
    let opened = block_on(Database::connect(&database.url())).expect("it opens");
    let api = Api::builder().resource::<Invoice>().build(opened);
    match block_on(api.expect("it builds").check_schema()) {
        Ok(report) => report.to_string().lines().map(str::to_owned).collect(),
        Err(error) => problems(&error),
    }
}

#[apply(every_database)]
fn check_tells_the_key_to_declare_for_a_column_of_another_type() {
    responses_differ("there are none, and each database has types of its own");
    let (columns, expected): (_, &[&str]) = match Backend::under_test() {
        Backend::Sqlite => (
            "number INT, total NUMERIC(10,2), tax REAL, at DATETIME, state TEXT",
            &[
                "`Invoice.total` is of the type `NUMERIC(10,2)`, but `Invoice` 1.0 needs `TEXT`; declare \
                 `digits(10, 2)` with its own digits, and `stored(sqlite = number)`",
                "`Invoice.tax` is of the type `REAL`, but `Invoice` 1.0 needs `TEXT`; declare \
                 `digits(10, 2)` with its own digits, and `stored(sqlite = number)`",
                "`Invoice.at` is of the type `DATETIME`, but `Invoice` 1.0 needs `TEXT`; declare \
                 `stored(sqlite = space_text(0))`, or `t_text` or `offset_text`, as its values are",
            ],
        ),
        Backend::Postgres => (
            "number smallint, total numeric(10,2), tax numeric(8,3), at timestamp, state inet",
            &[
                "`Invoice.number` is of the type `smallint`, but `Invoice` 1.0 needs `integer`; give the field \
                 the type of the column, or leave it out",
                "`Invoice.total` is of the type `numeric(10,2)`, but `Invoice` 1.0 needs `numeric`; declare \
                 `digits(10,2)`",
                "`Invoice.tax` is of the type `numeric(8,3)`, but `Invoice` 1.0 needs `numeric(8,2)`; declare \
                 `digits(8,3)`",
                "`Invoice.at` is of the type `timestamp without time zone`, but `Invoice` 1.0 needs \
                 `timestamptz`; declare `stored(postgres = utc)`, if its values are UTC",
                "`Invoice.state` is of the type `inet`, but `Invoice` 1.0 needs `text`; declare \
                 `stored(postgres = type(\"inet\"))`",
            ],
        ),
    };
    assert_eq!(differences(columns), expected);
    if Backend::under_test() == Backend::Postgres {
        let wider = "number bigint, total numeric, tax numeric(9,2), at timestamptz, state text";
        let told = differences(wider);
        assert_eq!(told.len(), 2, "{told:#?}");
        assert!(told[0].contains("`Invoice.number` is of the type `bigint`, which holds more"));
        assert!(told[1].contains("`Invoice.tax` is of the type `numeric(9,2)`, which holds more"));
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Shop", url = "/shops", version = "1.0", collection(sales = Sale::SHOP_ID))]
struct Shop {
    id: i64,
    #[resource(unique, stored(sqlite = space_text(0), postgres = utc))]
    opened: DateTime<Utc>,
    #[resource(digits(6, 3), stored(sqlite = number))]
    rate: Decimal,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Sale",
    url = "/sales",
    version = "1.0",
    subresource(shop = "shop_id")
)]
#[resource(validator = Rounded)]
struct Sale {
    id: i64,
    #[resource(references = Shop)]
    shop_id: Option<i64>,
    #[resource(stored(sqlite = offset_text(auto), postgres = utc))]
    at: DateTime<Utc>,
    #[resource(digits(8, 2), stored(sqlite = number))]
    total: Decimal,
}

/// Reads each sale before it is written, and gives totals without their zeros.
#[derive(Debug, Default)]
struct Rounded;

impl Validator<Sale> for Rounded {
    async fn before_create(&self, sale: &mut Sale, _: &mut WriteContext<'_, Sale>) -> HookResult {
        sale.total = sale.total.normalize();
        Ok(())
    }

    async fn before_update(&self, sale: &mut Sale, _: &mut WriteContext<'_, Sale>) -> HookResult {
        sale.total = sale.total.normalize();
        Ok(())
    }
}

const SHOPS: &str = "/api/1.0/shops";
const SALES: &str = "/api/1.0/sales";

#[apply(every_database)]
fn every_statement_reads_compares_and_writes_the_form() {
    let service = Service::start(|database| {
        let api = Api::builder().resource::<Shop>().resource::<Sale>();
        api.build(database)
    });
    for (opened, rate) in [
        ("2009-01-01T00:00:01Z", "2.5"),
        ("1999-12-31T23:59:59Z", "10"),
        ("2010-01-01T00:00:00Z", "-1"),
    ] {
        service.create(SHOPS, &json!({"opened": opened, "rate": rate}));
    }
    let sales = [
        (1, "2020-01-01T00:00:00Z", "9.5"),
        (1, "2020-01-01T00:00:00.5Z", "10"),
        (2, "2019-01-01T00:00:00.000001Z", "0.10"),
        (3, "2021-01-01T00:00:00Z", "100"),
    ];
    for (shop, at, total) in sales {
        let body = json!({"shop_id": shop, "at": at, "total": total});
        let request = service
            .request("POST", SALES)
            .header("prefer", "return=representation");
        let created = request.json(body.to_string()).send();
        assert_eq!(created.status, 201, "{}", created.text());
        let total: Decimal = total.parse().expect("a decimal");
        assert_eq!(created.json()["total"], format!("{total:.2}"));
    }
    for (filter, found) in [
        ("gt(shop.rate,\"2.4\")", &[1, 2, 3][..]),
        ("eq(shop.opened,\"2009-01-01T00:00:01Z\")", &[1, 2]),
        (
            "or(lt(shop.opened,\"2000-01-01T00:00:00Z\"),ge(total,\"100\"))",
            &[3, 4],
        ),
    ] {
        assert_eq!(filtered(&service, SALES, filter), found, "{filter}");
    }
    for (order, expected) in [
        ("asc(shop.opened),desc(at)", [3, 2, 1, 4]),
        ("desc(shop.rate),asc(total)", [3, 1, 2, 4]),
        ("desc(total)", [4, 2, 1, 3]),
    ] {
        let expanded = [
            ("order", order),
            ("fields", "id,at,shop(opened,rate)"),
            ("limit", "3"),
        ];
        assert_eq!(
            ids(&page(&service, SALES, &expanded)),
            expected[..3],
            "{order}"
        );
        let start = [&expanded[..], &[("cursor", "start")]].concat();
        let first = service.get(&url(SALES, &start));
        assert_eq!(ids(&first.json()), expected[..3], "{order}");
        let last = service.get(link(&first, "next").expect("a next page"));
        assert_eq!(ids(&last.json()), expected[3..], "{order}");
        let back = service.get(link(&last, "prev").expect("a page before"));
        assert_eq!(ids(&back.json()), expected[..3], "{order}");
    }
    assert_eq!(
        filtered(&service, SHOPS, "has(sales,le(total,\"9.50\"))"),
        [1, 2]
    );
    let parameters = [
        ("fields", "rate,sales(at,total;order=desc(total);limit=1)"),
        ("order", "asc(rate)"),
    ];
    assert_eq!(
        page(&service, SHOPS, &parameters)["items"][1]["sales"]["items"],
        json!([{"at": "2020-01-01T00:00:00.5Z", "total": "10.00"}])
    );
    require_conditions(&service);
}

/// Conflicts and conditions of writes compare values in the form of their columns.
fn require_conditions(service: &Service) {
    let taken = json!({"opened": "2009-01-01T02:00:01+02:00", "rate": 1});
    assert_error(&service.post(SHOPS, &taken), 400, 10030);
    let put = |path: &str, tag: &str, body: Value| {
        let request = service.request("PUT", path).header("if-match", tag);
        request.json(body.to_string()).send()
    };
    for path in [format!("{SHOPS}/1"), format!("{SALES}/1")] {
        let tag = service.get(&path).header("etag").expect("a tag").to_owned();
        let attribute = if path.starts_with(SHOPS) {
            "rate"
        } else {
            "total"
        };
        let changed = put(&path, &tag, json!({ attribute: "7.10" }));
        assert_no_content(&changed);
        let new = service.get(&path).header("etag").expect("a tag").to_owned();
        assert_ne!(new, tag);
        assert_error(&put(&path, &tag, json!({ attribute: "8" })), 412, 10040);
        assert_no_content(&put(&path, &new, json!({ attribute: "7.1" })));
    }
    assert_error(
        &service.put(&format!("{SALES}/1"), &json!({"shop_id": 9})),
        400,
        10031,
    );
    assert_error(&service.delete(&format!("{SHOPS}/1")), 400, 10020);
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Mail",
    url = "/mails",
    version = "1.0",
    table = "Mail",
    existing
)]
struct Mail {
    id: i64,
    #[resource(unique, max_length = 50, stored(postgres = type("public", "citext")))]
    address: String,
}

const MAILS: &str = "/api/1.0/mails";

#[test]
fn texts_without_case_are_found_exactly_and_stay_unique_without_case() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let mut program = database.other_program();
    let extension = "CREATE EXTENSION IF NOT EXISTS citext SCHEMA public";
    if program.try_execute(extension).is_err() {
        println!("the server has no extension `citext`");
        return;
    }
    program.execute(
        "CREATE TABLE \"Mail\" (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                                address public.citext NOT NULL UNIQUE)",
    );
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Mail>().build(database)
    });
    let path = service.create(MAILS, &json!({"address": "Ann@b"}));
    assert_eq!(service.read(&path)["address"], "Ann@b");
    assert_eq!(filtered(&service, MAILS, "eq(address,\"Ann@b\")"), [1]);
    assert_eq!(
        filtered(&service, MAILS, "in(address,[\"ann@b\",\"x\"])"),
        [0_i64; 0]
    );
    let answer = service.post(MAILS, &json!({"address": "ann@B"}));
    assert_error(&answer, 400, 10030);
    assert!(answer.text().contains("`address`"), "{}", answer.text());
}
