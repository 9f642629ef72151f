//! Tests of statements on SQLite, as the indexes that they use, and of the folder of a temporary database.

use resource_model::query::{self, ListParameters, QueryLimits};
use resource_model::registry::{self, Callers, Registration};
use resource_model::samples::{Address, Folder, PAGE_LIMITS, Person, Region, asked, caller};
use resource_model::schema::{
    Attribute, Kind, ResourceDefinition, Storage, StorageForm, TimeText, Version,
};
use resource_model::value::Value;
use resource_sql::{Dialect, Statement};
use rusqlite::Connection;

use super::SqliteDatabase;
use super::row::bound;
use crate::Database;
use crate::authorization::View;
use crate::{ApiResource as _, FieldValue, RecordError};

/// A database of 100,000 persons with different names.
fn database() -> Connection {
    let registrations = [
        Registration::of::<Address>(),
        Registration::of::<Region>(),
        Registration::of::<Person>(),
        Registration::of::<Folder>(),
    ];
    let connection = Connection::open_in_memory().unwrap();
    super::functions::add(&connection).unwrap();
    let tables = registry::checked(&registrations, 1000, Callers::Unknown)
        .unwrap()
        .tables;
    for statement in resource_sql::create_missing(Dialect::Sqlite, &tables, &[]) {
        connection.execute(statement.text(), []).unwrap();
    }
    connection
        .execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) \
             INSERT INTO persons (name, active) SELECT 'person ' || i, 1 FROM n",
            [],
        )
        .unwrap();
    connection
}

/// The statement of a list of persons.
fn rows(filter: &str, order: &str) -> Statement {
    let parameters = ListParameters {
        filter: Some(filter.to_owned()),
        order: Some(order.to_owned()),
        ..ListParameters::default()
    };
    let view = View::unrestricted(Person::DEFINITION);
    let page = resource_sql::page(Dialect::Sqlite, view, &asked(view, &parameters));
    page.rows.unwrap()
}

/// The steps of SQLite's query plan.
fn steps(connection: &Connection, statement: &Statement) -> Vec<String> {
    let text = format!("EXPLAIN QUERY PLAN {}", statement.text());
    let mut prepared = connection.prepare(&text).unwrap();
    let steps = prepared
        .query_map(bound(statement.binds()), |row| row.get(3))
        .unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

#[test]
fn pages_and_selective_filters_read_no_more_than_they_must() {
    let connection = database();
    for (filter, order, expected) in [
        // A scan in the order of the table ends when the page is full.
        ("", "", "SCAN the.item"),
        (
            "eq(id,7)",
            "",
            "SEARCH the.item USING INTEGER PRIMARY KEY (rowid=?)",
        ),
        (
            "eq(name,\"person 7\")",
            "",
            "SEARCH the.item USING INDEX sqlite_autoindex_persons_1 (name=?)",
        ),
        (
            "in(name,[\"person 7\",\"person 8\",\"person 9\"])",
            "asc(name)",
            "SEARCH the.item USING INDEX sqlite_autoindex_persons_1 (name=?)",
        ),
        (
            "like(name,\"person 77%\")",
            "asc(name)",
            "SEARCH the.item USING INDEX sqlite_autoindex_persons_1 (name>? AND name<?)",
        ),
        (
            "like(name,\"person 77%7\")",
            "asc(name)",
            "SEARCH the.item USING INDEX sqlite_autoindex_persons_1 (name>? AND name<?)",
        ),
        (
            "startswith(name,\"person 77\")",
            "asc(name)",
            "SEARCH the.item USING INDEX sqlite_autoindex_persons_1 (name>? AND name<?)",
        ),
        (
            "eq(bill_address_id,7)",
            "",
            "SEARCH the.item USING INDEX persons.bill_address_id (bill_address_id=?)",
        ),
        // A scan in the order of the index ends when the page is full, without a sort.
        (
            "",
            "desc(name)",
            "SCAN the.item USING INDEX sqlite_autoindex_persons_1",
        ),
    ] {
        let found = steps(&connection, &rows(filter, order));
        assert_eq!(found, [expected], "{filter} {order}");
    }
}

/// The condition names the collation of the index; another one would not use it.
#[test]
fn the_items_of_an_owner_are_found_by_their_index() {
    let caller = caller("ann", "folder.read");
    let view = View::new(Folder::DEFINITION, &caller);
    let query = asked(view, &ListParameters::default());
    let page = resource_sql::page(Dialect::Sqlite, view, &query);
    assert_eq!(
        steps(&database(), &page.rows.unwrap()),
        ["SEARCH the.item USING INDEX folders.owner.id (owner=?)"]
    );
}

#[test]
fn a_prefix_pages_in_key_order_by_its_index() {
    let found = steps(&database(), &rows("like(name,\"person 77%\")", ""));
    assert_eq!(
        found[0],
        "SEARCH the.item USING INDEX sqlite_autoindex_persons_1 (name>? AND name<?)"
    );
}

#[test]
fn a_thousand_conditions_do_not_exceed_the_expression_depth() {
    let connection = database();
    let tests: Vec<String> = (0..998).map(|id| format!("eq(id,{id})")).collect();
    let limits = QueryLimits::new().length(1 << 20);
    let parameters = ListParameters {
        filter: Some(format!("or({})", tests.join(","))),
        ..ListParameters::default()
    };
    let query = query::list(
        View::unrestricted(Person::DEFINITION),
        &parameters,
        PAGE_LIMITS,
        limits,
    )
    .unwrap();
    let page = resource_sql::page(
        Dialect::Sqlite,
        View::unrestricted(Person::DEFINITION),
        &query,
    );
    let total: i64 = connection
        .query_row(
            page.matching.count().text(),
            bound(page.matching.count().binds()),
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(total, 997);
}

/// A window over a collection would read all of its items for each address.
#[test]
fn collections_are_read_by_the_index_of_their_reference() {
    let connection = database();
    let steps_of = |filter: &str, fields: &str| {
        let parameters = ListParameters {
            filter: Some(filter.to_owned()),
            fields: Some(fields.to_owned()),
            ..ListParameters::default()
        };
        let view = View::unrestricted(Address::DEFINITION);
        let page = resource_sql::page(Dialect::Sqlite, view, &asked(view, &parameters));
        steps(&connection, &page.rows.unwrap())
    };
    let of_guests =
        "SEARCH the.element USING COVERING INDEX persons.ship_address_id.id (ship_address_id=?)";
    assert_eq!(
        steps_of("", "id,guests(name)"),
        [
            "CO-ROUTINE the.page",
            "SCAN the.item",
            "SCAN the.page",
            "SEARCH the.element USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            "CORRELATED LIST SUBQUERY 2",
            of_guests,
            "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
        ]
    );
    assert_eq!(
        steps_of("has(guests)", "id"),
        ["SCAN the.item", "CORRELATED SCALAR SUBQUERY 1", of_guests]
    );
}

/// A moment, without the crate of its usual type.
struct Moment(String);

impl FieldValue for Moment {
    const KIND: Kind = Kind::Timestamp;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        String::from_value(value).map(Self)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

const VISITS: ResourceDefinition = ResourceDefinition::new("Visit", "visits", Version::new(1, 0))
    .attributes(&[
        Attribute::of::<i64>("id").primary_key(),
        Attribute::of::<String>("name").stored(&Storage::EXISTING),
        Attribute::of::<Moment>("at").stored(&Storage {
            sqlite: StorageForm::Time(TimeText::Space, Some(0)),
            ..Storage::EXISTING
        }),
    ]);

#[test]
fn indexes_of_tables_that_others_made_serve() {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE visits (id INTEGER PRIMARY KEY, name VARCHAR(20), at DATETIME);
             CREATE INDEX by_name ON visits (name);
             CREATE INDEX by_time ON visits (at);",
        )
        .unwrap();
    for (filter, order, expected) in [
        (
            "eq(name,\"a\")",
            "",
            "SEARCH the.item USING INDEX by_name (name=?)",
        ),
        (
            "in(name,[\"a\",\"b\"])",
            "asc(name)",
            "SEARCH the.item USING INDEX by_name (name=?)",
        ),
        (
            "startswith(name,\"a\")",
            "asc(name)",
            "SEARCH the.item USING INDEX by_name (name>? AND name<?)",
        ),
        (
            "eq(at,\"2009-01-01T00:00:00.000000Z\")",
            "",
            "SEARCH the.item USING INDEX by_time (at=?)",
        ),
        (
            "gt(at,\"2009-01-01T00:00:00.000000Z\")",
            "asc(at)",
            "SEARCH the.item USING INDEX by_time (at>?)",
        ),
        ("", "asc(at)", "SCAN the.item USING INDEX by_time"),
    ] {
        let parameters = ListParameters {
            filter: Some(filter.to_owned()),
            order: Some(order.to_owned()),
            ..ListParameters::default()
        };
        let view = View::unrestricted(&VISITS);
        let page = resource_sql::page(Dialect::Sqlite, view, &asked(view, &parameters));
        let found = steps(&connection, &page.rows.unwrap());
        assert_eq!(found, [expected], "{filter} {order}");
    }
}

#[tokio::test]
async fn folder_of_a_temporary_database_goes_with_its_last_clone() {
    let database = SqliteDatabase::temporary(&Database::options()).await;
    let database = database.unwrap();
    let folder = database.temporary.as_ref().unwrap().path().to_owned();
    let clone = database.clone();
    drop(database);
    assert!(folder.join("items.db").is_file());
    drop(clone);
    assert!(!folder.exists());
}
