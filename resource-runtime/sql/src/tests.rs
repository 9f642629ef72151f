//! Statements as they are sent to the database, word by word.

mod composite_keys;
mod existing;
mod forms;
mod owners;
mod seek;
mod soft_delete;

use resource_model::ApiResource as _;
use resource_model::authorization::View;
use resource_model::query::{self, ListParameters, QueryLimits, RowQuery};
use resource_model::samples::{Person, asked};
use resource_model::schema::Identifier;
use resource_model::value::{Key, Value};

use crate::total::CachedTotal;
use crate::{Dialect, PageQuery, Statement, page, select};

fn read(filter: &str, order: &str, fields: &str) -> PageQuery {
    read_from(Dialect::Sqlite, filter, order, fields)
}

fn read_from(dialect: Dialect, filter: &str, order: &str, fields: &str) -> PageQuery {
    let parameters = ListParameters {
        filter: Some(filter.to_owned()),
        order: Some(order.to_owned()),
        fields: Some(fields.to_owned()),
        ..ListParameters::default()
    };
    let view = View::unrestricted(Person::DEFINITION);
    page(dialect, view, &asked(view, &parameters))
}

fn rows(filter: &str, order: &str, fields: &str) -> Statement {
    read(filter, order, fields).rows.unwrap()
}

/// The condition between the parentheses of `WHERE`.
fn condition(filter: &str) -> String {
    let text = read(filter, "", "id").matching.count().text().to_owned();
    let (_, condition) = text.split_once(" WHERE (").unwrap();
    condition.strip_suffix(')').unwrap().to_owned()
}

#[test]
fn a_plain_page_is_the_column_list_in_key_order() {
    assert_eq!(
        rows("", "", "").text(),
        "SELECT \"id\", \"name\", \"age\", \"score\", \"active\", \"bill_address_id\", \
         \"ship_address_id\", \"country\", \"region_code\" FROM \"persons\" AS \"the.item\" \
         ORDER BY \"the.item\".\"id\" LIMIT ? OFFSET ?"
    );
    assert_eq!(
        read("", "", "").matching.count().text(),
        "SELECT COUNT(*) FROM \"persons\" AS \"the.item\""
    );
}

#[test]
fn conditions_name_columns_and_bind_values() {
    for (filter, expected) in [
        ("eq(name,\"x\")", "\"the.item\".\"name\" = ?"),
        (
            "ne(name,\"x\")",
            "(NOT (\"the.item\".\"name\" = ?) OR \"the.item\".\"name\" IS NULL)",
        ),
        ("ne(id,1)", "NOT (\"the.item\".\"id\" = ?)"),
        (
            "ne(age,1)",
            "(NOT (\"the.item\".\"age\" = ?) OR \"the.item\".\"age\" IS NULL)",
        ),
        (
            "not(gt(age,1))",
            "(NOT (\"the.item\".\"age\" > ?) OR \"the.item\".\"age\" IS NULL)",
        ),
        ("not(not(gt(age,1)))", "\"the.item\".\"age\" > ?"),
        ("eq(age,null)", "\"the.item\".\"age\" IS NULL"),
        ("ne(age,null)", "\"the.item\".\"age\" IS NOT NULL"),
        ("in(id,[])", "FALSE"),
        ("not(in(age,[]))", "NOT (FALSE)"),
        ("in(id,[1,2,3])", "\"the.item\".\"id\" IN (?, ?, ?, ?)"),
        (
            "in(age,[1,null])",
            "(\"the.item\".\"age\" IN (?) OR \"the.item\".\"age\" IS NULL)",
        ),
        (
            "not(in(age,[1,null]))",
            "NOT ((\"the.item\".\"age\" IN (?) OR \"the.item\".\"age\" IS NULL))",
        ),
        ("in(age,[null])", "\"the.item\".\"age\" IS NULL"),
        ("like(name,\"ab\")", "\"the.item\".\"name\" = ?"),
        (
            "like(name,\"ab%\")",
            "(\"the.item\".\"name\" >= ? AND \"the.item\".\"name\" < ?)",
        ),
        ("like(name,\"%\")", "\"the.item\".\"name\" IS NOT NULL"),
        ("like(name,\"%b\")", "text_like(\"the.item\".\"name\", ?)"),
        (
            "like(name,\"a%b\")",
            "((\"the.item\".\"name\" >= ? AND \"the.item\".\"name\" < ?) AND text_like(\"the.item\".\"name\", ?))",
        ),
        ("ilike(name,\"a%\")", "text_ilike(\"the.item\".\"name\", ?)"),
        (
            "not(or(eq(id,1),eq(id,2)))",
            "(NOT (\"the.item\".\"id\" = ?) AND NOT (\"the.item\".\"id\" = ?))",
        ),
        (
            "or(eq(id,1),and(eq(id,2),or(eq(id,3),eq(id,4))))",
            "(\"the.item\".\"id\" = ? OR (\"the.item\".\"id\" = ? AND \
             +(\"the.item\".\"id\" = ? OR \"the.item\".\"id\" = ?)))",
        ),
        (
            "and(eq(id,1),eq(id,2),or(eq(id,3),eq(id,4)))",
            "(\"the.item\".\"id\" = ? AND (\"the.item\".\"id\" = ? AND \
             (\"the.item\".\"id\" = ? OR \"the.item\".\"id\" = ?)))",
        ),
    ] {
        assert_eq!(condition(filter), expected, "{filter}");
    }
}

#[test]
fn values_are_bound_by_the_kind_of_their_attribute() {
    for (filter, expected) in [
        ("gt(score,5)", Value::Real(5.0)),
        ("gt(score,5.5)", Value::Real(5.5)),
        ("gt(score,-1e3)", Value::Real(-1000.0)),
        ("gt(id,5)", Value::Integer(5)),
        ("like(name,\"%*?[x]\")", Value::Text("\0*?[x]".into())),
        ("ilike(name,\"A_\\\\%%\")", Value::Text("a_%\0".into())),
    ] {
        let read = read(filter, "", "id");
        let count = read.matching.count();
        assert_eq!(count.binds()[0].value, expected, "{filter}");
    }
}

#[test]
fn a_filter_on_a_subresource_joins_it_once_for_the_page_and_its_count() {
    let read = read(
        "or(eq(region.name,\"x\"),ne(region.name,\"y\"))",
        "desc(region.code)",
        "id",
    );
    let join = "LEFT JOIN \"regions\" AS \"subresource.2\" ON \
                \"subresource.2\".\"country\" = \"the.item\".\"country\" AND \
                \"subresource.2\".\"code\" = \"the.item\".\"region_code\"";
    let condition = "WHERE ((\"subresource.2\".\"name\" = ? OR \
                     (NOT (\"subresource.2\".\"name\" = ?) OR \
                     \"subresource.2\".\"name\" IS NULL)))";
    assert_eq!(
        read.rows.unwrap().text(),
        format!(
            "SELECT \"the.item\".\"id\" FROM \"persons\" AS \"the.item\" {join} {condition} \
             ORDER BY \"subresource.2\".\"code\" DESC, \"the.item\".\"id\" LIMIT ? OFFSET ?"
        )
    );
    assert_eq!(
        read.matching.count().text(),
        format!("SELECT COUNT(*) FROM \"persons\" AS \"the.item\" {join} {condition}")
    );
}

#[test]
fn an_order_alone_joins_nothing_for_the_count() {
    let read = read("", "asc(region.name)", "id");
    let count = read.matching.count();
    assert_eq!(
        count.text(),
        "SELECT COUNT(*) FROM \"persons\" AS \"the.item\""
    );
}

#[test]
fn page_is_limited_before_its_expansions_are_joined() {
    assert_eq!(
        rows("", "asc(ship_address.city)", "name,bill_address(city)").text(),
        "SELECT \"the.page\".\"name\", \"subresource.0\".\"id\", \"subresource.0\".\"city\" FROM (\
         SELECT \"the.item\".\"name\", \"the.item\".\"bill_address_id\", \"the.item\".\"id\", \
         \"subresource.1\".\"city\" AS \"order.0\" FROM \"persons\" AS \"the.item\" \
         LEFT JOIN \"addresses\" AS \"subresource.1\" \
         ON \"subresource.1\".\"id\" = \"the.item\".\"ship_address_id\" \
         ORDER BY \"subresource.1\".\"city\", \"the.item\".\"id\" LIMIT ? OFFSET ?) AS \"the.page\" \
         LEFT JOIN \"addresses\" AS \"subresource.0\" \
         ON \"subresource.0\".\"id\" = \"the.page\".\"bill_address_id\" \
         ORDER BY \"the.page\".\"order.0\", \"the.page\".\"id\""
    );
}

#[test]
fn an_item_is_joined_with_its_expansions_directly() {
    let selection = query::fields(
        View::unrestricted(Person::DEFINITION),
        Some("bill_address(city)"),
        QueryLimits::new(),
    );
    let selection = selection.unwrap();
    let key = Key::from(Value::Integer(7));
    let view = View::unrestricted(Person::DEFINITION);
    let query = RowQuery::Item {
        view,
        key: &key,
        selection: selection.as_ref(),
    };
    let statement = select(Dialect::Sqlite, query);
    assert_eq!(
        statement.text(),
        "SELECT \"subresource.0\".\"id\", \"subresource.0\".\"city\" \
         FROM \"persons\" AS \"the.item\" LEFT JOIN \"addresses\" AS \"subresource.0\" \
         ON \"subresource.0\".\"id\" = \"the.item\".\"bill_address_id\" WHERE \"the.item\".\"id\" = ?"
    );
}

#[test]
fn a_later_criterion_on_the_same_attribute_is_left_out() {
    let text = rows("", "desc(name),asc(id),asc(name)", "id");
    assert!(
        text.text()
            .contains("ORDER BY \"the.item\".\"name\" DESC, \"the.item\".\"id\" LIMIT"),
        "{}",
        text.text()
    );
}

#[test]
fn postgres_numbers_its_placeholders_and_orders_nulls_explicitly() {
    let text = |filter: &str, order: &str| {
        let read = read_from(Dialect::Postgres, filter, order, "id");
        read.rows.unwrap().text().to_owned()
    };
    for (filter, order, expected) in [
        (
            "in(age,[1,2])",
            "desc(age)",
            "WHERE (\"the.item\".\"age\" IN ($1, $2)) \
             ORDER BY \"the.item\".\"age\" DESC NULLS LAST, \"the.item\".\"id\" LIMIT $3 OFFSET $4",
        ),
        (
            "like(name,\"a_%b\")",
            "asc(name)",
            "WHERE (((\"the.item\".\"name\" >= $1 AND \"the.item\".\"name\" < $2) AND \
             \"the.item\".\"name\" LIKE $3)) \
             ORDER BY \"the.item\".\"name\" NULLS FIRST, \"the.item\".\"id\" LIMIT $4 OFFSET $5",
        ),
        (
            "ilike(name,\"%B\")",
            "",
            "WHERE (lower(\"the.item\".\"name\") LIKE $1) \
             ORDER BY \"the.item\".\"id\" LIMIT $2 OFFSET $3",
        ),
    ] {
        let text = text(filter, order);
        assert!(text.ends_with(expected), "{text}");
    }
}

#[test]
fn patterns_of_postgres_escape_its_own_wildcards() {
    let read = read_from(Dialect::Postgres, "like(name,\"%a_\\\\%\")", "", "id");
    let rows = read.rows.unwrap();
    assert_eq!(rows.binds()[0].value, Value::Text("%a\\_\\%".into()));
}

#[test]
fn postgres_searches_long_texts_for_repetitive_patterns_by_a_regular_expression() {
    let dashes = "-".repeat(70);
    let read = read_from(
        Dialect::Postgres,
        &format!("and(like(name,\"%{dashes}%é.\"),ilike(name,\"A%\"))"),
        "",
        "id",
    );
    let rows = read.rows.unwrap();
    let name = "\"the.item\".\"name\"";
    let matched = |text: &str, like: u32, expression: u32| {
        format!(
            "CASE WHEN octet_length({text}) <= 8192 THEN {text} LIKE ${like} ELSE \
             convert_from(convert_to({text}, 'UTF8'), 'LATIN1') COLLATE \"C\" ~ ${expression} END"
        )
    };
    let lower = format!("lower({name})");
    let expected = format!(
        "WHERE (({} AND {}))",
        matched(name, 1, 2),
        matched(&lower, 3, 4)
    );
    assert!(rows.text().contains(&expected), "{}", rows.text());
    let values: Vec<_> = rows.binds().iter().map(|it| it.value.clone()).collect();
    let expected = [
        format!("%{dashes}%é."),
        format!("^.*{dashes}.*\u{c3}\u{a9}\\.$"),
        "a%".to_owned(),
        "^a.*$".to_owned(),
    ];
    assert_eq!(values[..4], expected.map(Value::Text));
}

#[test]
fn full_page_of_postgres_carries_its_total() {
    let read = read_from(Dialect::Postgres, "gt(id,7)", "", "id");
    let with_total = read.rows_with_total(None).unwrap();
    assert_eq!(read.matching.tables, ["persons"].map(Identifier::new));
    let snapshot =
        "concat(extract(epoch FROM pg_postmaster_start_time()), ' ', pg_current_snapshot())";
    let process = "pg_backend_pid()";
    let (count, rows) = (
        "SELECT COUNT(*) FROM \"persons\" AS \"the.item\" WHERE (\"the.item\".\"id\" > $1)",
        "SELECT \"the.item\".\"id\" FROM \"persons\" AS \"the.item\" \
         WHERE (\"the.item\".\"id\" > $1) ORDER BY \"the.item\".\"id\" LIMIT 10",
    );
    assert_eq!(
        with_total.text(),
        format!(
            "SELECT \"the.rows\".*, CASE WHEN row_number() OVER () = 10 THEN \
             CASE WHEN {snapshot} = $2 AND strpos($3, concat(' ', {process}, ' ')) > 0 THEN $4 \
             ELSE concat(({count}), CASE WHEN NOT pg_is_in_recovery() \
             THEN concat(' ', {process}, ' ', {snapshot}) END) END END \
             FROM ({rows}) AS \"the.rows\""
        )
    );
    let values = |statement: &Statement| {
        let values = statement.binds().iter().map(|it| it.value.clone());
        values.collect::<Vec<_>>()
    };
    let bound = |known: [Value; 3]| [&[Value::Integer(7)][..], &known].concat();
    let nothing = [Value::Null, Value::Null, Value::Null];
    assert_eq!(values(&with_total), bound(nothing));
    let known = ["now 7:7:", " 5 8 ", "90 8 now 7:7:"].map(str::to_owned);
    let expected = known.clone().map(Value::Text);
    let [snapshot, processes, tagged] = known;
    let known = CachedTotal {
        tagged,
        snapshot,
        processes,
    };
    assert_eq!(
        values(&read.rows_with_total(Some(&known)).unwrap()),
        bound(expected)
    );
}

#[test]
fn page_of_postgres_is_read_while_its_cached_total_is_valid() {
    let read = read_from(Dialect::Postgres, "gt(id,7)", "", "id");
    let rows = read.rows.as_ref().unwrap();
    let [tagged, snapshot, processes] = ["90 8 now 7:7:", "now 7:7:", " 5 8 "].map(str::to_owned);
    let known = CachedTotal {
        tagged,
        snapshot,
        processes,
    };
    let statement = read.rows_while(&known);
    let expected = format!(
        "SELECT \"the.rows\".* FROM ({}) AS \"the.rows\" WHERE \
         concat(extract(epoch FROM pg_postmaster_start_time()), ' ', pg_current_snapshot()) = $2 \
         AND strpos($3, concat(' ', pg_backend_pid(), ' ')) > 0",
        rows.text()
    );
    assert_eq!(statement.text(), expected);
    assert_eq!(statement.binds()[..1], *rows.binds());
    let values = statement.binds()[1..].iter().map(|it| it.value.clone());
    let expected = [known.snapshot, known.processes].map(Value::Text);
    assert_eq!(values.collect::<Vec<_>>(), expected);
}

#[test]
fn tables_that_decide_the_total_are_listed() {
    let read = read_from(
        Dialect::Postgres,
        "eq(bill_address.city,\"Oslo\")",
        "",
        "id",
    );
    let tables = ["persons", "addresses"].map(Identifier::new);
    assert_eq!(read.matching.tables, tables);
}
