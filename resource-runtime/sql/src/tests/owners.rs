//! Statements for a caller who owns some rows and not others.

use std::sync::Arc;

use resource_model::ApiResource as _;
use resource_model::authorization::{Caller, Rows, View};
use resource_model::query::{
    self, ListParameters, Lookup, QueryLimits, RowChange, RowQuery, Selection, Target,
};
use resource_model::registry::references;
use resource_model::samples::{Folder, Sheet, asked, caller};
use resource_model::schema::{Attribute, ForeignKey};
use resource_model::value::{Key, Record, Value};

use crate::{CachedTotal, Dialect, PageQuery, Statement, change, exists, page, select};

/// An attribute that refers to a folder.
const BIG: &Attribute = &Attribute::of::<i64>("folder_id");

const ALL: &str = "sheet.read sheet.write folder.read folder.write";
const SEVEN: Value = Value::Integer(7);

fn sheets(caller: &Caller) -> View<'_> {
    View::new(Sheet::DEFINITION, caller)
}

fn list(dialect: Dialect, caller: &Caller, filter: &str, fields: &str) -> PageQuery {
    let parameters = ListParameters {
        filter: Some(filter.to_owned()),
        fields: Some(fields.to_owned()),
        ..ListParameters::default()
    };
    let view = sheets(caller);
    page(dialect, view, &asked(view, &parameters))
}

fn seven() -> Key {
    Key::from(SEVEN)
}

fn item(dialect: Dialect, view: View<'_>, selection: Option<&Selection>) -> Statement {
    let query = RowQuery::Item {
        view,
        key: &seven(),
        selection,
    };
    select(dialect, query)
}

fn update(dialect: Dialect, view: View<'_>, record: Record, targets: Vec<Target<'_>>) -> Statement {
    let update = RowChange::Update {
        view,
        key: &seven(),
        record,
        of_other_versions: Vec::new(),
        targets,
        expected: Vec::new(),
    };
    change(dialect, update)
}

fn values(statement: &Statement) -> Vec<Value> {
    let binds = statement.binds().iter();
    binds.map(|bind| bind.value.clone()).collect()
}

/// The key of a single column, and the one of two.
fn keys() -> [ForeignKey; 2] {
    let references = references(Sheet::DEFINITION);
    let keys: Vec<ForeignKey> = references.into_iter().map(|it| it.key).collect();
    keys.try_into().unwrap()
}

fn folders(caller: &Caller) -> Rows {
    View::new(Folder::DEFINITION, caller).readable_rows()
}

#[test]
fn a_list_and_its_count_begin_with_the_owner() {
    let ann = caller("5", ALL);
    let read = list(Dialect::Sqlite, &ann, "or(eq(id,1),eq(text,\"x\"))", "id");
    let condition = "FROM \"sheets\" AS \"the.item\" WHERE \"the.item\".\"author\" = ? AND \
                     ((\"the.item\".\"id\" = ? OR \"the.item\".\"text\" = ?))";
    let (rows, count) = (read.rows.unwrap(), read.matching.count());
    assert_eq!(count.text(), format!("SELECT COUNT(*) {condition}"));
    let expected = format!(
        "SELECT \"the.item\".\"id\" {condition} ORDER BY \"the.item\".\"id\" LIMIT ? OFFSET ?"
    );
    assert_eq!(rows.text(), expected);
    let text = Value::Text("x".into());
    assert_eq!(values(&count), [Value::Integer(5), Value::Integer(1), text]);
}

#[test]
fn caller_without_owner_sees_nothing_and_one_who_bypasses_the_rule_everything() {
    for (caller, condition) in [
        (caller("ann", ALL), " WHERE FALSE"),
        (caller("05", ALL), " WHERE FALSE"),
        (Caller::Bearer(Arc::default()), " WHERE FALSE"),
        (Caller::Anonymous, " WHERE FALSE"),
        (caller("5", ALL), " WHERE \"the.item\".\"author\" = ?"),
        (caller("5", "admin"), ""),
        (Caller::Trusted, ""),
    ] {
        let read = list(Dialect::Sqlite, &caller, "", "");
        let count = read.matching.count();
        let expected = format!("SELECT COUNT(*) FROM \"sheets\" AS \"the.item\"{condition}");
        assert_eq!(count.text(), expected, "{caller:?}");
    }
}

#[test]
fn join_finds_only_rows_that_the_caller_may_read() {
    let join = |caller: &Caller| {
        let filter = "eq(folder.id,1)";
        let rows = list(Dialect::Postgres, caller, filter, "").rows.unwrap();
        let text = rows.text().to_owned();
        let (_, text) = text.split_once(" ON ").unwrap();
        text.split_once(" WHERE ").unwrap().0.to_owned()
    };
    let on = "\"subresource.0\".\"id\" = \"the.item\".\"folder_id\"";
    let owned = format!("{on} AND \"subresource.0\".\"owner\" COLLATE \"C\" = $1");
    assert_eq!(join(&caller("5", ALL)), owned);
    assert_eq!(join(&caller("5", "sheet.read")), format!("{on} AND FALSE"));
    assert_eq!(
        join(&caller("5", "sheet.read admin")),
        format!("{on} AND FALSE")
    );
    assert_eq!(join(&caller("5", "folder.read admin")), on);
}

#[test]
fn an_expansion_is_joined_like_a_filter() {
    let rows = list(Dialect::Sqlite, &caller("5", ALL), "", "id,folder(id)").rows;
    assert_eq!(
        rows.unwrap().text(),
        "SELECT \"the.page\".\"id\", \"subresource.0\".\"id\", \"subresource.0\".\"id\" FROM (\
         SELECT \"the.item\".\"id\", \"the.item\".\"folder_id\" FROM \"sheets\" AS \"the.item\" \
         WHERE \"the.item\".\"author\" = ? ORDER BY \"the.item\".\"id\" LIMIT ? OFFSET ?) AS \"the.page\" \
         LEFT JOIN \"folders\" AS \"subresource.0\" \
         ON \"subresource.0\".\"id\" = \"the.page\".\"folder_id\" \
         AND \"subresource.0\".\"owner\" COLLATE BINARY = ? ORDER BY \"the.page\".\"id\""
    );
}

#[test]
fn an_item_is_read_changed_and_removed_by_its_owner() {
    let (ann, dialect) = (caller("5", ALL), Dialect::Sqlite);
    let view = sheets(&ann);
    let selection = query::fields(view, Some("id"), QueryLimits::new()).unwrap();
    let mut record = Record::absent(7);
    record.set(2, Value::Text("x".into()));
    let key = &seven();
    let condition = " WHERE \"id\" = ? AND \"author\" = ?";
    for (statement, beginning) in [
        (
            exists(dialect, Lookup::Item { view, key }),
            "SELECT 1 FROM \"sheets\"",
        ),
        (
            select(
                dialect,
                RowQuery::WholeItem {
                    view,
                    key,
                    for_update: true,
                },
            ),
            "SELECT \"id\", \"author\", \"text\", \"remark\", \"folder_id\", \"shelf\", \
             \"place\" FROM \"sheets\"",
        ),
        (
            change(
                dialect,
                RowChange::Delete {
                    view,
                    key,
                    expected: Vec::new(),
                },
            ),
            "DELETE FROM \"sheets\"",
        ),
        (
            update(dialect, view, record, Vec::new()),
            "UPDATE \"sheets\" SET \"text\" = ?",
        ),
    ] {
        assert_eq!(statement.text(), format!("{beginning}{condition}"));
        let values = values(&statement);
        assert!(values.ends_with(&[SEVEN, Value::Integer(5)]), "{values:?}");
    }
    let read = item(dialect, view, selection.as_ref());
    assert_eq!(
        read.text(),
        "SELECT \"the.item\".\"id\" FROM \"sheets\" AS \"the.item\" \
         WHERE \"the.item\".\"id\" = ? AND \"the.item\".\"author\" = ?"
    );
}

#[test]
fn statements_for_own_rows_differ_from_those_for_all_rows() {
    for (caller, condition) in [
        (caller("5", ALL), " AND \"the.item\".\"author\" = "),
        (Caller::Anonymous, " AND FALSE"),
    ] {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let item = item(dialect, sheets(&caller), None);
            assert!(item.text().contains(condition), "{item:?}");
            let page = list(dialect, &caller, "", "");
            let rows = page.rows.unwrap();
            let condition = condition.trim_start_matches(" AND ");
            assert!(rows.text().contains(condition), "{rows:?}");
            let count = page.matching.count();
            assert!(count.text().contains(condition), "{count:?}");
        }
    }
}

#[test]
fn insertion_requires_visible_reference_targets() {
    let ann = caller("5", ALL);
    let [key, _] = keys();
    let target = Target {
        foreign_key: &key,
        values: vec![Some((BIG, SEVEN))],
        rows: folders(&ann),
    };
    let mut record = Record::absent(7);
    record.set(4, SEVEN);
    let insertion = RowChange::Insert {
        definition: Sheet::DEFINITION,
        record,
        of_other_versions: Vec::new(),
        targets: vec![target],
        companion: None,
    };
    let statement = change(Dialect::Postgres, insertion);
    assert_eq!(
        statement.text(),
        "INSERT INTO \"sheets\" (\"author\", \"text\", \"remark\", \"folder_id\", \"shelf\", \
         \"place\") SELECT $1, $2, $3, $4, $5, $6 WHERE (EXISTS (SELECT 1 FROM \"folders\" AS \
         \"the.target\" WHERE \"the.target\".\"id\" = $7 AND \"the.target\".\"owner\" \
         COLLATE \"C\" = $8)) RETURNING \"id\""
    );
    assert!(values(&statement).ends_with(&[SEVEN, Value::Text("5".into())]));
}

#[test]
fn update_compares_unchanged_key_columns_in_place() {
    let ann = caller("5", ALL);
    let [_, key] = keys();
    let target = Target {
        foreign_key: &key,
        values: vec![Some((BIG, SEVEN)), None],
        rows: folders(&ann),
    };
    let mut record = Record::absent(7);
    record.set(5, SEVEN);
    let statement = update(Dialect::Sqlite, sheets(&ann), record, vec![target]);
    assert_eq!(
        statement.text(),
        "UPDATE \"sheets\" SET \"shelf\" = ? WHERE \"id\" = ? AND \"author\" = ? AND \
         (EXISTS (SELECT 1 FROM \"folders\" AS \"the.target\" WHERE \"the.target\".\"shelf\" = ? AND \
         \"the.target\".\"place\" = \"sheets\".\"place\" AND \"the.target\".\"owner\" COLLATE BINARY = ?) \
         OR \"sheets\".\"place\" IS NULL)"
    );
}

#[test]
fn diagnosis_reads_only_rows_visible_to_the_caller() {
    let ann = caller("5", ALL);
    let [key, _] = keys();
    let target = Target {
        foreign_key: &key,
        values: vec![Some((BIG, SEVEN))],
        rows: folders(&ann),
    };
    let dangling = Lookup::DanglingReference {
        target,
        stored: None,
    };
    assert_eq!(
        exists(Dialect::Sqlite, dangling).text(),
        "SELECT 1 WHERE NOT (EXISTS (SELECT 1 FROM \"folders\" AS \"the.target\" WHERE \
         \"the.target\".\"id\" = ? AND \"the.target\".\"owner\" COLLATE BINARY = ?))"
    );
    let referrer = Lookup::Referrer {
        source: sheets(&ann),
        foreign_key: &key,
        definition: Folder::DEFINITION,
        key: &seven(),
    };
    assert_eq!(
        exists(Dialect::Sqlite, referrer).text(),
        "SELECT 1 FROM \"sheets\" WHERE (\"folder_id\") = (SELECT \"id\" FROM \"folders\" \
         WHERE \"id\" = ?) AND \"author\" = ? LIMIT 1"
    );
}

#[test]
fn values_are_in_the_order_of_their_placeholders() {
    let ann = caller("5", ALL);
    let parameters = ListParameters {
        filter: Some("eq(text,\"x\")".to_owned()),
        order: Some("asc(folder.shelf)".to_owned()),
        fields: Some("id".to_owned()),
        ..ListParameters::default()
    };
    let five = [Value::Integer(5), Value::Text("5".into())];
    let [author, owner] = five;
    let text = Value::Text("x".into());
    for (dialect, expected) in [
        (Dialect::Sqlite, [&owner, &author, &text].map(Clone::clone)),
        (
            Dialect::Postgres,
            [&author, &text, &owner].map(Clone::clone),
        ),
    ] {
        let page = page(dialect, sheets(&ann), &asked(sheets(&ann), &parameters));
        // Behind them, the limit and the offset are bound on SQLite.
        let bound = values(&page.rows.unwrap());
        assert_eq!(bound[..3], expected, "{dialect:?}");
        assert_eq!(
            values(&page.matching.count()),
            [author.clone(), text.clone()]
        );
    }
}

/// The numbers of the placeholders of a statement of PostgreSQL, each once.
fn numbers(statement: &Statement) -> Vec<usize> {
    let parts = statement.text().split('$').skip(1);
    let number = |part: &str| {
        let end = part.find(|it: char| !it.is_ascii_digit());
        part[..end.unwrap_or(part.len())].parse().unwrap()
    };
    let numbers: std::collections::BTreeSet<usize> = parts.map(number).collect();
    numbers.into_iter().collect()
}

#[test]
fn every_value_has_its_placeholder_whatever_is_joined_and_expanded() {
    let ann = caller("5", ALL);
    let parameters = ListParameters {
        filter: Some("and(eq(text,\"x\"),in(folder.shelf,[1,2]))".to_owned()),
        order: Some("desc(folder.shelf),asc(text)".to_owned()),
        fields: Some("id,folder(shelf)".to_owned()),
        ..ListParameters::default()
    };
    let query = asked(sheets(&ann), &parameters);
    let of_sqlite = page(Dialect::Sqlite, sheets(&ann), &query);
    for statement in [of_sqlite.matching.count(), of_sqlite.rows.unwrap()] {
        let placeholders = statement.text().matches('?').count();
        assert_eq!(placeholders, statement.binds().len(), "{statement:?}");
    }
    let page = page(Dialect::Postgres, sheets(&ann), &query);
    let [tagged, snapshot, processes] = ["9 8 now 7:7:", "now 7:7:", " 8 "].map(str::to_owned);
    let known = CachedTotal {
        tagged,
        snapshot,
        processes,
    };
    for statement in [
        page.matching.count(),
        page.matching.total(Some(&known)),
        page.rows_while(&known),
        page.rows_with_total(None).unwrap(),
        page.rows.unwrap(),
    ] {
        let all: Vec<usize> = (1..=statement.binds().len()).collect();
        assert_eq!(numbers(&statement), all, "{statement:?}");
    }
}

#[test]
fn a_change_expects_values_in_the_exact_collation_with_null_equal_to_itself() {
    let ann = caller("5", ALL);
    let view = View::new(Sheet::DEFINITION, &ann);
    let expected = || {
        let mut attributes = Sheet::DEFINITION.all_attributes().iter();
        let text = attributes.find(|it| it.name() == "text").unwrap();
        vec![(text, Value::Null)]
    };
    let key = &seven();
    let delete = |dialect| {
        let expected = expected();
        change(
            dialect,
            RowChange::Delete {
                view,
                key,
                expected,
            },
        )
    };
    let sqlite = delete(Dialect::Sqlite);
    let condition = " AND \"text\" COLLATE BINARY IS ?";
    assert!(sqlite.text().ends_with(condition), "{}", sqlite.text());
    let postgres = delete(Dialect::Postgres);
    let condition = " AND \"text\" COLLATE \"C\" IS NOT DISTINCT FROM $3";
    assert!(postgres.text().ends_with(condition), "{}", postgres.text());
    assert_eq!(values(&postgres)[2], Value::Null);
}
