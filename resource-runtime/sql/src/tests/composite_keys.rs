//! Statements for a resource whose key has two parts.

use resource_model::ApiResource as _;
use resource_model::authorization::View;
use resource_model::query::{ListParameters, RowChange};
use resource_model::samples::{Cell, asked};
use resource_model::value::Record;

use crate::{Dialect, change, page};

/// The rows of a list that these parameters ask for.
fn rows(dialect: Dialect, filter: &str, order: &str, fields: &str) -> String {
    let parameters = ListParameters {
        filter: Some(filter.to_owned()),
        order: Some(order.to_owned()),
        fields: Some(fields.to_owned()),
        ..ListParameters::default()
    };
    let view = View::unrestricted(Cell::DEFINITION);
    let rows = page(dialect, view, &asked(view, &parameters)).rows.unwrap();
    rows.text().to_owned()
}

#[test]
fn orders_end_with_both_parts() {
    let ordered = |order| {
        let text = rows(Dialect::Sqlite, "", order, "text");
        text.split_once(" ORDER BY ").unwrap().1.to_owned()
    };
    let by_key = r#""the.item"."row", "the.item"."column" LIMIT ? OFFSET ?"#;
    assert_eq!(ordered(""), by_key);
    assert_eq!(
        ordered("desc(text)"),
        format!(r#""the.item"."text" DESC, {by_key}"#)
    );
    assert_eq!(
        ordered("desc(column)"),
        r#""the.item"."column" DESC, "the.item"."row" LIMIT ? OFFSET ?"#
    );
}

#[test]
fn expansions_are_joined_by_both_parts_and_led_by_the_first() {
    assert_eq!(
        rows(Dialect::Sqlite, "", "", "text,left(text)"),
        r#"SELECT "the.page"."text", "subresource.0"."row", "subresource.0"."text" FROM (SELECT "the.item"."text", "the.item"."row", "the.item"."left_column", "the.item"."column" FROM "cells" AS "the.item" ORDER BY "the.item"."row", "the.item"."column" LIMIT ? OFFSET ?) AS "the.page" LEFT JOIN "cells" AS "subresource.0" ON "subresource.0"."row" = "the.page"."row" AND "subresource.0"."column" = "the.page"."left_column" ORDER BY "the.page"."row", "the.page"."column""#
    );
}

#[test]
fn collections_are_joined_by_both_parts() {
    let joined = |dialect| {
        let text = rows(dialect, "", "", "next(text)");
        let (_, joined) = text.split_once(r#" AS "the.page" LEFT JOIN "#).unwrap();
        joined
            .split(" ORDER BY \"the.page\"")
            .next()
            .unwrap()
            .to_owned()
    };
    let items = r#""the.element"."row", "the.element"."column" FROM "cells" AS "the.element" WHERE "the.page"."row" = "the.element"."row" AND "the.page"."column" = "the.element"."left_column" ORDER BY "the.element"."row", "the.element"."column" LIMIT "#;
    assert_eq!(
        joined(Dialect::Sqlite),
        format!(
            r#""cells" AS "the.element" ON ("the.element"."row", "the.element"."column") IN (SELECT {items}?)"#
        )
    );
    assert_eq!(
        joined(Dialect::Postgres),
        format!(
            r#"LATERAL (SELECT {items}11) AS "the.target" ON TRUE LEFT JOIN "cells" AS "the.element" ON "the.element"."row" = "the.target"."row" AND "the.element"."column" = "the.target"."column""#
        )
    );
    let tested = rows(Dialect::Sqlite, "has(next)", "", "text");
    let condition = r#"EXISTS (SELECT 1 FROM "cells" AS "the.element" WHERE "the.item"."row" = "the.element"."row" AND "the.item"."column" = "the.element"."left_column")"#;
    assert!(tested.contains(condition), "{tested}");
}

#[test]
fn insertions_return_both_parts_and_conflicts_of_the_key_change_neither() {
    let definition = Cell::DEFINITION;
    let record = || Record::absent(definition.all_attributes().len());
    let insert = RowChange::Insert {
        definition,
        record: record(),
        of_other_versions: Vec::new(),
        targets: Vec::new(),
        companion: None,
    };
    let upsert = RowChange::Upsert {
        definition,
        record: record(),
        of_other_versions: Vec::new(),
        updated: Vec::new(),
        unique: definition.key_attributes().collect(),
    };
    let texts = [insert, upsert].map(|it| change(Dialect::Sqlite, it).text().to_owned());
    let insert =
        r#"INSERT INTO "cells" ("row", "text", "column", "left_column") VALUES (?, ?, ?, ?)"#;
    let set = r#""text" = excluded."text", "left_column" = excluded."left_column""#;
    assert_eq!(
        texts,
        [
            format!(r#"{insert} RETURNING "row", "column""#),
            format!(
                r#"{insert} ON CONFLICT ("row", "column") DO UPDATE SET {set} RETURNING "row", "column""#
            ),
        ]
    );
}
