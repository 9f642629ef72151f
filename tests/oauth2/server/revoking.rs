//! Tokens that their clients give back.

use resource_tests::{Answer, apply, every_database};

use super::world::{World, assert_refused, assert_unkept, member};

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
    assert_eq!(world.service.get("/oauth/revoke").status, 405);
}
