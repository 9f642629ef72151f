//! Messages of a validator about an item: all in one error, a line for each.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use resource_runtime::{
    Api, ApiResource, HookError, HookResult, Messages, Validator, WriteContext,
};
use resource_tests::{
    Service, apply, assert_created, assert_error, assert_no_content, every_database,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
#[resource(validator = Period)]
struct Event {
    id: i64,
    #[resource(max_length = 20)]
    title: String,
    first_day: i32,
    last_day: i32,
}

/// Calls of `validate`, in the one test that counts them.
static COUNTED: AtomicUsize = AtomicUsize::new(0);

/// Makes the test that counts run on one database after the other.
static TURN: Mutex<()> = Mutex::new(());

#[derive(Debug, Default)]
struct Period;

impl Validator<Event> for Period {
    async fn validate(
        &self,
        event: &Event,
        _: &mut WriteContext<'_, Event>,
        messages: &mut Messages<Event>,
    ) -> HookResult {
        if event.title.starts_with("counted") {
            COUNTED.fetch_add(1, Ordering::SeqCst);
        }
        if event.title.contains('!') {
            messages.about(Event::TITLE, "must not shout");
        }
        if event.first_day > event.last_day {
            messages.add("an event ends after it begins");
        }
        if event.title == "refused" {
            return Err(HookError::refused("this one not"));
        }
        if event.title == "refused by name" {
            return Err(HookError::refused_for(Event::TITLE, "is refused"));
        }
        Ok(())
    }
}

const EVENTS: &str = "/api/1.0/events";

fn events() -> Service {
    Service::start(|database| Api::builder().resource::<Event>().build(database))
}

#[apply(every_database)]
fn valid_item_is_stored() {
    let service = events();
    let body = json!({"title": "fair", "first_day": 1, "last_day": 2});
    let path = service.create(EVENTS, &body);
    assert_eq!(
        service.read(&path),
        json!({"id": 1, "title": "fair", "first_day": 1, "last_day": 2})
    );
}

#[apply(every_database)]
fn messages_are_lines_of_one_error() {
    let service = events();
    let body = json!({"title": "fair!", "first_day": 3, "last_day": 2});
    let answer = service.post(EVENTS, &body);
    assert_error(&answer, 400, 10010);
    assert_eq!(
        answer.json()["error_description"],
        "`title` must not shout\nan event ends after it begins"
    );
    assert_eq!(service.read(EVENTS)["totalItems"], 0);
}

#[apply(every_database)]
fn problem_details_point_at_the_attribute_or_the_item() {
    let service = events();
    let body = json!({"title": "fair!", "first_day": 3, "last_day": 2});
    let request = service.request("POST", EVENTS).json(body.to_string());
    let answer = request.header("accept", "application/problem+json").send();
    let problem: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(
        problem["errors"],
        json!([
            {"pointer": "/title", "message": "`title` must not shout"},
            {"pointer": "", "message": "an event ends after it begins"},
        ])
    );
}

#[apply(every_database)]
fn checks_of_the_model_come_before_the_validator() {
    let service = events();
    let body = json!({"title": "much too long for a title!", "first_day": 3, "last_day": 2});
    let answer = service.post(EVENTS, &body);
    assert_error(&answer, 400, 10010)
        .naming(&["at most 20 characters"])
        .without("shout")
        .in_lines(1);
}

#[apply(every_database)]
fn validator_is_called_only_for_valid_bodies() {
    let _turn = TURN.lock();
    COUNTED.store(0, Ordering::SeqCst);
    let service = events();
    let body = json!({"title": "counted", "first_day": 1, "last_day": 2});
    let path = assert_created(&service.post(EVENTS, &body));
    assert_no_content(&service.put(&path, &json!({"last_day": 3})));
    assert_eq!(COUNTED.load(Ordering::SeqCst), 2);
    assert_no_content(&service.put(&path, &json!({})));
    assert_error(&service.put(&path, &json!({"last_day": "x"})), 400, 10010);
    assert_error(
        &service.put("/api/1.0/events/99", &json!({"last_day": 9})),
        404,
        10001,
    );
    service.read(&path);
    service.read(EVENTS);
    assert_no_content(&service.delete(&path));
    assert_eq!(COUNTED.load(Ordering::SeqCst), 2);
}

#[apply(every_database)]
fn refusal_is_reported_like_a_message() {
    let service = events();
    for (title, expected) in [
        ("refused", "this one not"),
        ("refused by name", "`title` is refused"),
    ] {
        let body = json!({"title": title, "first_day": 1, "last_day": 2});
        let answer = service.post(EVENTS, &body);
        assert_error(&answer, 400, 10010);
        assert_eq!(answer.json()["error_description"], expected);
    }
    assert_eq!(service.read(EVENTS)["totalItems"], 0);
}
