//! Statements for a resource whose deleted rows stay in their table.

use resource_model::authorization::{Caller, View};
use resource_model::query::{ListParameters, Lookup, RowChange, RowQuery, Target};
use resource_model::samples::asked;
use resource_model::schema::{Attribute, ForeignKey, Identifier, ResourceDefinition, Version};
use resource_model::value::{Key, Record, Value};

use crate::{Dialect, change, exists, page, select};

const ATTRIBUTES: &[Attribute] = &[
    Attribute::of::<i64>("id").primary_key(),
    Attribute::of::<String>("name").unique(),
    Attribute::of::<Option<i64>>("parent_id"),
    Attribute::of::<Option<String>>("gone").soft_delete(|_| Value::Null),
];

const NODE: ResourceDefinition = ResourceDefinition::new("Node", "nodes", Version::new(1, 0))
    .columns(r#""id", "name", "parent_id""#)
    .attributes(ATTRIBUTES);

fn parent() -> ForeignKey {
    ForeignKey {
        columns: vec![Identifier::new("parent_id")],
        target: Identifier::new("nodes"),
        target_columns: vec![Identifier::new("id")],
        on_delete: None,
    }
}

#[test]
fn reads_of_every_caller_leave_deleted_rows_out() {
    for caller in [Caller::System, Caller::Trusted, Caller::Anonymous] {
        let view = View::new(&NODE, &caller);
        let parameters = ListParameters {
            filter: Some("or(eq(id,1),eq(name,\"x\"))".to_owned()),
            ..ListParameters::default()
        };
        let list = page(Dialect::Sqlite, view, &asked(view, &parameters));
        let condition = r#" FROM "nodes" AS "the.item" WHERE "the.item"."gone" IS NULL AND (("the.item"."id" = ? OR "the.item"."name" = ?))"#;
        let count = list.matching.count();
        assert_eq!(count.text(), format!("SELECT COUNT(*){condition}"));
        let rows = list.rows.unwrap();
        assert!(rows.text().contains(condition), "{}", rows.text());
    }
    let key = &Key::from(Value::Integer(7));
    let query = |caller| RowQuery::WholeItem {
        view: View::new(&NODE, caller),
        key,
        for_update: false,
    };
    let columns = r#"SELECT "id", "name", "parent_id", "gone" FROM "nodes" WHERE "id" = $1"#;
    let all = select(Dialect::Postgres, query(&Caller::SystemWithDeleted));
    assert_eq!(all.text(), columns);
    let living = select(Dialect::Postgres, query(&Caller::System));
    assert_eq!(living.text(), format!(r#"{columns} AND "gone" IS NULL"#));
}

#[test]
fn write_locks_the_target_that_it_refers_to() {
    let (key, foreign_key) = (&Key::from(Value::Integer(7)), &parent());
    let target = || Target {
        foreign_key,
        values: vec![Some((NODE.find("id").unwrap().1, Value::Integer(3)))],
        rows: View::system(&NODE).rows(),
    };
    let mut record = Record::absent(4);
    record.set(2, Value::Integer(3));
    let update = RowChange::Update {
        view: View::system(&NODE),
        key,
        record,
        of_other_versions: Vec::new(),
        targets: vec![target()],
        expected: Vec::new(),
    };
    let exists_living = r#"(EXISTS (SELECT 1 FROM "nodes" AS "the.target" WHERE "the.target"."id" = $1 AND "the.target"."gone" IS NULL))"#;
    assert_eq!(
        change(Dialect::Postgres, update).text(),
        r#"UPDATE "nodes" SET "parent_id" = $1 WHERE "id" = $2 AND "gone" IS NULL AND (EXISTS (SELECT 1 FROM "nodes" AS "the.target" WHERE "the.target"."id" = $3 AND "the.target"."gone" IS NULL FOR KEY SHARE))"#
    );
    // The diagnosis reads, perhaps on a connection that cannot lock.
    let dangling = Lookup::DanglingReference {
        target: target(),
        stored: None,
    };
    assert_eq!(
        exists(Dialect::Postgres, dangling).text(),
        format!("SELECT 1 WHERE NOT {exists_living}")
    );
}

#[test]
fn lookups_leave_deleted_rows_and_the_item_itself_out() {
    let (key, foreign_key) = (&Key::from(Value::Integer(7)), &parent());
    let referrer = Lookup::Referrer {
        source: View::system(&NODE),
        foreign_key,
        definition: &NODE,
        key,
    };
    assert_eq!(
        exists(Dialect::Sqlite, referrer).text(),
        r#"SELECT 1 FROM "nodes" WHERE ("parent_id") = (SELECT "id" FROM "nodes" WHERE "id" = ?) AND NOT ("id" = ?) AND "gone" IS NULL LIMIT 1"#
    );
    let conflict = Lookup::UniqueConflict {
        definition: &NODE,
        set: vec![(&ATTRIBUTES[1], Some(Value::Text("x".into())))],
        stored: None,
    };
    assert_eq!(
        exists(Dialect::Sqlite, conflict).text(),
        r#"SELECT 1 FROM "nodes" AS "the.other" WHERE "the.other"."name" = ? AND "the.other"."gone" IS NULL LIMIT 1"#
    );
}

#[test]
fn upsert_names_the_unique_index_of_living_rows_by_its_condition() {
    let upsert = |attribute| RowChange::Upsert {
        definition: &NODE,
        record: Record::absent(4),
        of_other_versions: Vec::new(),
        updated: Vec::new(),
        unique: vec![attribute],
    };
    let by_name = change(Dialect::Postgres, upsert(&ATTRIBUTES[1]));
    let clause = r#" ON CONFLICT ("name") WHERE "gone" IS NULL DO UPDATE SET "parent_id" = "#;
    assert!(by_name.text().contains(clause), "{}", by_name.text());
    let by_key = change(Dialect::Postgres, upsert(&ATTRIBUTES[0]));
    assert!(
        by_key
            .text()
            .contains(r#" ON CONFLICT ("id") DO UPDATE SET "#)
    );
}
