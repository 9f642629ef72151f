//! The statements of a resource whose table others made, word by word.

use resource_model::authorization::View;
use resource_model::query::{ListParameters, RowChange, RowQuery};
use resource_model::samples::asked;
use resource_model::schema::{
    Attribute, Kind, ResourceDefinition, Storage, StorageForm, TimeText, Version,
};
use resource_model::value::{FieldValue, Key, Record, RecordError, Value};

use crate::{Dialect, change, column_type, insert_many, page, select};

const ATTRIBUTES: &[Attribute] = &[
    Attribute::of::<i64>("id")
        .column("Id")
        .primary_key()
        .stored(&Storage::EXISTING),
    Attribute::of::<String>("title").stored(&Storage::EXISTING),
    Attribute::of::<String>("mood").stored(&Storage {
        digits: None,
        sqlite: StorageForm::Existing,
        postgres: StorageForm::Type(Some("odd"), "mood"),
    }),
];

const TRACK: ResourceDefinition =
    ResourceDefinition::new("Track", "tracks", Version::new(1, 0)).attributes(ATTRIBUTES);

fn rows(dialect: Dialect, filter: &str, order: &str) -> String {
    let view = View::unrestricted(&TRACK);
    let parameters = ListParameters {
        filter: Some(filter.to_owned()),
        order: Some(order.to_owned()),
        ..ListParameters::default()
    };
    let query = asked(view, &parameters);
    page(dialect, view, &query).rows.unwrap().text().to_owned()
}

#[test]
fn texts_are_compared_by_code_point_and_found_by_the_index_of_their_column() {
    let (filter, order) = (
        r#"and(eq(title,"a"),gt(mood,"b"),in(mood,["c"]))"#,
        "desc(title),asc(mood)",
    );
    assert_eq!(
        rows(Dialect::Postgres, filter, order),
        r#"SELECT "the.item"."Id", "the.item"."title", "the.item"."mood"::text FROM "tracks" AS "the.item" WHERE (("the.item"."title" = $1 AND ("the.item"."mood"::text COLLATE "C" > $2 AND ("the.item"."mood"::"odd"."mood" IN ($3::text::"odd"."mood") AND "the.item"."mood"::text COLLATE "C" IN ($4::text::"odd"."mood"::text))))) ORDER BY "the.item"."title" COLLATE "C" DESC NULLS LAST, "the.item"."mood"::text COLLATE "C" NULLS FIRST, "the.item"."Id" LIMIT $5 OFFSET $6"#
    );
    assert_eq!(
        rows(Dialect::Sqlite, filter, order),
        r#"SELECT "the.item"."Id", "the.item"."title", "the.item"."mood" FROM "tracks" AS "the.item" WHERE (("the.item"."title" COLLATE BINARY = ? AND ("the.item"."mood" COLLATE BINARY > ? AND "the.item"."mood" COLLATE BINARY IN (?)))) ORDER BY "the.item"."title" COLLATE BINARY DESC, "the.item"."mood" COLLATE BINARY, "the.item"."Id" LIMIT ? OFFSET ?"#
    );
    assert_eq!(
        rows(Dialect::Postgres, r#"like(mood,"a%b")"#, ""),
        r#"SELECT "the.item"."Id", "the.item"."title", "the.item"."mood"::text FROM "tracks" AS "the.item" WHERE ((("the.item"."mood"::text COLLATE "C" >= $1 AND "the.item"."mood"::text COLLATE "C" < $2) AND "the.item"."mood"::text COLLATE "C" LIKE $3)) ORDER BY "the.item"."Id" LIMIT $4 OFFSET $5"#
    );
}

#[test]
fn values_are_written_in_the_form_of_their_column() {
    let view = View::unrestricted(&TRACK);
    let mut record = Record::absent(3);
    record.set(2, Value::Text("glad".to_owned()));
    let update = RowChange::Update {
        view,
        key: &Key::from(Value::Integer(7)),
        record: record.clone(),
        of_other_versions: Vec::new(),
        targets: Vec::new(),
        expected: vec![
            (&ATTRIBUTES[1], Value::Text("a".to_owned())),
            (&ATTRIBUTES[2], Value::Text("sad".to_owned())),
        ],
    };
    assert_eq!(
        change(Dialect::Postgres, update).text(),
        r#"UPDATE "tracks" SET "mood" = $1::text::"odd"."mood" WHERE "Id" = $2 AND "title" IS NOT DISTINCT FROM $3 AND "mood"::text COLLATE "C" IS NOT DISTINCT FROM $4"#
    );
    let batch = insert_many(Dialect::Postgres, &TRACK, [(record, Vec::new())]);
    assert_eq!(
        batch.text(),
        r#"INSERT INTO "tracks" ("title", "mood") SELECT "title", "mood"::"odd"."mood" FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS "the.rows" ("title", "mood", "the.ordinal") ORDER BY "the.ordinal" RETURNING "Id""#
    );
    let types: Vec<String> = ATTRIBUTES
        .iter()
        .map(|it| {
            let column = resource_model::schema::Column::of(it);
            column_type(Dialect::Postgres, &column)
        })
        .collect();
    assert_eq!(types, ["bigint", "text", r#""odd"."mood""#]);
}

/// A type of this kind, without the crate of its own.
macro_rules! of_kind {
    ($name:ident, $kind:expr) => {
        struct $name(String);

        impl FieldValue for $name {
            const KIND: Kind = $kind;

            fn from_value(value: Value) -> Result<Self, RecordError> {
                String::from_value(value).map(Self)
            }

            fn to_value(&self) -> Value {
                self.0.to_value()
            }
        }
    };
}

of_kind!(Amount, Kind::Decimal);
of_kind!(Moment, Kind::Timestamp);

const INVOICE: &[Attribute] = &[
    Attribute::of::<i64>("id").primary_key(),
    Attribute::of::<Amount>("total").stored(&Storage {
        digits: Some((10, 2)),
        sqlite: StorageForm::Number,
        postgres: StorageForm::Existing,
    }),
    Attribute::of::<Moment>("at").stored(&Storage {
        digits: None,
        sqlite: StorageForm::Time(TimeText::Space, None),
        postgres: StorageForm::Utc,
    }),
];

const INVOICES: ResourceDefinition =
    ResourceDefinition::new("Invoice", "invoices", Version::new(1, 0)).attributes(INVOICE);

#[test]
fn values_are_read_in_our_own_form() {
    let item = |dialect| {
        let view = View::unrestricted(&INVOICES);
        let key = Key::from(Value::Integer(7));
        let query = RowQuery::Item {
            view,
            key: &key,
            selection: None,
        };
        select(dialect, query).text().to_owned()
    };
    assert_eq!(
        item(Dialect::Postgres),
        r#"SELECT "the.item"."id", "the.item"."total", "the.item"."at" AT TIME ZONE 'UTC' FROM "invoices" AS "the.item" WHERE "the.item"."id" = $1"#
    );
    assert_eq!(
        item(Dialect::Sqlite),
        r#"SELECT "the.item"."id", CASE WHEN typeof("the.item"."total") IN ('integer', 'real') AND CAST(printf('%.2f', "the.item"."total") AS REAL) = "the.item"."total" THEN printf('%.2f', "the.item"."total") ELSE CAST("the.item"."total" AS BLOB) END, CASE WHEN "the.item"."at" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]' THEN substr("the.item"."at", 1, 10) || 'T' || substr("the.item"."at", 12, 8) || '.000000Z' WHEN "the.item"."at" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]' THEN substr("the.item"."at", 1, 10) || 'T' || substr("the.item"."at", 12, 15) || 'Z' ELSE CAST("the.item"."at" AS BLOB) END FROM "invoices" AS "the.item" WHERE "the.item"."id" = ?"#
    );
}
