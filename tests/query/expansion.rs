//! Subresources expanded by `fields`.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, every_database};
use serde_json::json;

use crate::people::{ADDRESSES, PERSONS, people};
use crate::requests::{page, refused, text};

#[derive(Debug, ApiResource)]
#[resource(name = "Book", url = "/books", version = "1.0")]
struct Book {
    id: i64,
    title: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Book", url = "/books", version = "2.0")]
struct BookTwo {
    id: i64,
    title: Option<String>,
    printed: Option<i32>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Loan",
    url = "/loans",
    version = "1.0",
    subresource(book = "book_id")
)]
struct Loan {
    id: i64,
    #[resource(references = Book)]
    book_id: Option<i64>,
}

const MAIN_STREET: &str = r#"{"id":1,"line1":"1 Main Street","line2":null,"line3":null,"line4":null,"line5":null,"line6":null,"city":"Springfield","country":"US","zip_code":null}"#;

#[apply(every_database)]
fn subresource_is_its_key_without_fields() {
    let service = people();
    assert_eq!(
        text(&service, "/api/1.0/persons/1", &[]),
        r#"{"id":1,"first_name":"Ann","last_name":"Lee","bill_address_id":1,"ship_address_id":2,"mail_address_id":null}"#
    );
}

#[apply(every_database)]
fn subresource_has_its_named_attributes_once_in_declaration_order() {
    let service = people();
    let item = r#"{"bill_address":{"id":1,"city":"Springfield","country":"US"}}"#;
    for fields in [
        "bill_address(id,city,country)",
        "bill_address(country,id,city)",
        "bill_address(city,city,id,country,id)",
        "bill_address(city),bill_address(country,id)",
        "bill_address(id,city),bill_address(city,country)",
    ] {
        assert_eq!(
            text(&service, "/api/1.0/persons/1", &[("fields", fields)]),
            item
        );
        let page = text(&service, PERSONS, &[("fields", fields), ("limit", "1")]);
        assert_eq!(page, format!(r#"{{"items":[{item}],"totalItems":6}}"#));
    }
}

#[apply(every_database)]
fn bare_subresource_has_all_its_plain_attributes() {
    let service = people();
    let item = format!(r#"{{"bill_address":{MAIN_STREET}}}"#);
    assert_eq!(text(&service, &format!("{ADDRESSES}/1"), &[]), MAIN_STREET);
    for fields in [
        "bill_address",
        "bill_address,bill_address",
        "bill_address(city),bill_address",
        "bill_address,bill_address(id)",
    ] {
        assert_eq!(
            text(&service, "/api/1.0/persons/1", &[("fields", fields)]),
            item
        );
        let page = text(&service, PERSONS, &[("fields", fields), ("limit", "1")]);
        assert_eq!(page, format!(r#"{{"items":[{item}],"totalItems":6}}"#));
    }
}

#[apply(every_database)]
fn expanded_subresources_follow_the_attributes_in_declaration_order() {
    let service = people();
    let item = r#"{"id":4,"last_name":"Lee","bill_address":{"id":3},"ship_address":{"id":1},"mail_address":{"id":3}}"#;
    for fields in [
        "id,last_name,bill_address(id),ship_address(id),mail_address(id)",
        "mail_address(id),ship_address(id),bill_address(id),last_name,id",
        "ship_address(id),last_name,mail_address(id),id,bill_address(id),last_name",
    ] {
        assert_eq!(
            text(&service, "/api/1.0/persons/4", &[("fields", fields)]),
            item
        );
        let query = [("fields", fields), ("filter", "eq(id,4)")];
        assert_eq!(
            text(&service, PERSONS, &query),
            format!(r#"{{"items":[{item}],"totalItems":1}}"#)
        );
    }
}

#[apply(every_database)]
fn null_key_expands_to_null_and_null_attributes_remain() {
    let service = people();
    assert_eq!(
        text(
            &service,
            PERSONS,
            &[("fields", "id,bill_address(city),mail_address(country)")]
        ),
        concat!(
            r#"{"items":[{"id":1,"bill_address":{"city":"Springfield"},"mail_address":null},"#,
            r#"{"id":2,"bill_address":{"city":"Shelbyville"},"mail_address":null},"#,
            r#"{"id":3,"bill_address":null,"mail_address":null},"#,
            r#"{"id":4,"bill_address":{"city":null},"mail_address":{"country":"CH"}},"#,
            r#"{"id":5,"bill_address":{"city":"Springfield"},"mail_address":null},"#,
            r#"{"id":6,"bill_address":null,"mail_address":{"country":"US"}}],"totalItems":6}"#,
        )
    );
    let query = [("fields", "bill_address,ship_address(id),mail_address")];
    assert_eq!(
        text(&service, "/api/1.0/persons/3", &query),
        r#"{"bill_address":null,"ship_address":null,"mail_address":null}"#
    );
}

#[apply(every_database)]
fn two_subresources_of_one_table_are_filtered_ordered_and_expanded_together() {
    let service = people();
    let query = [
        (
            "filter",
            r#"or(eq(bill_address.city,"Springfield"),eq(ship_address.country,"US"))"#,
        ),
        ("order", "desc(bill_address.city),asc(ship_address.city)"),
        ("fields", "id,bill_address(city),ship_address(city)"),
    ];
    let items = [
        r#"{"id":5,"bill_address":{"city":"Springfield"},"ship_address":null}"#,
        r#"{"id":1,"bill_address":{"city":"Springfield"},"ship_address":{"city":"Shelbyville"}}"#,
        r#"{"id":4,"bill_address":{"city":null},"ship_address":{"city":"Springfield"}}"#,
        r#"{"id":6,"bill_address":null,"ship_address":{"city":"Springfield"}}"#,
    ];
    let all = format!(r#"{{"items":[{}],"totalItems":4}}"#, items.join(","));
    assert_eq!(text(&service, PERSONS, &query), all);
    for (offset, item) in items.iter().enumerate() {
        let offset = offset.to_string();
        let page = [&query[..], &[("limit", "1"), ("offset", &offset)]].concat();
        let expected = format!(r#"{{"items":[{item}],"totalItems":4}}"#);
        assert_eq!(text(&service, PERSONS, &page), expected);
    }
}

#[apply(every_database)]
fn filter_and_order_do_not_change_an_expansion() {
    let service = people();
    let expanded = |more: &[(&str, &str)]| {
        let query = [
            &[("fields", "id,mail_address(line1),bill_address(line1)")],
            more,
        ]
        .concat();
        let page = page(&service, PERSONS, &query);
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .find(|item| item["id"] == 4)
            .cloned()
    };
    let item =
        json!({"id": 4, "bill_address": {"line1": "Quai 3"}, "mail_address": {"line1": "Quai 3"}});
    for more in [
        &[("order", "asc(id)")][..],
        &[("order", "desc(ship_address.city)")],
        &[("order", "asc(bill_address.line1),desc(mail_address.line1)")],
        &[("filter", r#"eq(ship_address.city,"Springfield")"#)],
        &[
            ("filter", r#"eq(mail_address.country,"CH")"#),
            ("order", "desc(bill_address.id)"),
        ],
        &[
            ("filter", "ne(bill_address.line1,null)"),
            ("order", "desc(mail_address.line1)"),
            ("limit", "1"),
        ],
    ] {
        assert_eq!(expanded(more), Some(item.clone()), "{more:?}");
    }
}

#[apply(every_database)]
fn expansion_shows_the_current_subresource() {
    let service = people();
    let city = || {
        text(
            &service,
            "/api/1.0/persons/1",
            &[("fields", "bill_address(city)")],
        )
    };
    assert_eq!(city(), r#"{"bill_address":{"city":"Springfield"}}"#);
    service.put("/api/1.0/addresses/1", &json!({"city": "Ely"}));
    assert_eq!(city(), r#"{"bill_address":{"city":"Ely"}}"#);
    service.put("/api/1.0/persons/1", &json!({"bill_address_id": null}));
    assert_eq!(city(), r#"{"bill_address":null}"#);
}

/// `latest` is the newest version of each collection, and a loan still refers to the first version of books.
#[apply(every_database)]
fn errors_name_the_version_of_what_is_expanded() {
    let service = Service::start(|database| {
        let api = Api::builder().resource::<Book>().resource::<BookTwo>();
        api.resource::<Loan>().build(database)
    });
    for (parameter, text, said) in [
        (
            "fields",
            "book(title,printed)",
            "`printed` is not an attribute of Book 1.0",
        ),
        (
            "filter",
            "eq(book.printed,1)",
            "`printed` is not an attribute of Book 1.0",
        ),
        (
            "fields",
            "id,printed",
            "`printed` is not an attribute of Loan",
        ),
    ] {
        refused(&service, "/api/latest/loans", parameter, text)
            .naming(&[said])
            .without("Loan 1.0");
    }
}
