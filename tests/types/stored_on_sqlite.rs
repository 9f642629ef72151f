//! The content of the table on SQLite, seen through a second connection.

use resource_runtime::ApiBuilder;
use resource_tests::Service;
use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};

use crate::records::{RECORDS, Record, records, sent};
use crate::round_trip::create;

/// The stored value in each column, for the values that were sent.
const STORED: [(&str, ValueRef<'_>); 15] = [
    ("small", ValueRef::Integer(-32768)),
    ("medium", ValueRef::Integer(2_147_483_647)),
    ("large", ValueRef::Integer(i64::MIN)),
    ("single", ValueRef::Real(0.1_f32 as f64)),
    ("double", ValueRef::Real(f64::MAX)),
    ("flag", ValueRef::Integer(1)),
    ("text", ValueRef::Text("é'\"".as_bytes())),
    ("date", ValueRef::Text(b"0001-01-01")),
    ("time", ValueRef::Text(b"07:08:09.5")),
    ("local", ValueRef::Text(b"9999-12-31T23:59:59")),
    ("at", ValueRef::Text(b"2024-02-29T05:08:09.000000Z")),
    (
        "uuid",
        ValueRef::Text(b"01890a5d-ac96-774b-bcce-b302099a8057"),
    ),
    ("decimal", ValueRef::Text(b"1.50")),
    ("json", ValueRef::Text(br#"{"a":"/","b":[0.1,null]}"#)),
    ("bytes", ValueRef::Blob(&[0, 255])),
];

fn open(service: &Service) -> Connection {
    Connection::open(service.database().path()).expect("the service's file")
}

#[track_caller]
fn value(file: &Connection, query: &str) -> Value {
    file.query_row(query, [], |row| row.get(0)).expect(query)
}

#[track_caller]
fn assert_stored(service: &Service, column: &str, expected: ValueRef<'_>) {
    let stored = value(
        &open(service),
        &format!("SELECT {column} FROM records WHERE id = 1"),
    );
    assert_eq!(ValueRef::from(&stored), expected, "{column}");
}

#[test]
fn every_type_has_one_stored_form() {
    let service = records(ApiBuilder::resource::<Record>);
    create(&service, RECORDS, &sent());
    for (column, expected) in STORED {
        assert_stored(&service, column, expected);
    }
}

#[test]
fn columns_have_the_declared_types() {
    let service = records(ApiBuilder::resource::<Record>);
    let file = open(&service);
    for (column, stored) in STORED {
        let query =
            format!("SELECT type FROM pragma_table_info('records') WHERE name = '{column}'");
        let declared = stored.data_type().to_string().to_uppercase();
        assert_eq!(value(&file, &query), Value::Text(declared), "{column}");
    }
}

#[test]
fn null_is_stored_as_null() {
    let service = records(ApiBuilder::resource::<Record>);
    create(&service, RECORDS, "{}");
    for (column, _) in STORED {
        assert_stored(&service, column, ValueRef::Null);
    }
}

#[test]
fn empty_values_are_not_null_and_minus_zero_is_zero() {
    let service = records(ApiBuilder::resource::<Record>);
    let body = r#"{"bytes":"","text":"","double":-0.0,"single":-0.0,"decimal":-0.0}"#;
    create(&service, RECORDS, body);
    assert_stored(&service, "bytes", ValueRef::Blob(b""));
    assert_stored(&service, "text", ValueRef::Text(b""));
    assert_stored(&service, "decimal", ValueRef::Text(b"0.0"));
    for column in ["double", "single"] {
        let query = format!("SELECT {column} FROM records");
        let Value::Real(zero) = value(&open(&service), &query) else {
            panic!("`{column}` holds no real");
        };
        assert_eq!(zero.to_bits(), 0, "{column}");
    }
}

#[test]
fn table_refuses_invalid_values() {
    let service = records(ApiBuilder::resource::<Record>);
    let file = open(&service);
    for (column, value) in [
        ("small", "32768"),
        ("medium", "-2147483649"),
        ("large", "1.5"),
        ("single", "'x'"),
        ("double", "X'00'"),
        ("flag", "2"),
        ("text", "X'00'"),
        ("date", "X'00'"),
        ("decimal", "X'00'"),
        ("json", "'{a:1}'"),
        ("json", "'['"),
        ("bytes", "'text'"),
    ] {
        let insert = format!("INSERT INTO records ({column}) VALUES ({value})");
        let error = file.execute(&insert, []).expect_err(&insert);
        assert_eq!(
            error.sqlite_error_code(),
            Some(rusqlite::ErrorCode::ConstraintViolation),
            "{insert}"
        );
    }
}
