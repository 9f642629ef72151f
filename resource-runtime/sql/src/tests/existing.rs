//! Statements for a table that others made, in a schema, with values that the database sets.

use resource_model::authorization::View;
use resource_model::query::{ListParameters, RowChange};
use resource_model::samples::asked;
use resource_model::schema::{Attribute, ResourceDefinition, Version};
use resource_model::value::{Key, Record, Value};

use crate::{Dialect, Misfit, change, find_misfits, insert_many, name_problems, page};

const ATTRIBUTES: &[Attribute] = &[
    Attribute::of::<String>("id")
        .primary_key()
        .default_of_database(),
    Attribute::of::<i64>("price").column("unit \"price\""),
    Attribute::of::<i64>("count").default_of_database().max(9),
    Attribute::of::<i64>("total").computed(),
];

const LINE: ResourceDefinition = ResourceDefinition::new("Line", "lines", Version::new(1, 0))
    .table("order lines")
    .schema("sales")
    .existing()
    .columns(r#""id", "unit ""price""", "count", "total""#)
    .attributes(ATTRIBUTES);

fn record(values: &[(usize, i64)]) -> Record {
    let mut record = Record::absent(ATTRIBUTES.len());
    for (index, value) in values {
        record.set(*index, Value::Integer(*value));
    }
    record
}

fn inserted(dialect: Dialect, record: Record) -> String {
    let insertion = RowChange::Insert {
        definition: &LINE,
        record,
        of_other_versions: Vec::new(),
        targets: Vec::new(),
        companion: None,
    };
    change(dialect, insertion).text().to_owned()
}

#[test]
fn what_the_database_sets_is_left_out_of_insertions() {
    assert_eq!(
        inserted(Dialect::Postgres, record(&[(1, 5), (3, 1)])),
        r#"INSERT INTO "sales"."order lines" ("unit ""price""") VALUES ($1) RETURNING "id""#
    );
    // SQLite has no schemas, and returns a key that is not the number of its row.
    assert_eq!(
        inserted(Dialect::Sqlite, record(&[(1, 5), (2, 3)])),
        r#"INSERT INTO "order lines" ("unit ""price""", "count") VALUES (?, ?) RETURNING "id""#
    );
    let rows = [
        (record(&[(1, 5)]), Vec::new()),
        (record(&[(1, 6)]), Vec::new()),
    ];
    let batch = insert_many(Dialect::Sqlite, &LINE, rows);
    assert_eq!(
        batch.text(),
        r#"INSERT INTO "order lines" ("unit ""price""") VALUES (?) RETURNING "id""#
    );
    let second = batch.record(1, &LINE);
    assert_eq!(
        (second.get(1), second.get(2)),
        (Some(&Value::Integer(6)), None)
    );
}

#[test]
fn a_schema_stands_in_every_statement_of_postgres() {
    let view = View::unrestricted(&LINE);
    let key = &Key::from(Value::Text("a".into()));
    let update = RowChange::Update {
        view,
        key,
        record: record(&[(1, 5)]),
        of_other_versions: Vec::new(),
        targets: Vec::new(),
        expected: Vec::new(),
    };
    assert_eq!(
        change(Dialect::Postgres, update).text(),
        r#"UPDATE "sales"."order lines" SET "unit ""price""" = $1 WHERE "id" = $2"#
    );
    let query = asked(view, &ListParameters::default());
    let read = page(Dialect::Postgres, view, &query);
    assert!(
        read.matching
            .count()
            .text()
            .contains(r#"FROM "sales"."order lines""#)
    );
    assert_eq!(read.matching.tables[0].quoted(), r#""sales"."order lines""#);
    assert!(!read.matching.has_views);
}

#[test]
fn values_that_do_not_fit_are_found_by_what_is_wrong_with_them() {
    let [id, price, count, _] = ATTRIBUTES else {
        unreachable!()
    };
    for (attribute, misfit, expected) in [
        (
            price,
            Misfit::Null,
            r#"SELECT "id", "unit ""price""" FROM "order lines" WHERE "unit ""price""" IS NULL"#,
        ),
        (
            count,
            Misfit::Range,
            r#"SELECT "id", "count" FROM "order lines" WHERE CAST("count" AS double precision) > 9.0"#,
        ),
        (id, Misfit::Form, r#"SELECT "id" FROM "order lines""#),
    ] {
        let found = find_misfits(Dialect::Sqlite, &LINE, attribute, misfit);
        assert_eq!(found.text(), expected);
    }
    assert_eq!(name_problems(Dialect::Postgres, &[]), [""; 0]);
}
