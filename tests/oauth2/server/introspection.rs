//! Introspection: the state of a token, for clients that may introspect it.

use resource_authorization_server::NewClient;
use resource_tests::{Answer, apply, block_on, every_database};
use serde_json::{Value, json};

use super::world::{
    Client, ISSUER, RESOURCE, World, assert_not_stored, assert_refused, basic, member, part,
};

fn introspect(world: &World, client: &Client, token: &str) -> Answer {
    world.ask(client, "/oauth/introspect", &[("token", token)])
}

#[track_caller]
fn introspected(world: &World, client: &Client, token: &str) -> Value {
    let answer = introspect(world, client, token);
    assert_not_stored(&answer);
    answer.ok()
}

#[apply(every_database)]
fn gateway_introspects_every_valid_token() {
    let world = World::start();
    let (client, gateway) = (world.web(), world.gateway());
    let access = member(&world.tokens(&client), "access_token");
    let (now, jti) = (world.clock.seconds(), part(&access, 1)["jti"].clone());
    let expected = json!({
        "active": true, "token_type": "Bearer", "scope": "notes.read notes.write",
        "client_id": client.id, "sub": "ann", "aud": RESOURCE, "iss": ISSUER,
        "exp": now + 600, "iat": now, "jti": jti,
    });
    assert_eq!(introspected(&world, &gateway, &access), expected);
    let machine = world.machine();
    let own = introspected(&world, &gateway, &world.own_token(&machine));
    assert_eq!(own["sub"], format!("client:{}", machine.id));
}

#[apply(every_database)]
fn invalid_tokens_are_inactive() {
    let world = World::start();
    let (client, gateway) = (world.web(), world.gateway());
    let tokens = world.tokens(&client);
    let access = member(&tokens, "access_token");
    let nothing = json!({"active": false});
    let altered = format!("{}AA", &access[..access.len() - 2]);
    for token in ["x", "a.b.c", &altered, &member(&tokens, "refresh_token")] {
        assert_eq!(introspected(&world, &gateway, token), nothing, "{token}");
    }
    assert_eq!(introspected(&world, &gateway, &access)["active"], true);
    world.ask(&client, "/oauth/revoke", &[("token", &access)]);
    assert_eq!(introspected(&world, &gateway, &access), nothing);
    let late = member(&world.tokens(&client), "access_token");
    // Active as long as the API accepts it.
    world.clock.advance(629);
    assert_eq!(introspected(&world, &gateway, &late)["active"], true);
    assert!(world.accepts(&late));
    world.clock.advance(1);
    assert_eq!(introspected(&world, &gateway, &late), nothing);
    assert!(!world.accepts(&late));
}

#[apply(every_database)]
fn other_clients_introspect_only_their_own_tokens() {
    let world = World::start();
    let client = NewClient::confidential("Curious").scopes(["notes.read"]);
    let curious = world.add(client.allow_introspection());
    let own = world.own_token(&curious);
    assert_eq!(introspected(&world, &curious, &own)["active"], true);
    let foreign = world.own_token(&world.machine());
    assert_eq!(
        introspected(&world, &curious, &foreign),
        json!({"active": false})
    );
}

#[apply(every_database)]
fn introspection_requires_permission() {
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
fn introspection_with_a_wrong_secret_is_401() {
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
fn disabled_client_may_not_introspect_and_its_tokens_are_inactive() {
    let world = World::start();
    let (machine, gateway) = (world.machine(), world.gateway());
    let token = world.own_token(&machine);
    assert_eq!(introspected(&world, &gateway, &token)["active"], true);
    block_on(world.server.disable_client(&machine.id)).unwrap();
    assert_eq!(
        introspected(&world, &gateway, &token),
        json!({"active": false})
    );
    block_on(world.server.disable_client(&gateway.id)).unwrap();
    let answer = introspect(&world, &gateway, &token);
    assert_refused(&answer, 401, "invalid_client");
}
