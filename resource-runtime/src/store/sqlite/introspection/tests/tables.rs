//! Tests of columns, keys and indexes.

use resource_model::registry::{self, Callers, Registration};
use resource_model::samples::{Address, Person, Region};
use resource_model::schema::{
    Bound, Kind, ReferentialAction, StoredForeignKey, StoredTable, StoredUnique, Table,
};
use resource_sql::{self, Dialect};
use rusqlite::Connection;

use super::{stored, table};
use crate::catalogue::differences;
use crate::store::sqlite::introspection::read;

#[test]
fn a_table_that_is_missing_is_none() {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch("CREATE TABLE t (a); CREATE INDEX things ON t (a)")
        .unwrap();
    let needed = table("things", &[]);
    assert_eq!(read(&connection, &needed, &[]), Ok(None));
}

#[test]
fn names_are_spelled_as_the_definitions_do() {
    let stored = stored("CREATE TABLE THINGS (ID INTEGER PRIMARY KEY, own)", &["Id"]);
    let names: Vec<&str> = stored.columns.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Id", "own"]);
    assert_eq!(stored.primary_key, ["Id"]);
}

#[test]
fn columns_are_read_with_type_null_default_and_collation() {
    let stored = stored(
        "CREATE TABLE things (
             a VARCHAR(50) COLLATE nocase, b INT NOT NULL, c NOT NULL DEFAULT 'x',
             d NOT NULL DEFAULT NULL, e REAL NOT NULL AS (b * 2.0), f INT AS (b) STORED
         )",
        &[],
    );
    let found: Vec<_> = stored
        .columns
        .iter()
        .map(|it| {
            (
                &*it.declared_type,
                it.stored_as,
                &*it.collation,
                it.nullable,
                it.has_default,
                it.is_generated,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("VARCHAR(50)", Some("TEXT"), "nocase", true, false, false),
            ("INT", Some("INTEGER"), "BINARY", false, false, false),
            ("", None, "BINARY", false, true, false),
            ("", None, "BINARY", false, false, false),
            ("REAL", Some("REAL"), "BINARY", false, true, true),
            ("INT", Some("INTEGER"), "BINARY", true, true, true),
        ]
    );
}

#[test]
fn a_strict_table_may_have_columns_of_any_type() {
    let strict = stored("CREATE TABLE things (a ANY) STRICT", &[]);
    assert_eq!(strict.columns[0].stored_as, None);
}

#[test]
fn only_the_rowid_is_assigned() {
    for (statement, key, is_assigned) in [
        (
            "CREATE TABLE things (id INTEGER PRIMARY KEY)",
            &["id"][..],
            true,
        ),
        (
            "CREATE TABLE things (id integer, PRIMARY KEY (id))",
            &["id"],
            true,
        ),
        (
            "CREATE TABLE things (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT",
            &["id"],
            true,
        ),
        ("CREATE TABLE things (id INT PRIMARY KEY)", &["id"], false),
        (
            "CREATE TABLE things (id INTEGER PRIMARY KEY DESC)",
            &["id"],
            false,
        ),
        (
            "CREATE TABLE things (id INTEGER PRIMARY KEY) WITHOUT ROWID",
            &["id"],
            false,
        ),
        (
            "CREATE TABLE things (a, b, PRIMARY KEY (b, a))",
            &["b", "a"],
            false,
        ),
        ("CREATE TABLE things (a, b)", &[], false),
        ("CREATE VIEW things AS SELECT 1 AS id", &[], false),
    ] {
        let stored = stored(statement, &["id", "a", "b"]);
        assert_eq!(stored.primary_key, key, "{statement}");
        assert_eq!(stored.assigns_key, is_assigned, "{statement}");
    }
}

#[test]
fn a_view_is_no_table() {
    assert!(!stored("CREATE VIEW things AS SELECT 1 AS id", &["id"]).is_table);
    assert!(stored("CREATE TABLE things (id)", &["id"]).is_table);
}

#[test]
fn keys_are_reused_without_autoincrement() {
    for (list, expected) in [
        ("id INTEGER PRIMARY KEY", true),
        (
            "id INTEGER PRIMARY KEY, \"AUTOINCREMENT\" DEFAULT 'autoincrement'",
            true,
        ),
        ("id INTEGER PRIMARY KEY autoincrement", false),
        ("id INTEGER, PRIMARY KEY (id AUTOINCREMENT)", false),
        ("id TEXT PRIMARY KEY", false),
    ] {
        let stored = stored(&format!("CREATE TABLE things ({list})"), &["id"]);
        assert_eq!(stored.assigns_key_again, expected, "{list}");
    }
}

#[test]
fn indexes_find_rows_by_leading_columns_unless_partial() {
    let stored = stored(
        "CREATE TABLE things (a TEXT UNIQUE, b TEXT COLLATE NOCASE, c TEXT, d INT, UNIQUE (B, d));
         CREATE UNIQUE INDEX one ON things (c COLLATE NOCASE);
         CREATE UNIQUE INDEX two ON things (lower(c));
         CREATE UNIQUE INDEX three ON things (c) WHERE d > 7;
         CREATE UNIQUE INDEX four ON things (c DESC, a);
         CREATE INDEX five ON things (d, lower(a), c)",
        &["a", "b", "c", "d"],
    );
    let plain = stored.unique.into_iter().filter(StoredUnique::is_plain);
    let mut unique: Vec<Vec<String>> = plain.map(|it| it.columns).collect();
    unique.sort();
    assert_eq!(unique, [vec!["a"], vec!["b", "d"], vec!["c", "a"]]);
    let mut indexes = stored.indexes;
    indexes.retain(|columns| !columns.is_empty());
    indexes.sort();
    assert_eq!(
        indexes,
        [vec!["a"], vec!["b", "d"], vec!["c", "a"], vec!["d"]]
    );
}

#[test]
fn expressions_collations_and_conditions_of_unique_indexes_are_read() {
    for (index, columns, expected) in [
        ("(A, b)", &["a", "b"][..], [false, false, false]),
        ("(a COLLATE NOCASE, b)", &["a", "b"], [false, true, false]),
        ("(a, lower(b))", &["a"], [true, false, false]),
        ("(b + 1) WHERE a > 1", &[], [true, false, true]),
        ("(b) WHERE a > 1", &["b"], [false, false, true]),
    ] {
        let statements =
            format!("CREATE TABLE things (a, b); CREATE UNIQUE INDEX i ON things {index}");
        let unique = stored(&statements, &["a", "b"]).unique;
        assert_eq!(unique[0].columns, columns, "{index}");
        let found = [
            unique[0].has_expression,
            unique[0].has_collation,
            unique[0].has_condition,
        ];
        assert_eq!(found, expected, "{index}");
    }
}

#[test]
fn foreign_keys_are_read_with_the_columns_that_they_point_at() {
    let stored = stored(
        "CREATE TABLE others (id INTEGER PRIMARY KEY, code);
         CREATE TABLE things (
             a REFERENCES OTHERS, b REFERENCES missing, c, d,
             FOREIGN KEY (C, d) REFERENCES others (CODE, id)
         )",
        &["a", "b", "c", "d"],
    );
    let key = |columns: &[&str], target: &str, target_columns: &[&str]| StoredForeignKey {
        columns: columns.iter().map(|it| (*it).to_owned()).collect(),
        target: target.to_owned(),
        target_schema: None,
        is_target_visible: true,
        target_columns: target_columns.iter().map(|it| (*it).to_owned()).collect(),
        on_delete: None,
        set_on_delete: Vec::new(),
        on_update: None,
        is_deferred: false,
        is_to_primary_key: matches!(target_columns, ["Id" | ""]),
    };
    assert_eq!(
        stored.foreign_keys,
        [
            key(&["c", "d"], "others", &["code", "Id"]),
            key(&["b"], "missing", &[""]),
            key(&["a"], "others", &["Id"]),
        ]
    );
}

#[test]
fn actions_of_foreign_keys_are_read_unless_they_refuse() {
    for (clauses, on_delete, on_update) in [
        ("", None, None),
        ("ON DELETE RESTRICT ON UPDATE NO ACTION", None, None),
        (
            "ON UPDATE CASCADE ON DELETE SET NULL",
            Some(ReferentialAction::SetNull),
            Some(ReferentialAction::Cascade),
        ),
        (
            "ON DELETE set default",
            Some(ReferentialAction::SetDefault),
            None,
        ),
    ] {
        let statement = format!("CREATE TABLE things (a REFERENCES others {clauses})");
        let stored = stored(&statement, &["a"]);
        let key = &stored.foreign_keys[0];
        assert_eq!(key.on_delete, on_delete, "{clauses}");
        assert_eq!(key.on_update, on_update, "{clauses}");
    }
}

/// The stored tables after the statements of `schema_sql`.
fn created_tables(tables: &[Table]) -> Vec<StoredTable> {
    let connection = Connection::open_in_memory().unwrap();
    let sql = resource_sql::schema_sql(Dialect::Sqlite, tables);
    connection.execute_batch(&sql).unwrap();
    let stored = tables.iter().map(|table| read(&connection, table, tables));
    stored.map(|table| table.unwrap().unwrap()).collect()
}

#[test]
fn the_tables_of_the_samples_have_no_difference() {
    let registrations = [
        Registration::of::<Person>(),
        Registration::of::<Address>(),
        Registration::of::<Region>(),
    ];
    let tables = registry::checked(&registrations, 1000, Callers::Unknown)
        .unwrap()
        .tables;
    let definitions = registrations.map(|registration| registration.definition);
    let stored = created_tables(&tables);
    let tables = tables.iter().zip(stored.iter().map(Some));
    assert_eq!(differences(Dialect::Sqlite, &definitions, tables), []);
}

#[test]
fn names_and_limits_are_read_as_they_are_written() {
    let mut table = table("Things", &["colour", "share"]);
    let [colour, share] = table.columns.as_mut_slice() else {
        unreachable!()
    };
    colour.names = vec!["red", "o'range", "a \"b\" -- c"];
    (colour.min_length, colour.max_length) = (Some(2), Some(9));
    share.kind = Kind::Double;
    (share.min, share.max) = (Some(Bound::Real(-1e-300)), Some(Bound::Real(0.1)));
    let columns = created_tables(&[table]).remove(0).columns;
    let names = ["red", "o'range", "a \"b\" -- c"].map(String::from);
    assert_eq!(columns[0].names, Some(names.to_vec()));
    let lengths = (columns[0].min_length, columns[0].max_length);
    assert_eq!(lengths, (Some(2), Some(9)));
    let range = (columns[1].min, columns[1].max);
    assert_eq!(range, (Some(Bound::Real(-1e-300)), Some(Bound::Real(0.1))));
}
