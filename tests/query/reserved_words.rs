//! Attributes named like keywords of SQL or of the query language.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, every_database};
use serde_json::json;

use crate::requests::{filtered, ordered, refused, text};

/// A resource with attributes named like words of SQL, of the query language, and of generated
/// statements.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Word",
    url = "/words",
    version = "1.0",
    table = "group",
    subresource(page = "where")
)]
pub(crate) struct Word {
    id: i64,
    order: i64,
    select: Option<String>,
    eq: i64,
    not: Option<bool>,
    asc: i64,
    item: i64,
    subresource_0: Option<i64>,
    nullable: Option<i64>,
    trueish: Option<i64>,
    #[resource(rename = "camelCase", column = "kebab")]
    snake: Option<i64>,
    _x1: Option<i64>,
    #[resource(references = Word)]
    r#where: Option<i64>,
}

/// The collection of the words.
pub(crate) const WORDS: &str = "/api/1.0/words";

fn words() -> Service {
    let service = Service::start(|database| Api::builder().resource::<Word>().build(database));
    for body in [
        json!({"order": 1, "select": "a", "eq": 3, "not": true, "asc": 2, "item": 5, "camelCase": 8}),
        json!({"order": 2, "eq": 2, "asc": 1, "item": 5, "subresource_0": 1, "where": 1, "nullable": 4}),
        json!({"order": 3, "eq": 1, "asc": 1, "item": 6, "where": 2, "trueish": 4, "_x1": 9}),
    ] {
        service.create(WORDS, &body);
    }
    service
}

#[apply(every_database)]
fn reserved_words_can_be_filtered_by() {
    let service = words();
    for (filter, expected) in [
        ("gt(order,1)", &[2, 3][..]),
        (r#"eq(select,"a")"#, &[1]),
        ("eq(eq,2)", &[2]),
        ("not(eq(not,true))", &[2, 3]),
        ("in(asc,[1])", &[2, 3]),
        ("eq(item,6)", &[3]),
        ("eq(subresource_0,1)", &[2]),
        ("eq(nullable,4)", &[2]),
        ("eq(trueish,4)", &[3]),
        ("eq(camelCase,8)", &[1]),
        ("eq(_x1,9)", &[3]),
        ("eq(where,1)", &[2]),
        ("eq(page.eq,3)", &[2]),
        ("and(eq(page.where,1),eq(page.subresource_0,1))", &[3]),
    ] {
        assert_eq!(filtered(&service, WORDS, filter), expected, "{filter}");
    }
}

#[apply(every_database)]
fn reserved_words_can_be_ordered_by() {
    let service = words();
    assert_eq!(ordered(&service, WORDS, "desc(order)"), [3, 2, 1]);
    assert_eq!(ordered(&service, WORDS, "asc(asc),desc(eq)"), [2, 3, 1]);
    assert_eq!(
        ordered(
            &service,
            WORDS,
            "desc(item),desc(page.item),desc(page.order)"
        ),
        [3, 2, 1]
    );
    assert_eq!(ordered(&service, WORDS, "asc(page.camelCase)"), [1, 3, 2]);
}

#[apply(every_database)]
fn reserved_words_can_be_selected_and_expanded() {
    let service = words();
    let query = [
        (
            "fields",
            "where,camelCase,order,page(camelCase,select,order,where)",
        ),
        ("order", "desc(page.camelCase),asc(page.item),asc(item)"),
        ("filter", "ne(page.order,null)"),
    ];
    assert_eq!(
        text(&service, WORDS, &query),
        concat!(
            r#"{"items":[{"order":2,"camelCase":null,"where":1,"page":{"order":1,"select":"a","camelCase":8,"where":null}},"#,
            r#"{"order":3,"camelCase":null,"where":2,"page":{"order":2,"select":null,"camelCase":null,"where":1}}],"totalItems":2}"#,
        )
    );
}

#[apply(every_database)]
fn names_of_columns_tables_and_rust_fields_are_unknown() {
    let service = words();
    for name in [
        "kebab",
        "snake",
        "group",
        "rowid",
        "oid",
        "_rowid_",
        "ID",
        "Order",
        "subresource_1",
        "r",
    ] {
        refused(&service, WORDS, "filter", &format!("eq({name},1)"))
            .naming(&["column 4", &format!("`{name}` is not an attribute of Word")]);
        refused(&service, WORDS, "order", &format!("asc({name})"))
            .naming(&["column 5", &format!("`{name}`")]);
        refused(&service, WORDS, "fields", name).naming(&["column 1", &format!("`{name}`")]);
    }
    refused(&service, WORDS, "filter", "eq(item.id,1)").naming(&["`item`", "subresource"]);
    refused(&service, WORDS, "filter", "eq(group.id,1)").naming(&["`group`", "subresource"]);
}
