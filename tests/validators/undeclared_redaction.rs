//! A format hook that changes an attribute outside of `redacts` fails the request, before anything leaks.

use resource_runtime::{Api, ApiResource, Item, RequestContext, Validator};
use resource_tests::{Answer, Service, apply, every_database};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Card", url = "/cards", version = "1.0")]
#[resource(redacts(pin))]
struct Card {
    id: i64,
    number: String,
    pin: i32,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Purse", url = "/purses", version = "1.0")]
#[resource(subresource(card = "card_id"))]
struct Purse {
    id: i64,
    #[resource(references = Card)]
    card_id: Option<i64>,
}

/// A validator whose format hook changes what the struct does not declare.
#[derive(Debug, Clone, Copy)]
enum Hook {
    ClearsUndeclared,
    SetsUndeclared,
}

impl Validator<Card> for Hook {
    fn format(&self, card: &mut Item<Card>, _: &RequestContext) {
        card.clear(Card::PIN);
        match self {
            Self::ClearsUndeclared => card.clear(Card::NUMBER),
            Self::SetsUndeclared => card.set(Card::NUMBER, String::from("…")),
        }
    }
}

fn purses(hook: Hook) -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource_with::<Card>(hook)
            .resource::<Purse>()
            .build(database)
    });
    service.create(
        "/api/1.0/cards",
        &json!({"number": "4111-2222", "pin": 4711}),
    );
    service.create("/api/1.0/purses", &json!({"card_id": 1}));
    service
}

#[track_caller]
fn assert_failed(answer: &Answer) {
    assert_eq!(answer.status, 500, "{}", answer.text());
    for secret in ["4711", "4111", "pin", "number"] {
        assert!(!answer.text().contains(secret), "{}", answer.text());
    }
}

#[apply(every_database)]
fn undeclared_redaction_is_500_on_every_path_to_the_item() {
    for hook in [Hook::ClearsUndeclared, Hook::SetsUndeclared] {
        let service = purses(hook);
        for path in [
            "/api/1.0/cards/1",
            "/api/1.0/cards",
            "/api/1.0/purses/1?fields=card",
            "/api/1.0/purses?fields=card(pin)",
        ] {
            assert_failed(&service.get(path));
        }
        assert_eq!(
            service.read("/api/1.0/purses/1"),
            json!({"id": 1, "card_id": 1})
        );
    }
}
