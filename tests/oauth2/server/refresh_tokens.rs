//! Refresh tokens: rotation, replay detection, and the retry window for lost responses.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use resource_authorization_server::{GrantType, NewClient};
use resource_tests::{Answer, TestDatabase, apply, block_on, every_database};
use serde_json::Value;

use super::host::Answer as HostAnswer;
use super::world::{CALLBACK, Client, World, assert_refused, at_once, member, part};
use crate::clock::SetClock;

const DAY: u64 = 24 * 60 * 60;

fn refresh_token(body: &Value) -> String {
    member(body, "refresh_token")
}

/// A client, and the refresh token of its user.
fn begun(world: &World) -> (Client, String) {
    let client = world.browser();
    let tokens = world.tokens(&client);
    (client, refresh_token(&tokens))
}

#[track_caller]
fn assert_invalid_grant(answer: &Answer) {
    assert_refused(answer, 400, "invalid_grant");
}

#[apply(every_database)]
fn refresh_issues_new_tokens_of_the_same_grant() {
    let world = World::start();
    let client = world.web();
    let first = world.tokens(&client);
    world.clock.advance(300);
    let second = world.refresh(&client, &refresh_token(&first)).ok();
    assert_ne!(refresh_token(&first), refresh_token(&second));
    assert_eq!(second["scope"], "notes.read notes.write");
    let claims = |body: &Value| part(&member(body, "access_token"), 1);
    let (first, second) = (claims(&first), claims(&second));
    for kept in [
        "iss",
        "aud",
        "sub",
        "client_id",
        "scope",
        "auth_time",
        "gid",
    ] {
        assert_eq!(first[kept], second[kept], "{kept}");
    }
    assert_ne!(first["jti"], second["jti"]);
    assert_eq!(second["iat"], world.clock.seconds());
}

#[apply(every_database)]
fn refresh_may_narrow_scopes_but_not_widen_them() {
    let world = World::start();
    let client = world.web();
    let code = world.code_for(&client, &[("scope", "notes.read notes.write")]);
    let tokens = world.redeem(&client, &code).ok();
    let ask = |token: &str, scope: &str| {
        let token = [
            ("grant_type", "refresh_token"),
            ("refresh_token", token),
            ("scope", scope),
        ];
        world.token(&client, &token)
    };
    let first = refresh_token(&tokens);
    for wider in ["notes.admin", "notes.read notes.admin", "openid"] {
        assert_refused(&ask(&first, wider), 400, "invalid_scope");
    }
    let narrow = ask(&first, "notes.read").ok();
    assert_eq!(narrow["scope"], "notes.read");
    assert_eq!(
        part(&member(&narrow, "access_token"), 1)["scope"],
        "notes.read"
    );
    let wide = ask(&refresh_token(&narrow), "").ok();
    assert_eq!(wide["scope"], "notes.read notes.write");
}

#[apply(every_database)]
fn refresh_token_is_refused_to_another_client() {
    let world = World::start();
    let (client, token) = begun(&world);
    assert_invalid_grant(&world.refresh(&world.web(), &token));
    for unknown in ["x", &token[1..]] {
        assert_invalid_grant(&world.refresh(&client, unknown));
    }
    assert_refused(&world.refresh(&client, ""), 400, "invalid_request");
    assert_eq!(world.refresh(&client, &token).status, 200);
}

#[apply(every_database)]
fn refresh_token_has_an_idle_and_an_absolute_lifetime() {
    let world = World::start();
    let (client, token) = begun(&world);
    world.clock.advance(14 * DAY);
    assert_invalid_grant(&world.refresh(&client, &token));

    let mut token = refresh_token(&world.tokens(&client));
    for _ in 0..8 {
        world.clock.advance(11 * DAY);
        token = refresh_token(&world.refresh(&client, &token).ok());
    }
    world.clock.advance(2 * DAY - 1);
    token = refresh_token(&world.refresh(&client, &token).ok());
    world.clock.advance(1);
    assert_invalid_grant(&world.refresh(&client, &token));
}

#[apply(every_database)]
fn refresh_token_replay_revokes_the_family() {
    let world = World::start();
    let (client, first) = begun(&world);
    let second = world.refresh(&client, &first).ok();
    let access = member(&second, "access_token");
    assert!(world.accepts(&access));
    world.clock.advance(11);
    assert_invalid_grant(&world.refresh(&client, &first));
    assert_invalid_grant(&world.refresh(&client, &refresh_token(&second)));
    assert!(!world.accepts(&access));
}

#[apply(every_database)]
fn lost_response_can_be_retried_for_ten_seconds() {
    let world = World::start();
    let (client, first) = begun(&world);
    let lost = world.refresh(&client, &first).ok();
    world.clock.advance(10);
    let again = world.refresh(&client, &first).ok();
    assert_ne!(refresh_token(&lost), refresh_token(&again));
    assert!(world.accepts(&member(&again, "access_token")));
    assert_eq!(world.refresh(&client, &refresh_token(&again)).status, 200);
}

#[apply(every_database)]
fn three_retries_are_allowed_and_a_fourth_keeps_the_grant() {
    let world = World::start();
    let (client, first) = begun(&world);
    let second = world.refresh(&client, &first).ok();
    for _ in 0..3 {
        assert_eq!(world.refresh(&client, &first).status, 200);
    }
    assert_invalid_grant(&world.refresh(&client, &first));
    assert_eq!(world.refresh(&client, &refresh_token(&second)).status, 200);
}

#[apply(every_database)]
fn token_two_generations_old_revokes_the_family() {
    let world = World::start();
    let (client, first) = begun(&world);
    let second = refresh_token(&world.refresh(&client, &first).ok());
    let third = world.refresh(&client, &second).ok();
    assert_invalid_grant(&world.refresh(&client, &first));
    assert_invalid_grant(&world.refresh(&client, &refresh_token(&third)));
    assert!(!world.accepts(&member(&third, "access_token")));
}

#[apply(every_database)]
fn retry_window_excludes_other_clients() {
    let world = World::start();
    let (client, first) = begun(&world);
    let second = world.refresh(&client, &first).ok();
    assert_invalid_grant(&world.refresh(&world.web(), &first));
    assert_eq!(world.refresh(&client, &refresh_token(&second)).status, 200);
}

#[apply(every_database)]
fn any_replay_revokes_the_family_without_a_retry_window() {
    let world = World::start_with(|settings| settings.retry_window(Duration::ZERO, 3));
    let (client, first) = begun(&world);
    let second = world.refresh(&client, &first).ok();
    assert_invalid_grant(&world.refresh(&client, &first));
    assert_invalid_grant(&world.refresh(&client, &refresh_token(&second)));
}

#[apply(every_database)]
fn concurrent_refreshes_succeed_four_times_and_keep_the_grant() {
    let world = World::start();
    let (client, first) = begun(&world);
    let answers = at_once(20, || world.refresh(&client, &first));
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|it| it.status == 200);
    assert_eq!((won.len(), lost.len()), (4, 16));
    for answer in lost {
        assert_invalid_grant(answer);
    }
    let next = world.refresh(&client, &refresh_token(&won[0].ok()));
    assert_eq!(next.status, 200, "nothing was revoked");
}

#[apply(every_database)]
fn concurrent_refreshes_without_a_retry_window_revoke_the_grant() {
    let world = World::start_with(|settings| settings.retry_window(Duration::ZERO, 0));
    let (client, first) = begun(&world);
    let answers = at_once(20, || world.refresh(&client, &first));
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|it| it.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 19));
    for answer in lost {
        assert_invalid_grant(answer);
    }
    assert_invalid_grant(&world.refresh(&client, &refresh_token(&won[0].ok())));
}

#[apply(every_database)]
fn unused_sibling_is_a_replay_after_the_retry_window() {
    let world = World::start();
    let (client, first) = begun(&world);
    let one = refresh_token(&world.refresh(&client, &first).ok());
    world.clock.advance(9);
    let other = refresh_token(&world.refresh(&client, &first).ok());
    let next = world.refresh(&client, &one).ok();
    world.clock.advance(11);
    assert_invalid_grant(&world.refresh(&client, &other));
    assert_invalid_grant(&world.refresh(&client, &refresh_token(&next)));
    assert!(!world.accepts(&member(&next, "access_token")));

    // Either sibling continues, as long as the other is not used.
    let (client, first) = begun(&world);
    let _lost = world.refresh(&client, &first).ok();
    let kept = refresh_token(&world.refresh(&client, &first).ok());
    world.clock.advance(DAY);
    assert_eq!(world.refresh(&client, &kept).status, 200);
}

#[apply(every_database)]
fn replay_revokes_the_family_despite_other_errors_of_the_request() {
    let world = World::start();
    let (client, first) = begun(&world);
    let mut live = refresh_token(&world.refresh(&client, &first).ok());
    world.clock.advance(13 * DAY);
    live = refresh_token(&world.refresh(&client, &live).ok());
    // The replayed token itself has expired.
    world.clock.advance(DAY + 1);
    assert_invalid_grant(&world.refresh(&client, &first));
    assert_invalid_grant(&world.refresh(&client, &live));

    let (client, first) = begun(&world);
    let live = refresh_token(&world.refresh(&client, &first).ok());
    world.clock.advance(11);
    let wider = [
        ("grant_type", "refresh_token"),
        ("refresh_token", &*first),
        ("scope", "notes.admin"),
    ];
    assert_invalid_grant(&world.token(&client, &wider));
    assert_invalid_grant(&world.refresh(&client, &live));
}

#[apply(every_database)]
fn refresh_is_limited_to_the_current_scopes_of_the_client() {
    let world = World::start();
    let put = |scopes: &[&str]| {
        let new = NewClient::public("Notes")
            .id("notes")
            .redirect_uri(CALLBACK);
        let added = block_on(world.server.put_client(new.scopes(scopes.iter().copied())));
        let id = added.unwrap().id().to_owned();
        Client { id, secret: None }
    };
    let client = put(&["notes.read", "notes.write"]);
    let first = refresh_token(&world.tokens(&client));
    put(&["notes.read"]);
    let fewer = world.refresh(&client, &first).ok();
    assert_eq!(fewer["scope"], "notes.read");
    let second = refresh_token(&fewer);
    let asked = [
        ("grant_type", "refresh_token"),
        ("refresh_token", &*second),
        ("scope", "notes.write"),
    ];
    assert_refused(&world.token(&client, &asked), 400, "invalid_scope");
    put(&["notes.admin"]);
    assert_refused(&world.refresh(&client, &second), 400, "invalid_scope");
    put(&["notes.read", "notes.write"]);
    let again = world.refresh(&client, &second).ok();
    assert_eq!(again["scope"], "notes.read notes.write");
}

#[apply(every_database)]
fn grant_for_another_resource_is_not_refreshed() {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let former = World::start_on(&database, &clock, |it| {
        it.resource("https://old.example.com")
    });
    let (client, token) = begun(&former);
    let world = World::start_on(&database, &clock, |it| it);
    assert_invalid_grant(&world.refresh(&client, &token));
    assert_eq!(former.refresh(&client, &token).status, 200);
}

#[apply(every_database)]
fn host_may_end_a_grant_on_refresh() {
    let world = World::start();
    let (client, first) = begun(&world);
    for unwell in [HostAnswer::Fails, HostAnswer::Panics] {
        world.host.later(unwell);
        assert_refused(&world.refresh(&client, &first), 500, "server_error");
    }
    // A failure of the host does not consume the token, even beyond the retry window.
    world.clock.advance(60);
    world.host.later(HostAnswer::Grants);
    let second = world.refresh(&client, &first).ok();
    let access = member(&second, "access_token");
    assert!(world.accepts(&access));
    world.host.later(HostAnswer::Denies);
    assert_invalid_grant(&world.refresh(&client, &refresh_token(&second)));
    assert!(!world.accepts(&access));
    world.host.later(HostAnswer::Grants);
    assert_invalid_grant(&world.refresh(&client, &refresh_token(&second)));
}

#[apply(every_database)]
fn client_without_the_refresh_grant_gets_no_refresh_token() {
    let world = World::start();
    let once = NewClient::confidential("Once").redirect_uri(CALLBACK);
    let once = once.grant_types([GrantType::AuthorizationCode]);
    let client = world.add(once.scopes(["notes.read"]));
    let tokens = world.tokens(&client);
    assert!(tokens.get("refresh_token").is_none(), "{tokens}");
    assert!(world.accepts(&member(&tokens, "access_token")));
}

#[apply(every_database)]
fn concurrent_revocation_and_refresh_leave_no_valid_token() {
    let world = World::start();
    for _ in 0..5 {
        let (client, first) = begun(&world);
        let turn = AtomicUsize::new(0);
        let answers = at_once(12, || {
            if turn.fetch_add(1, Ordering::Relaxed) % 4 == 3 {
                world.ask(&client, "/oauth/revoke", &[("token", &first)])
            } else {
                world.refresh(&client, &first)
            }
        });
        for answer in answers.iter().filter(|answer| answer.status == 200) {
            if !answer.text().is_empty() {
                let body = answer.json();
                assert!(!world.accepts(&member(&body, "access_token")));
                assert_invalid_grant(&world.refresh(&client, &refresh_token(&body)));
            }
        }
        let others = answers.iter().filter(|answer| answer.status != 200);
        others.for_each(assert_invalid_grant);
    }
}
