//! Introspection: the state of a token, told to the clients that it concerns.

use resource_authorization_server::NewClient;
use resource_tests::{Answer, apply, block_on, every_database};
use serde_json::{Value, json};

use super::world::{
    Client, ISSUER, RESOURCE, World, assert_refused, assert_unkept, basic, member, part,
};

fn introspect(world: &World, client: &Client, token: &str) -> Answer {
    world.ask(client, "/oauth/introspect", &[("token", token)])
}

#[track_caller]
fn told(world: &World, client: &Client, token: &str) -> Value {
    let answer = introspect(world, client, token);
    assert_unkept(&answer);
    answer.ok()
}

#[apply(every_database)]
fn the_gateway_is_told_of_every_good_token() {
    let world = World::start();
    let (client, gateway) = (world.web(), world.gateway());
    let access = member(&world.tokens(&client), "access_token");
    let (now, jti) = (world.clock.seconds(), part(&access, 1)["jti"].clone());
    let expected = json!({
        "active": true, "token_type": "Bearer", "scope": "notes.read notes.write",
        "client_id": client.id, "sub": "ann", "aud": RESOURCE, "iss": ISSUER,
        "exp": now + 600, "iat": now, "jti": jti,
    });
    assert_eq!(told(&world, &gateway, &access), expected);
    let machine = world.machine();
    let own = told(&world, &gateway, &world.own_token(&machine));
    assert_eq!(own["sub"], format!("client:{}", machine.id));
}

#[apply(every_database)]
fn of_all_else_it_is_told_that_it_is_not_active() {
    let world = World::start();
    let (client, gateway) = (world.web(), world.gateway());
    let tokens = world.tokens(&client);
    let access = member(&tokens, "access_token");
    let nothing = json!({"active": false});
    let altered = format!("{}AA", &access[..access.len() - 2]);
    for token in ["x", "a.b.c", &altered, &member(&tokens, "refresh_token")] {
        assert_eq!(told(&world, &gateway, token), nothing, "{token}");
    }
    assert_eq!(told(&world, &gateway, &access)["active"], true);
    world.ask(&client, "/oauth/revoke", &[("token", &access)]);
    assert_eq!(told(&world, &gateway, &access), nothing);
    let late = member(&world.tokens(&client), "access_token");
    // As long as the API takes it.
    world.clock.advance(629);
    assert_eq!(told(&world, &gateway, &late)["active"], true);
    assert!(world.takes(&late));
    world.clock.advance(1);
    assert_eq!(told(&world, &gateway, &late), nothing);
    assert!(!world.takes(&late));
}

#[apply(every_database)]
fn others_are_told_of_their_own_tokens() {
    let world = World::start();
    let client = NewClient::confidential("Curious").scopes(["notes.read"]);
    let curious = world.add(client.can_introspect());
    let own = world.own_token(&curious);
    assert_eq!(told(&world, &curious, &own)["active"], true);
    let foreign = world.own_token(&world.machine());
    assert_eq!(told(&world, &curious, &foreign), json!({"active": false}));
}

#[apply(every_database)]
fn only_those_may_ask_who_were_permitted() {
    let world = World::start();
    let machine = world.machine();
    let token = world.own_token(&machine);
    assert_refused(
        &introspect(&world, &machine, &token),
        400,
        "unauthorized_client",
    );
    assert_refused(
        &introspect(&world, &world.browser(), &token),
        401,
        "invalid_client",
    );
    let nobody = world.post("/oauth/introspect", &[("token", &token)]);
    assert_refused(&nobody, 401, "invalid_client");
    assert_refused(
        &introspect(&world, &world.gateway(), ""),
        400,
        "invalid_request",
    );
}

#[apply(every_database)]
fn who_fails_to_prove_to_be_the_gateway_is_told_nothing() {
    let world = World::start();
    let (machine, gateway) = (world.machine(), world.gateway());
    let token = world.own_token(&machine);
    let wrong = Client {
        secret: Some("w".repeat(43)),
        ..gateway.clone()
    };
    let answer = introspect(&world, &wrong, &token);
    assert_refused(&answer, 401, "invalid_client");
    assert_eq!(answer.header("www-authenticate"), None);
    let header = basic(&gateway.id, &"w".repeat(43));
    let headers = [("authorization", &*header)];
    let answer = world.post_with("/oauth/introspect", &headers, &[("token", &token)]);
    assert_refused(&answer, 401, "invalid_client");
    let challenge = answer.header("www-authenticate");
    assert_eq!(challenge, Some("Basic realm=\"oauth\""));
}

#[apply(every_database)]
fn the_tokens_of_a_disabled_client_are_not_active_and_it_may_not_ask() {
    let world = World::start();
    let (machine, gateway) = (world.machine(), world.gateway());
    let token = world.own_token(&machine);
    assert_eq!(told(&world, &gateway, &token)["active"], true);
    block_on(world.server.disable_client(&machine.id)).unwrap();
    assert_eq!(told(&world, &gateway, &token), json!({"active": false}));
    block_on(world.server.disable_client(&gateway.id)).unwrap();
    let answer = introspect(&world, &gateway, &token);
    assert_refused(&answer, 401, "invalid_client");
}
