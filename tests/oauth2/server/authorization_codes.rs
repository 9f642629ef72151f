//! Authorization codes: single use, bound to their client, redirect URI and PKCE verifier.

use resource_authorization_server::{NewClient, RateLimits};
use resource_tests::{apply, block_on, every_database};
use serde_json::json;

use super::host::LOGGED_IN;
use super::world::{
    CALLBACK, Client, ISSUER, RESOURCE, VERIFIER, World, assert_not_stored, assert_refused,
    at_once, basic, member, part,
};

fn with<'a>(code: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut parameters = vec![("grant_type", "authorization_code"), ("code", code)];
    parameters.extend_from_slice(more);
    parameters
}

#[apply(every_database)]
fn code_is_exchanged_for_tokens_of_the_consenting_user() {
    let world = World::start();
    for client in [world.web(), world.browser()] {
        let code = world.code_for(&client, &[("scope", "notes.read")]);
        let answer = world.redeem(&client, &code);
        assert_not_stored(&answer);
        let body = answer.ok();
        let (access, refresh) = (
            member(&body, "access_token"),
            member(&body, "refresh_token"),
        );
        let expected = json!({
            "access_token": access, "refresh_token": refresh, "token_type": "Bearer",
            "expires_in": 600, "scope": "notes.read",
        });
        assert_eq!((body, refresh.len()), (expected, 43));
        let (now, claims) = (world.clock.seconds(), part(&access, 1));
        let expected = json!({
            "iss": ISSUER, "aud": RESOURCE, "sub": "ann", "client_id": client.id,
            "scope": "notes.read", "iat": now, "exp": now + 600, "auth_time": LOGGED_IN,
            "jti": claims["jti"], "gid": claims["gid"],
        });
        assert_eq!(claims, expected);
        assert!(world.accepts(&access));
    }
}

#[apply(every_database)]
fn redirect_uri_sent_with_the_code_must_match() {
    let world = World::start();
    let client = world.web();
    let verifier = ("code_verifier", VERIFIER);
    let code = world.code(&client);
    for other in ["https://app.example.com/", "https://evil.example/cb"] {
        let parameters = with(&code, &[verifier, ("redirect_uri", other)]);
        assert_refused(&world.token(&client, &parameters), 400, "invalid_grant");
    }
    let parameters = with(&code, &[verifier, ("redirect_uri", CALLBACK)]);
    assert_eq!(world.token(&client, &parameters).status, 200);
}

#[apply(every_database)]
fn missing_or_malformed_verifier_does_not_consume_the_code() {
    let world = World::start();
    let client = world.browser();
    let code = world.code(&client);
    for verifier in [
        "",
        "short",
        &"v".repeat(42),
        &"v".repeat(129),
        &format!("{}+", "v".repeat(43)),
    ] {
        let parameters = with(&code, &[("code_verifier", verifier)]);
        assert_refused(&world.token(&client, &parameters), 400, "invalid_request");
    }
    let without = [
        ("grant_type", "authorization_code"),
        ("code_verifier", VERIFIER),
    ];
    assert_refused(&world.token(&client, &without), 400, "invalid_request");
    assert_eq!(world.redeem(&client, &code).status, 200);
}

#[apply(every_database)]
fn wrong_verifier_consumes_the_code() {
    let world = World::start();
    let client = world.browser();
    let code = world.code(&client);
    let wrong = with(
        &code,
        &[(
            "code_verifier",
            "wrong-wrong-wrong-wrong-wrong-wrong-wrong-wrong",
        )],
    );
    assert_refused(&world.token(&client, &wrong), 400, "invalid_grant");
    assert_refused(&world.redeem(&client, &code), 400, "invalid_grant");
}

#[apply(every_database)]
fn code_expires_after_a_minute() {
    let world = World::start();
    let client = world.web();
    let (early, late) = (world.code(&client), world.code(&client));
    world.clock.advance(59);
    assert_eq!(world.redeem(&client, &early).status, 200);
    world.clock.advance(1);
    assert_refused(&world.redeem(&client, &late), 400, "invalid_grant");
}

#[apply(every_database)]
fn code_is_refused_to_another_client() {
    let world = World::start();
    let (client, other) = (world.web(), world.browser());
    let code = world.code(&client);
    assert_refused(&world.redeem(&other, &code), 400, "invalid_grant");
    let public = Client {
        secret: None,
        ..client.clone()
    };
    assert_refused(&world.redeem(&public, &code), 401, "invalid_client");
    for unknown in ["x", &code[1..], &code.to_lowercase(), "%00"] {
        assert_refused(&world.redeem(&client, unknown), 400, "invalid_grant");
    }
    // None of these attempts consumed the code.
    let header = basic(&client.id, client.secret.as_deref().unwrap());
    let parameters = with(&code, &[("code_verifier", VERIFIER)]);
    let answer = world.post_with("/oauth/token", &[("authorization", &header)], &parameters);
    assert_eq!(answer.status, 200);
}

#[apply(every_database)]
fn code_replay_revokes_the_issued_tokens() {
    let world = World::start();
    let client = world.web();
    let (code, other) = (world.code(&client), world.tokens(&client));
    let tokens = world.redeem(&client, &code).ok();
    let access = member(&tokens, "access_token");
    assert!(world.accepts(&access));
    // Detected even after the code has expired.
    world.clock.advance(120);
    assert_refused(&world.redeem(&client, &code), 400, "invalid_grant");
    assert!(!world.accepts(&access));
    let refreshed = world.refresh(&client, &member(&tokens, "refresh_token"));
    assert_refused(&refreshed, 400, "invalid_grant");
    assert!(
        world.accepts(&member(&other, "access_token")),
        "another grant is as it was"
    );
}

#[apply(every_database)]
fn concurrent_redemptions_of_a_code_succeed_once() {
    let world = World::start();
    let client = world.web();
    let code = world.code(&client);
    let answers = at_once(20, || world.redeem(&client, &code));
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|it| it.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 19));
    for answer in lost {
        assert_refused(answer, 400, "invalid_grant");
    }
    // The losing requests are replays, which revoke the tokens of the winner.
    assert!(!world.accepts(&member(&won[0].ok(), "access_token")));
}

#[apply(every_database)]
fn cors_allows_only_the_origins_of_the_client() {
    let world = World::start();
    let client = world.browser();
    for (origin, allowed) in [
        ("https://app.example.com", Some("https://app.example.com")),
        ("https://evil.example", None),
        ("http://app.example.com", None),
        ("null", None),
    ] {
        let code = world.code(&client);
        let parameters = with(
            &code,
            &[("client_id", &client.id), ("code_verifier", VERIFIER)],
        );
        let answer = world.post_with("/oauth/token", &[("origin", origin)], &parameters);
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            allowed,
            "{origin}"
        );
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        assert_eq!(answer.header("vary"), Some("Accept, Origin"));
    }
}

#[apply(every_database)]
fn code_replay_is_detected_while_the_grant_lives() {
    let world = World::start();
    let client = world.browser();
    let code = world.code(&client);
    let mut token = member(&world.redeem(&client, &code).ok(), "refresh_token");
    for _ in 0..6 {
        world.clock.advance(13 * 24 * 60 * 60);
        token = member(&world.refresh(&client, &token).ok(), "refresh_token");
    }
    block_on(world.server.sweep()).unwrap();
    assert_refused(&world.redeem(&client, &code), 400, "invalid_grant");
    assert_refused(&world.refresh(&client, &token), 400, "invalid_grant");
}

#[apply(every_database)]
fn cors_covers_error_responses() {
    let limits = RateLimits::new().per_minute_and_client(3);
    let world = World::start_with(|it| it.rate_limits(limits));
    let (client, secretive) = (world.browser(), world.web());
    let id = ("client_id", &*client.id);
    let refresh = [
        ("grant_type", "refresh_token"),
        ("refresh_token", "unknown"),
    ];
    let known = [&[id], &refresh[..]].concat();
    let none = [&[("client_id", "unknown")], &refresh[..]].concat();
    let own = [&[("client_id", &*secretive.id)], &refresh[..]].concat();
    let repeated = [id, ("grant_type", "a"), ("grant_type", "b")];
    let with_secret = [id, ("client_secret", "x")];
    let origin = [("origin", "https://app.example.com")];
    let ask = |path: &str, parameters: &[_], status: u16, readable: bool| {
        let answer = world.post_with(path, &origin, parameters);
        assert_eq!(answer.status, status, "{}", answer.text());
        let allowed = answer.header("access-control-allow-origin");
        assert_eq!(allowed, readable.then_some(origin[0].1));
        assert_eq!(answer.header("vary"), Some("Accept, Origin"));
    };
    let token = "/oauth/token";
    ask(token, &known, 400, true);
    ask(token, &repeated, 400, true);
    ask(token, &with_secret, 401, true);
    ask(token, &none, 401, false);
    ask(token, &own, 401, false);
    ask("/oauth/revoke", &[id, ("token", "x")], 200, true);
    ask("/oauth/revoke", &[id], 400, true);
    ask(token, &known, 400, true);
    ask(token, &known, 400, true);
    ask(token, &known, 429, true);
    let plain = world.post(token, &known);
    assert_eq!(plain.header("vary"), Some("Accept, Origin"));
}

#[apply(every_database)]
fn cors_origin_is_normalised() {
    let world = World::start();
    let new = NewClient::public("Loud").redirect_uri("https://App.Example.com:443/cb");
    let client = world.add(new.scopes(["notes.read"]));
    let parameters = [("client_id", &*client.id), ("token", "x")];
    let origin = [("origin", "https://app.example.com")];
    let answer = world.post_with("/oauth/revoke", &origin, &parameters);
    let allowed = answer.header("access-control-allow-origin");
    assert_eq!(allowed, Some("https://app.example.com"));
}
