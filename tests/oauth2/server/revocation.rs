//! Tokens that their clients give back.

use std::time::Duration;

use resource_tests::patience::wait_for;
use resource_tests::{
    Answer, Backend, OtherProgram, TestDatabase, apply, block_on, every_database,
};
use serde_json::Value;

use super::world::{World, assert_refused, assert_unkept, at_once, member};
use crate::clock::SetClock;

/// The same for everything, so that nobody learns what there is.
#[track_caller]
fn assert_done(answer: &Answer) {
    assert_eq!((answer.status, answer.text()), (200, ""));
    assert_unkept(answer);
}

#[apply(every_database)]
fn a_refresh_token_takes_its_whole_grant_along() {
    let world = World::start();
    let client = world.browser();
    let (tokens, other) = (world.tokens(&client), world.tokens(&client));
    let (access, refresh) = (
        member(&tokens, "access_token"),
        member(&tokens, "refresh_token"),
    );
    assert!(world.takes(&access));
    let hint = ("token_type_hint", "access_token");
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &refresh), hint]));
    assert!(!world.takes(&access));
    assert_refused(&world.refresh(&client, &refresh), 400, "invalid_grant");
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &refresh)]));
    assert!(world.takes(&member(&other, "access_token")));
}

#[apply(every_database)]
fn an_access_token_goes_alone() {
    let world = World::start();
    let client = world.web();
    let tokens = world.tokens(&client);
    let (access, refresh) = (
        member(&tokens, "access_token"),
        member(&tokens, "refresh_token"),
    );
    let refreshed = world.refresh(&client, &refresh).ok();
    let hint = ("token_type_hint", "refresh_token");
    assert!(world.takes(&access));
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access), hint]));
    assert!(!world.takes(&access));
    assert!(world.takes(&member(&refreshed, "access_token")));
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
    let (machine, hint) = (world.machine(), ("token_type_hint", "unknown"));
    let own = world.own_token(&machine);
    assert!(world.takes(&own));
    assert_done(&world.ask(&machine, "/oauth/revoke", &[("token", &own), hint]));
    assert!(!world.takes(&own));
}

#[apply(every_database)]
fn what_is_not_the_clients_stays_and_is_told_the_same() {
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
    assert!(world.takes(&access));
    assert_eq!(world.refresh(&client, &refresh).status, 200);
    world.clock.advance(700);
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
}

#[apply(every_database)]
fn who_asks_wrongly_is_told() {
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
fn what_was_revoked_stays_so_when_tokens_live_shorter_from_now_on() {
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
        assert!(!long.takes(token) && !short.takes(token));
    }
    assert!(short.takes(&live));
}

#[apply(every_database)]
fn a_token_is_revoked_by_an_instance_whose_clock_differs() {
    let (database, ahead, behind) = (TestDatabase::default(), SetClock::new(), SetClock::new());
    ahead.advance(20);
    let there = World::start_on(&database, &behind, |it| it);
    let here = World::start_on(&database, &ahead, |it| it);
    let client = here.machine();
    let early = here.own_token(&client);
    assert!(here.takes(&early) && there.takes(&early));
    assert_done(&there.ask(&client, "/oauth/revoke", &[("token", &early)]));
    assert!(!there.takes(&early), "it is not issued yet, by this clock");
    wait_for("the other instance to learn of it", || {
        (!here.takes(&early)).then_some(())
    });
    // It has ended, and verifiers take it for a while.
    let late = here.own_token(&client);
    ahead.advance(610);
    assert!(here.takes(&late));
    assert_done(&here.ask(&client, "/oauth/revoke", &[("token", &late)]));
    assert!(!here.takes(&late));
    // Far ahead of those who take it.
    let last = there.own_token(&client);
    ahead.advance(60 * 60);
    assert_done(&here.ask(&client, "/oauth/revoke", &[("token", &last)]));
    wait_for("the other instance to learn of it", || {
        (!there.takes(&last)).then_some(())
    });
}

#[apply(every_database)]
fn all_that_a_user_approved_goes_at_once() {
    let world = World::start();
    let (web, browser, machine) = (world.web(), world.browser(), world.machine());
    let (first, second) = (world.tokens(&web), world.tokens(&browser));
    let (code, own) = (world.code(&web), world.own_token(&machine));
    world.host.log_in("ben", "session-2");
    let other = world.tokens(&web);
    let access = |tokens: &Value| member(tokens, "access_token");
    assert!(world.takes(&access(&first)) && world.takes(&access(&second)));
    block_on(world.server.revoke_user("ann")).unwrap();
    for (client, tokens) in [(&web, &first), (&browser, &second)] {
        assert!(!world.takes(&access(tokens)));
        let refreshed = world.refresh(client, &member(tokens, "refresh_token"));
        assert_refused(&refreshed, 400, "invalid_grant");
    }
    assert_refused(&world.redeem(&web, &code), 400, "invalid_grant");
    assert!(world.takes(&own) && world.takes(&access(&other)));
    let refreshed = world.refresh(&web, &member(&other, "refresh_token"));
    assert_eq!(refreshed.status, 200);
    block_on(world.server.revoke_user("nobody")).unwrap();
    world.host.log_in("ann", "session-3");
    assert!(
        world.takes(&access(&world.tokens(&web))),
        "who approves anew"
    );
}

/// Nobody writes what a revocation would write, until the transaction ends.
fn keep_from_writing(world: &World) -> OtherProgram {
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
fn what_revokes_nothing_writes_nothing() {
    let world = World::start();
    let (client, stranger) = (world.web(), world.browser());
    let tokens = world.tokens(&client);
    let (access, refresh) = (
        member(&tokens, "access_token"),
        member(&tokens, "refresh_token"),
    );
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
    let program = keep_from_writing(&world);
    for token in ["garbage", "a.b.c", &*refresh] {
        assert_done(&world.ask(&stranger, "/oauth/revoke", &[("token", token)]));
    }
    assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &access)]));
    drop(program);
    assert_eq!(world.refresh(&client, &refresh).status, 200);
}

#[apply(every_database)]
fn what_is_revoked_here_is_so_even_if_it_cannot_be_read_what_others_revoked() {
    let world = World::start();
    let (web, browser, machine) = (world.web(), world.browser(), world.machine());
    let (first, second) = (world.tokens(&web), world.tokens(&browser));
    let (access, own) = (
        [&first, &second].map(|tokens| member(tokens, "access_token")),
        world.own_token(&machine),
    );
    let all = [&*access[0], &access[1], &own];
    assert!(all.iter().all(|token| world.takes(token)));
    let mut program = world.service.database().other_program();
    program.execute("ALTER TABLE oauth_revoked_jti RENAME TO elsewhere");
    let refresh = member(&first, "refresh_token");
    assert_done(&world.ask(&web, "/oauth/revoke", &[("token", &refresh)]));
    assert!(!world.takes(&access[0]) && world.takes(&access[1]));
    block_on(world.server.revoke_user("ann")).unwrap();
    assert!(!world.takes(&access[1]) && world.takes(&own));
    block_on(world.server.disable_client(&machine.id)).unwrap();
    assert!(!world.takes(&own));
    program.execute("ALTER TABLE elsewhere RENAME TO oauth_revoked_jti");
    let third = member(&world.tokens(&web), "access_token");
    assert_done(&world.ask(&web, "/oauth/revoke", &[("token", &third)]));
    assert!(!all.iter().any(|token| world.takes(token)) && !world.takes(&third));
}

#[apply(every_database)]
fn many_who_revoke_at_once_each_find_it_done() {
    let world = World::start();
    let client = world.machine();
    let revoked = at_once(20, || {
        let token = world.own_token(&client);
        assert!(world.takes(&token));
        assert_done(&world.ask(&client, "/oauth/revoke", &[("token", &token)]));
        !world.takes(&token)
    });
    assert!(revoked.iter().all(|revoked| *revoked));
}
