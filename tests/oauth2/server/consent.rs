//! Consent: a decision counts once, from the consent page, in the session of its user.

use aws_lc_rs::hmac;
use resource_authorization_server::NewClient;
use resource_tests::{Answer, apply, block_on, every_database};

use super::world::{CALLBACK, Client, World, assert_refused, at_once, redirect_parameters};
use crate::signer::text;

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
fn every_decision_but_approve_is_access_denied() {
    let world = World::start();
    let client = world.web();
    for decision in ["deny", "", "Approve", "yes"] {
        let asked = world.authorize(&client, &[]);
        let back = redirect_parameters(&world.decide(&asked, decision));
        assert_eq!(back["error"], "access_denied", "{decision}");
        assert_eq!(back["state"], "the state");
        assert_page(&world.decide(&asked, "approve"), 400);
    }
}

#[apply(every_database)]
fn consent_requires_the_csrf_token_and_the_session_of_its_user() {
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
    let back = redirect_parameters(&post(&world, &request, &csrf, "approve"));
    assert!(back.contains_key("code"));
}

#[apply(every_database)]
fn consent_before_the_page_was_shown_is_refused() {
    let world = World::start();
    let client = world.web();
    world.host.log_out();
    let login = world.authorize(&client, &[]);
    let path = login.text().lines().nth(1).unwrap();
    let (_, request) = path.split_once('=').unwrap();
    world.host.log_in("ann", "session-1");
    // The CSRF token of an empty key, which an attacker could compute.
    let key = hmac::Key::new(hmac::HMAC_SHA256, &[]);
    let shown = b"session-1\0ann\0notes.read notes.write";
    let csrf = text(hmac::sign(&key, shown).as_ref());
    assert_page(&post(&world, request, &csrf, "approve"), 403);
    assert_page(&post(&world, request, "", "approve"), 403);
    let asked = world.service.get(path);
    assert_ne!(fields(&asked).1, csrf);
    assert!(redirect_parameters(&world.decide(&asked, "approve")).contains_key("code"));
}

#[apply(every_database)]
fn concurrent_consent_pages_have_the_same_csrf_token() {
    let world = World::start();
    let client = world.web();
    world.host.log_out();
    let login = world.authorize(&client, &[]);
    let path = login.text().lines().nth(1).unwrap();
    world.host.log_in("ann", "session-1");
    let asked = at_once(6, || world.service.get(path));
    assert!(asked.iter().all(|it| fields(it) == fields(&asked[0])));
    assert!(redirect_parameters(&world.decide(&asked[5], "approve")).contains_key("code"));
}

#[apply(every_database)]
fn reloaded_consent_page_has_the_same_csrf_token() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &[]);
    let (request, csrf) = fields(&asked);
    let again = world
        .service
        .get(&format!("/oauth/authorize?pending={request}"));
    assert_eq!(fields(&again), (request, csrf));
    assert!(redirect_parameters(&world.decide(&asked, "approve")).contains_key("code"));
}

#[apply(every_database)]
fn request_is_decided_once() {
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
fn malformed_or_late_decision_is_refused() {
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
fn client_disabled_during_consent_gets_no_redirect() {
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

/// Replaces the client by one with this redirect URI and these scopes.
fn change(world: &World, client: &Client, redirect_uri: &str, scopes: &[&str]) {
    let new = NewClient::confidential("Notes on the web").id(&client.id);
    let new = new.secret(client.secret.as_deref().unwrap());
    let new = new
        .redirect_uri(redirect_uri)
        .scopes(scopes.iter().copied());
    block_on(world.server.put_client(new)).unwrap();
}

const ELSEWHERE: &str = "https://app.example.com/elsewhere";

#[apply(every_database)]
fn redirect_uri_removed_during_consent_is_not_redirected_to() {
    let world = World::start();
    let client = world.web();
    let scopes = ["notes.read", "notes.write"];
    let asked = world.authorize(&client, &[]);
    let (request, _) = fields(&asked);
    let code = world.code(&client);
    change(&world, &client, ELSEWHERE, &scopes);
    for decision in ["approve", "deny"] {
        assert_page(&world.decide(&asked, decision), 400);
    }
    let path = format!("/oauth/authorize?pending={request}");
    assert_page(&world.service.get(&path), 400);
    assert_refused(&world.redeem(&client, &code), 400, "invalid_grant");
    change(&world, &client, CALLBACK, &scopes);
    assert!(redirect_parameters(&world.decide(&asked, "approve")).contains_key("code"));
    assert_eq!(world.redeem(&client, &code).status, 200);
}

#[apply(every_database)]
fn scopes_removed_during_consent_are_not_granted() {
    let world = World::start();
    let client = world.web();
    let both = [("scope", "notes.read notes.write")];
    let asked = world.authorize(&client, &both);
    let code = world.code_for(&client, &both);
    change(&world, &client, CALLBACK, &["notes.read"]);
    let tokens = world.redeem(&client, &code).ok();
    assert_eq!(tokens["scope"], "notes.read");
    // The page showed more scopes than are left, so its decision does not count.
    assert_page(&world.decide(&asked, "approve"), 403);
    let (request, _) = fields(&asked);
    let path = format!("/oauth/authorize?pending={request}");
    let asked = world.service.get(&path);
    assert_eq!(asked.text().lines().nth(3), Some("notes.read"));
    let code = redirect_parameters(&world.decide(&asked, "approve"))["code"].clone();
    change(&world, &client, CALLBACK, &["notes.admin"]);
    assert_refused(&world.redeem(&client, &code), 400, "invalid_grant");
    change(&world, &client, CALLBACK, &["notes.read"]);
    let asked = world.authorize(&client, &[("scope", "notes.read")]);
    change(&world, &client, CALLBACK, &["notes.admin"]);
    let back = redirect_parameters(&world.decide(&asked, "approve"));
    assert_eq!(back["error"], "invalid_scope");
}
