//! The answer of a user: only their own, from the page that asked, once.

use resource_tests::{Answer, apply, block_on, every_database};

use super::world::{World, at_once, sent_back};

fn fields(asked: &Answer) -> (String, String) {
    let line = asked.text().lines().nth(1).unwrap();
    let (request, csrf) = line.split_once('&').unwrap();
    let value = |pair: &str| pair.split_once('=').unwrap().1.to_owned();
    (value(request), value(csrf))
}

fn post(world: &World, request: &str, csrf: &str, decision: &str) -> Answer {
    let parameters = [("pending", request), ("csrf", csrf), ("decision", decision)];
    world.post("/oauth/authorize", &parameters)
}

#[track_caller]
fn assert_page(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("location"), None);
    assert_eq!(answer.header("x-frame-options"), Some("DENY"));
}

#[apply(every_database)]
fn a_user_may_say_no_and_silence_is_no() {
    let world = World::start();
    let client = world.web();
    for decision in ["deny", "", "Approve", "yes"] {
        let asked = world.authorize(&client, &[]);
        let back = sent_back(&world.decide(&asked, decision));
        assert_eq!(back["error"], "access_denied", "{decision}");
        assert_eq!(back["state"], "the state");
        assert_page(&world.decide(&asked, "approve"), 400);
    }
}

#[apply(every_database)]
fn consent_counts_only_from_the_page_in_the_session_of_the_user_who_was_asked() {
    let world = World::start();
    let client = world.web();
    let (request, csrf) = fields(&world.authorize(&client, &[]));
    let (_, other) = fields(&world.authorize(&client, &[]));
    for forged in ["", "x", &other, &csrf[1..], &csrf.to_lowercase()] {
        assert_page(&post(&world, &request, forged, "approve"), 403);
    }
    for (subject, session) in [("ann", "session-2"), ("bob", "session-1")] {
        world.host.log_in(subject, session);
        assert_page(&post(&world, &request, &csrf, "approve"), 403);
        assert_page(&post(&world, &request, &csrf, "deny"), 403);
    }
    world.host.log_out();
    assert!(
        post(&world, &request, &csrf, "approve")
            .text()
            .starts_with("login")
    );
    world.host.log_in("ann", "session-1");
    let back = sent_back(&post(&world, &request, &csrf, "approve"));
    assert!(back.contains_key("code"));
}

#[apply(every_database)]
fn a_page_that_is_loaded_again_asks_the_same() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &[]);
    let (request, csrf) = fields(&asked);
    let again = world
        .service
        .get(&format!("/oauth/authorize?pending={request}"));
    assert_eq!(fields(&again), (request, csrf));
    assert!(sent_back(&world.decide(&asked, "approve")).contains_key("code"));
}

#[apply(every_database)]
fn a_request_is_answered_once() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &[]);
    let answers = at_once(8, || world.decide(&asked, "approve"));
    let (sent, stopped): (Vec<_>, Vec<_>) = answers.iter().partition(|it| it.status == 303);
    assert_eq!((sent.len(), stopped.len()), (1, 7));
    for page in stopped {
        assert_page(page, 400);
    }
}

#[apply(every_database)]
fn an_answer_that_is_none_is_stopped() {
    let world = World::start();
    let client = world.web();
    let (request, csrf) = fields(&world.authorize(&client, &[]));
    assert_page(&post(&world, "", &csrf, "approve"), 400);
    assert_page(&post(&world, &"A".repeat(43), &csrf, "approve"), 400);
    let twice = [("pending", &*request), ("csrf", &csrf), ("csrf", &csrf)];
    assert_page(&world.post("/oauth/authorize", &twice), 403);
    let json = world.service.request("POST", "/oauth/authorize").json("{}");
    assert_page(&json.send(), 403);
    world.clock.advance(600);
    assert_page(&post(&world, &request, &csrf, "approve"), 400);
}

#[apply(every_database)]
fn a_client_that_is_disabled_meanwhile_gets_no_answer() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &[]);
    block_on(world.server.disable_client(&client.id)).unwrap();
    for decision in ["approve", "deny"] {
        assert_page(&world.decide(&asked, decision), 400);
    }
    let mut program = world.service.database().other_program();
    let codes = "SELECT CAST(COUNT(*) AS TEXT) FROM oauth_code";
    assert_eq!(program.text(codes), "0");
}
