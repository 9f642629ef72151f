//! Values in formats of other programs: after the remedies of `check_schema`, filters find them.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::{Api, ApiBuilder, ApiResource, Database};
use resource_tests::{Service, TestDatabase, block_on, problems};
use rusqlite::Connection;
use uuid::Uuid;

const EVENTS: &str = "/api/1.0/events";

const GUIDE: &str = include_str!("../../resource-runtime/docs/databases.md");

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
struct Event {
    id: i64,
    #[resource(index)]
    at: Option<DateTime<Utc>>,
    local: Option<NaiveDateTime>,
    day: Option<NaiveDate>,
    hour: Option<NaiveTime>,
    uid: Option<Uuid>,
    done: Option<bool>,
    label: Option<String>,
}

/// Columns as other programs declare them, the stored value, and the literal that must find it.
const OTHERS: [(&str, &str, &str, &str); 13] = [
    (
        "at",
        "DATETIME",
        "'2009-01-01 00:00:00'",
        r#""2009-01-01T00:00:00Z""#,
    ),
    (
        "at",
        "DATETIME",
        "'2009-01-01 00:00:59.999700'",
        r#""2009-01-01T00:00:59.9997Z""#,
    ),
    (
        "at",
        "DATETIME",
        "'2009-01-01 01:00:00.5+02:00'",
        r#""2008-12-31T23:00:00.5Z""#,
    ),
    (
        "at",
        "DATETIME",
        "'2009-01-01T12:00:00Z'",
        r#""2009-01-01T12:00:00Z""#,
    ),
    (
        "local",
        "TIMESTAMP",
        "'2009-01-01 07:08:10.500000'",
        r#""2009-01-01T07:08:10.5""#,
    ),
    (
        "local",
        "TIMESTAMP",
        "'2009-01-01 07:08:10'",
        r#""2009-01-01T07:08:10""#,
    ),
    ("day", "DATE", "'2009-01-01 00:00:00'", r#""2009-01-01""#),
    ("day", "DATE", "'2009-01-02'", r#""2009-01-02""#),
    ("hour", "TIME", "'07:08:10.000000'", r#""07:08:10""#),
    (
        "uid",
        "BINARY(16)",
        "'01890A5D-AC96-774B-BCCE-B302099A8057'",
        r#""01890a5d-ac96-774b-bcce-b302099a8057""#,
    ),
    (
        "uid",
        "BINARY(16)",
        "X'01890A5DAC96774BBCCEB302099A8058'",
        r#""01890a5d-ac96-774b-bcce-b302099a8058""#,
    ),
    ("done", "TEXT", "'true'", "true"),
    ("label", "BLOB", "X'61'", r#""a""#),
];

fn events() -> ApiBuilder {
    Api::builder().resource::<Event>()
}

/// A file of another program, with column types changed by `declared`.
fn stored(declared: impl Fn(&'static str) -> &'static str) -> (TestDatabase, Connection) {
    let database = TestDatabase::sqlite();
    let file = Connection::open(database.path()).unwrap();
    let mut columns: Vec<String> = OTHERS
        .map(|(name, kind, ..)| format!("{name} {}", declared(kind)))
        .into();
    columns.dedup();
    let columns = columns.join(", ");
    let table = format!(
        r#"CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, {columns});
        CREATE INDEX "events.at" ON events (at)"#
    );
    file.execute_batch(&table).unwrap();
    for (name, _, value, _) in OTHERS {
        let insert = format!("INSERT INTO events ({name}) VALUES ({value})");
        file.execute_batch(&insert).unwrap();
    }
    (database, file)
}

/// The statements that rebuild the table.
fn rebuilt(database: &TestDatabase) -> String {
    block_on(async {
        let database = Database::connect(&database.url()).await.unwrap();
        let api = events().build(database).unwrap();
        // Each column of another type is a difference.
        let differences = api.check_schema().await.unwrap_err();
        assert_eq!(problems(&differences).len(), 7, "{differences}");
        api.rebuild_sql("events").await.unwrap()
    })
}

#[track_caller]
fn assert_found(database: &TestDatabase) {
    let service = Service::start_on(database, |database| events().build(database));
    for (id, (name, _, _, value)) in (1..).zip(OTHERS) {
        let value = value.replace('+', "%2B");
        let page = service.read(&format!("{EVENTS}?fields=id&filter=eq({name},{value})"));
        assert_eq!(page["items"][0]["id"], id, "{name} {value}: {page}");
        assert_eq!(page["totalItems"], 1, "{name} {value}");
    }
    let page = service.read(&format!(
        "{EVENTS}?fields=id&filter=ne(at,null)&order=asc(at)"
    ));
    let ids: Vec<i64> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [3, 1, 2, 4]);
}

#[test]
fn values_of_a_rebuilt_table_are_found_by_filters() {
    let (database, file) = stored(|kind| kind);
    file.execute_batch(&rebuilt(&database)).unwrap();
    assert_found(&database);
}

/// A value of no known format is preserved, or refused by the new table.
#[test]
fn rebuilt_table_preserves_values_of_unknown_format() {
    let (database, file) = stored(|kind| kind);
    for (column, value) in [
        ("at", "'2009-01-01'"),
        ("at", "'2009-01-01 00:00:00.1234567'"),
        ("at", "NULL"),
        ("local", "'2009-01-01 00:00:00Z'"),
        ("day", "'2009-01-01 10:00:00'"),
        ("hour", "'7:08'"),
    ] {
        let insert = format!("INSERT INTO events ({column}) VALUES ({value})");
        file.execute_batch(&insert).unwrap();
    }
    file.execute_batch(&rebuilt(&database)).unwrap();
    let kept = "SELECT group_concat(coalesce(at, local, day, hour), '|' ORDER BY id) FROM events WHERE id > 13";
    let kept: String = file.query_row(kept, [], |row| row.get(0)).unwrap();
    assert_eq!(
        kept,
        "2009-01-01|2009-01-01 00:00:00.1234567|2009-01-01 00:00:00Z|2009-01-01 10:00:00|7:08"
    );
}

#[test]
fn values_that_a_rebuilt_table_does_not_hold_leave_the_table_as_it_is() {
    for (column, value) in [("uid", "X'0123'"), ("done", "'perhaps'"), ("at", "X'01'")] {
        let (database, file) = stored(|kind| kind);
        let insert = format!("INSERT INTO events ({column}) VALUES ({value})");
        file.execute_batch(&insert).unwrap();
        file.execute_batch(&rebuilt(&database)).unwrap_err();
        file.execute_batch("ROLLBACK").unwrap();
        let kept = format!("SELECT {column} IS {value} FROM events WHERE id = 14");
        let is_kept: bool = file.query_row(&kept, [], |row| row.get(0)).unwrap();
        assert!(is_kept, "{column} {value}");
    }
}

/// The statement of the guide for a column that is text already.
#[test]
fn values_updated_by_the_guide_are_found_by_filters() {
    let (database, file) = stored(|_| "TEXT");
    let (_, update) = GUIDE.split_once("```sql\nUPDATE").unwrap();
    let (update, _) = update.split_once("```").unwrap();
    file.execute_batch(&format!("UPDATE{update}")).unwrap();
    let service = Service::start_on(&database, |database| events().build(database));
    for (id, (_, _, _, value)) in (1..=4).zip(OTHERS) {
        let page = service.read(&format!("{EVENTS}?fields=id&filter=eq(at,{value})"));
        assert_eq!(page["items"][0]["id"], id, "{value}");
    }
}
