//! The content of the table on PostgreSQL: each value in the corresponding type.

use resource_runtime::ApiBuilder;
use resource_tests::{Backend, TestDatabase};

use crate::records::{RECORDS, Record, records, sent};
use crate::round_trip::create;

/// The type of every column, and the stored value in the notation of the server.
const STORED: [(&str, &str, &str); 15] = [
    ("small", "smallint", "-32768"),
    ("medium", "integer", "2147483647"),
    ("large", "bigint", "-9223372036854775808"),
    ("single", "real", "0.1"),
    ("double", "double precision", "1.7976931348623157e+308"),
    ("flag", "boolean", "true"),
    ("text", "text", "é'\""),
    ("date", "date", "0001-01-01"),
    ("time", "time without time zone", "07:08:09.5"),
    (
        "local",
        "timestamp without time zone",
        "9999-12-31 23:59:59",
    ),
    ("at", "timestamp with time zone", "2024-02-29 05:08:09+00"),
    ("uuid", "uuid", "01890a5d-ac96-774b-bcce-b302099a8057"),
    ("decimal", "numeric", "1.50"),
    ("json", "jsonb", r#"{"a": "/", "b": [0.1, null]}"#),
    ("bytes", "bytea", r"\x00ff"),
];

#[test]
fn values_are_stored_in_the_corresponding_types() {
    if TestDatabase::postgres().is_none() {
        return;
    }
    Backend::Postgres.run("stored_on_postgres", || {
        let service = records(ApiBuilder::resource::<Record>);
        create(&service, RECORDS, &sent());
        let mut other = service.database().other_program();
        other.execute("SET TimeZone = 'UTC'");
        for (column, declared, text) in STORED {
            let stored =
                format!("SELECT pg_typeof({column}) || ': ' || {column}::text FROM records");
            assert_eq!(other.text(&stored), format!("{declared}: {text}"));
        }
    });
}

#[test]
fn texts_have_collation_c_and_keys_are_identity_columns() {
    if TestDatabase::postgres().is_none() {
        return;
    }
    Backend::Postgres.run("declared_on_postgres", || {
        let service = records(ApiBuilder::resource::<Record>);
        let mut other = service.database().other_program();
        let column = |told: &str, column: &str| {
            format!(
                "SELECT {told}::text FROM information_schema.columns
                 WHERE table_schema = current_schema AND table_name = 'records'
                     AND column_name = '{column}'"
            )
        };
        assert_eq!(other.text(&column("collation_name", "text")), "C");
        assert_eq!(
            other.text(&column("identity_generation", "id")),
            "BY DEFAULT"
        );
        assert_eq!(other.text(&column("data_type", "id")), "bigint");
    });
}
