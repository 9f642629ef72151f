//! Revocation of tokens, by their clients and by the host.

use std::time::Duration;

use resource_tests::polling::wait_for;
use resource_tests::{
    Answer, Backend, OtherProgram, TestDatabase, apply, block_on, every_database,
};
use serde_json::Value;

use super::world::{World, assert_not_stored, assert_refused, at_once, member};
use crate::clock::SetClock;

/// Asserts the response to every revocation: the same whether or not the token exists.
#[track_caller]
fn assert_done(answer: &Answer) {
    assert_eq!((answer.status, answer.text()), (200, ""));
    assert_not_stored(answer);
}

#[apply(every_database)]
fn revoking_a_refresh_token_revokes_its_grant() {
    let world = World::start();
    let client = world.browser();
    let (tokens, other) = (world.tokens(&client), world.tokens(&client));
    let (access, refresh) = (
        member(&tokens, "access_token"),
        member(&tokens, "refresh_token"),
    );
    assert!(world.accepts(&access));
    let hint = ("token_type_hint", "access_token");
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &refresh), hint]));
    assert!(!world.accepts(&access));
    assert_refused(&world.refresh(&client, &refresh), 400, "invalid_grant");
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &refresh)]));
    assert!(world.accepts(&member(&other, "access_token")));
}

#[apply(every_database)]
fn revoking_an_access_token_keeps_its_grant() {
    let world = World::start();
    let client = world.web();
    let tokens = world.tokens(&client);
    let (access, refresh) = (
        member(&tokens, "access_token"),
        member(&tokens, "refresh_token"),
    );
    let refreshed = world.refresh(&client, &refresh).ok();
    let hint = ("token_type_hint", "refresh_token");
    assert!(world.accepts(&access));
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access), hint]));
    assert!(!world.accepts(&access));
    assert!(world.accepts(&member(&refreshed, "access_token")));
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
    let (machine, hint) = (world.machine(), ("token_type_hint", "unknown"));
    let own = world.own_token(&machine);
    assert!(world.accepts(&own));
    assert_done(&world.ask(&machine, "/oauth/revoke", &[("token", &own), hint]));
    assert!(!world.accepts(&own));
}

#[apply(every_database)]
fn foreign_and_unknown_tokens_are_200_and_not_revoked() {
    let world = World::start();
    let (client, stranger) = (world.web(), world.browser());
    let tokens = world.tokens(&client);
    let (access, refresh) = (
        member(&tokens, "access_token"),
        member(&tokens, "refresh_token"),
    );
    for token in [
        &*access,
        &refresh,
        "unknown",
        "a.b.c",
        "%",
        &access[..access.len() - 2],
    ] {
        assert_done(&world.ask(&stranger, "/oauth/revoke", &[("token", token)]));
    }
    assert!(world.accepts(&access));
    assert_eq!(world.refresh(&client, &refresh).status, 200);
    world.clock.advance(700);
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
}

#[apply(every_database)]
fn malformed_revocation_is_refused() {
    let world = World::start();
    let client = world.web();
    assert_refused(
        &world.ask(&client, "/oauth/revoke", &[]),
        400,
        "invalid_request",
    );
    let empty = world.ask(&client, "/oauth/revoke", &[("token", "")]);
    assert_refused(&empty, 400, "invalid_request");
    let twice = world.ask(&client, "/oauth/revoke", &[("token", "a"), ("token", "b")]);
    assert_refused(&twice, 400, "invalid_request");
    let nobody = world.post("/oauth/revoke", &[("token", "a")]);
    assert_refused(&nobody, 401, "invalid_client");
}

#[apply(every_database)]
fn revocations_outlast_a_shortened_token_lifetime() {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let day = Duration::from_hours(24);
    let long = World::start_on(&database, &clock, |it| it.access_token_lifetime(day));
    let (client, machine, disabled) = (long.web(), long.machine(), long.machine());
    let tokens = long.tokens(&client);
    let revoked = [
        member(&tokens, "access_token"),
        long.own_token(&machine),
        long.own_token(&disabled),
    ];
    let refresh = member(&tokens, "refresh_token");
    assert_done(&long.ask(&client, "/oauth/revoke", &[("token", &refresh)]));
    assert_done(&long.ask(&machine, "/oauth/revoke", &[("token", &revoked[1])]));
    block_on(long.server.disable_client(&disabled.id)).unwrap();
    let live = long.own_token(&machine);
    clock.advance(24 * 60 * 60 - 1);
    block_on(long.server.sweep()).unwrap();
    let short = World::start_on(&database, &clock, |it| it);
    for token in &revoked {
        assert!(!long.accepts(token) && !short.accepts(token));
    }
    assert!(short.accepts(&live));
}

#[apply(every_database)]
fn revocation_tolerates_clock_skew_between_instances() {
    let (database, ahead, behind) = (TestDatabase::default(), SetClock::new(), SetClock::new());
    ahead.advance(20);
    let there = World::start_on(&database, &behind, |it| it);
    let here = World::start_on(&database, &ahead, |it| it);
    let client = here.machine();
    let early = here.own_token(&client);
    assert!(here.accepts(&early) && there.accepts(&early));
    assert_done(&there.ask(&client, "/oauth/revoke", &[("token", &early)]));
    assert!(
        !there.accepts(&early),
        "it is not issued yet, by this clock"
    );
    wait_for("the other instance to learn of it", || {
        (!here.accepts(&early)).then_some(())
    });
    // It has expired, and verifiers accept it within their leeway.
    let late = here.own_token(&client);
    ahead.advance(610);
    assert!(here.accepts(&late));
    assert_done(&here.ask(&client, "/oauth/revoke", &[("token", &late)]));
    assert!(!here.accepts(&late));
    // The clock of the revoking instance is far ahead of the verifying one.
    let last = there.own_token(&client);
    ahead.advance(60 * 60);
    assert_done(&here.ask(&client, "/oauth/revoke", &[("token", &last)]));
    wait_for("the other instance to learn of it", || {
        (!there.accepts(&last)).then_some(())
    });
}

#[apply(every_database)]
fn revoke_user_revokes_all_grants_and_codes_of_the_user() {
    let world = World::start();
    let (web, browser, machine) = (world.web(), world.browser(), world.machine());
    let (first, second) = (world.tokens(&web), world.tokens(&browser));
    let (code, own) = (world.code(&web), world.own_token(&machine));
    world.host.log_in("ben", "session-2");
    let other = world.tokens(&web);
    let access = |tokens: &Value| member(tokens, "access_token");
    assert!(world.accepts(&access(&first)) && world.accepts(&access(&second)));
    block_on(world.server.revoke_user("ann")).unwrap();
    for (client, tokens) in [(&web, &first), (&browser, &second)] {
        assert!(!world.accepts(&access(tokens)));
        let refreshed = world.refresh(client, &member(tokens, "refresh_token"));
        assert_refused(&refreshed, 400, "invalid_grant");
    }
    assert_refused(&world.redeem(&web, &code), 400, "invalid_grant");
    assert!(world.accepts(&own) && world.accepts(&access(&other)));
    let refreshed = world.refresh(&web, &member(&other, "refresh_token"));
    assert_eq!(refreshed.status, 200);
    block_on(world.server.revoke_user("nobody")).unwrap();
    world.host.log_in("ann", "session-3");
    assert!(
        world.accepts(&access(&world.tokens(&web))),
        "tokens of a new consent are valid"
    );
}

/// Locks the tables that a revocation writes, until the program is dropped.
fn lock_revocation_tables(world: &World) -> OtherProgram {
    let mut program = world.service.database().other_program();
    program.execute(match Backend::under_test() {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => {
            "BEGIN; LOCK TABLE oauth_refresh, oauth_grant, oauth_revoked_jti IN EXCLUSIVE MODE"
        }
    });
    program
}

#[apply(every_database)]
fn revocation_without_effect_writes_nothing() {
    let world = World::start();
    let (client, stranger) = (world.web(), world.browser());
    let tokens = world.tokens(&client);
    let (access, refresh) = (
        member(&tokens, "access_token"),
        member(&tokens, "refresh_token"),
    );
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
    let program = lock_revocation_tables(&world);
    for token in ["garbage", "a.b.c", &*refresh] {
        assert_done(&world.ask(&stranger, "/oauth/revoke", &[("token", token)]));
    }
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
    drop(program);
    assert_eq!(world.refresh(&client, &refresh).status, 200);
}

#[apply(every_database)]
fn local_revocation_holds_while_the_revocation_list_is_unreadable() {
    let world = World::start();
    let (web, browser, machine) = (world.web(), world.browser(), world.machine());
    let (first, second) = (world.tokens(&web), world.tokens(&browser));
    let (access, own) = (
        [&first, &second].map(|tokens| member(tokens, "access_token")),
        world.own_token(&machine),
    );
    let all = [&*access[0], &access[1], &own];
    assert!(all.iter().all(|token| world.accepts(token)));
    let mut program = world.service.database().other_program();
    program.execute("ALTER TABLE oauth_revoked_jti RENAME TO elsewhere");
    let refresh = member(&first, "refresh_token");
    assert_done(&world.ask(&web, "/oauth/revoke", &[("token", &refresh)]));
    assert!(!world.accepts(&access[0]) && world.accepts(&access[1]));
    block_on(world.server.revoke_user("ann")).unwrap();
    assert!(!world.accepts(&access[1]) && world.accepts(&own));
    block_on(world.server.disable_client(&machine.id)).unwrap();
    assert!(!world.accepts(&own));
    program.execute("ALTER TABLE elsewhere RENAME TO oauth_revoked_jti");
    let third = member(&world.tokens(&web), "access_token");
    assert_done(&world.ask(&web, "/oauth/revoke", &[("token", &third)]));
    assert!(!all.iter().any(|token| world.accepts(token)) && !world.accepts(&third));
}

#[apply(every_database)]
fn concurrent_revocations_all_take_effect() {
    let world = World::start();
    let client = world.machine();
    let revoked = at_once(20, || {
        let token = world.own_token(&client);
        assert!(world.accepts(&token));
        assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &token)]));
        !world.accepts(&token)
    });
    assert!(revoked.iter().all(|revoked| *revoked));
}
