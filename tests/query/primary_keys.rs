//! Primary keys that are not named `id`, in orders, joins and filters.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, every_database};
use serde_json::json;

use crate::requests::{refused, text};
use crate::reserved_words::{WORDS, Word};

/// A resource whose primary key is not named `id`, with an attribute that clients cannot write.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Ticket",
    url = "/tickets",
    version = "1.0",
    subresource(word = "word_number", last = "last_number")
)]
struct Ticket {
    title: String,
    #[resource(primary_key, column = "no")]
    number: i64,
    #[resource(read_only, default = "open")]
    state: String,
    #[resource(references = Word)]
    word_number: Option<i64>,
    #[resource(references = Ticket)]
    last_number: Option<i64>,
}

#[apply(every_database)]
fn primary_key_of_another_name_works_in_queries() {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Word>()
            .resource::<Ticket>()
            .build(database)
    });
    let tickets = "/api/1.0/tickets";
    service.create(WORDS, &json!({"order": 1, "eq": 3, "asc": 2, "item": 5}));
    service.create(tickets, &json!({"title": "a", "word_number": 1}));
    service.create(tickets, &json!({"title": "a", "last_number": 1}));
    service.create(tickets, &json!({"title": "b", "last_number": 2}));
    let numbers = |parameters: &[(&str, &str)]| {
        text(
            &service,
            tickets,
            &[parameters, &[("fields", "number")]].concat(),
        )
    };
    let page = |numbers: &[i64]| {
        let items: Vec<String> = numbers
            .iter()
            .map(|number| format!(r#"{{"number":{number}}}"#))
            .collect();
        format!(
            r#"{{"items":[{}],"totalItems":{}}}"#,
            items.join(","),
            items.len()
        )
    };
    assert_eq!(numbers(&[]), page(&[1, 2, 3]));
    assert_eq!(numbers(&[("order", "desc(title)")]), page(&[3, 1, 2]));
    assert_eq!(numbers(&[("order", "asc(last.title)")]), page(&[1, 2, 3]));
    assert_eq!(numbers(&[("filter", "gt(number,1)")]), page(&[2, 3]));
    assert_eq!(
        numbers(&[("filter", "in(last.number,[2,null])")]),
        page(&[1, 3])
    );
    assert_eq!(
        numbers(&[("filter", "and(eq(word.eq,3),eq(state,\"open\"))")]),
        page(&[1])
    );
    let query = [
        ("fields", "state,last(number,title),word(id)"),
        ("limit", "2"),
        ("order", "asc(last.number)"),
    ];
    assert_eq!(
        text(&service, tickets, &query),
        concat!(
            r#"{"items":[{"state":"open","word":{"id":1},"last":null},"#,
            r#"{"state":"open","word":null,"last":{"title":"a","number":1}}],"totalItems":3}"#,
        )
    );
    refused(&service, tickets, "filter", "eq(id,1)").naming(&["`id`"]);
    refused(&service, tickets, "filter", "eq(no,1)").naming(&["`no`"]);
}
