//! The client credentials grant: tokens on behalf of the client itself.

use resource_authorization_server::NewClient;
use resource_tests::{apply, block_on, every_database};
use serde_json::json;

use super::world::{ISSUER, RESOURCE, World, assert_not_stored, assert_refused, member, part};

const OWN: (&str, &str) = ("grant_type", "client_credentials");

#[apply(every_database)]
fn client_credentials_token_has_the_required_claims() {
    let world = World::start();
    let client = world.machine();
    let answer = world.token(&client, &[OWN]);
    assert_not_stored(&answer);
    let body = answer.ok();
    let token = member(&body, "access_token");
    let expected = json!({
        "access_token": token, "token_type": "Bearer", "expires_in": 600, "scope": "notes.read",
    });
    assert_eq!(body, expected);

    let header = part(&token, 0);
    let key_set = world.service.read("/oauth/jwks");
    let kid = &key_set["keys"][0]["kid"];
    assert_eq!(header, json!({"typ": "at+jwt", "alg": "ES256", "kid": kid}));
    let now = world.clock.seconds();
    let claims = part(&token, 1);
    let expected = json!({
        "iss": ISSUER, "aud": RESOURCE, "sub": format!("client:{}", client.id),
        "client_id": client.id, "scope": "notes.read", "iat": now, "exp": now + 600,
        "jti": claims["jti"],
    });
    assert_eq!(claims, expected);

    let verified = block_on(world.verifier.verify(&token)).unwrap();
    assert_eq!(verified.subject(), None, "a client is no user");
    assert_eq!(verified.client_id(), Some(client.id.as_str()));
    let other = world.own_token(&client);
    assert_ne!(part(&other, 1)["jti"], claims["jti"]);
    world.clock.advance(631);
    assert!(!world.accepts(&token));
}

#[apply(every_database)]
fn client_may_request_only_its_scopes_and_the_resource() {
    let world = World::start();
    let client = world.machine();
    let scope = |scope: &str| world.token(&client, &[OWN, ("scope", scope)]);
    for (asked, given) in [
        ("notes.write", "notes.write"),
        ("notes.write notes.read", "notes.read notes.write"),
        ("notes.read  notes.read", "notes.read"),
        ("", "notes.read"),
    ] {
        assert_eq!(scope(asked).ok()["scope"], given, "{asked}");
    }
    for wider in [
        "notes.admin",
        "notes.read notes.admin",
        "openid",
        "NOTES.READ",
        "notes.*",
        "\"",
    ] {
        assert_refused(&scope(wider), 400, "invalid_scope");
    }
    let resource = |resource: &str| world.token(&client, &[OWN, ("resource", resource)]);
    assert_eq!(resource(RESOURCE).status, 200);
    for unknown in [
        "https://login.example.com/api/",
        "https://other.example.com",
        "x",
    ] {
        assert_refused(&resource(unknown), 400, "invalid_target");
    }
    let twice = world.token(
        &client,
        &[OWN, ("resource", RESOURCE), ("resource", RESOURCE)],
    );
    assert_refused(&twice, 400, "invalid_request");
}

#[apply(every_database)]
fn token_without_scopes_is_not_issued() {
    let world = World::start();
    let client = world.machine();
    for none in [" ", "   "] {
        let answer = world.token(&client, &[OWN, ("scope", none)]);
        assert_refused(&answer, 400, "invalid_scope");
    }
    let silent = NewClient::confidential("Silent").scopes(["notes.read"]);
    let silent = world.add(silent.default_scopes::<&str>([]));
    assert_refused(&world.token(&silent, &[OWN]), 400, "invalid_scope");
    let asked = [OWN, ("scope", "notes.read")];
    assert_eq!(world.token(&silent, &asked).status, 200);
    let gateway = world.gateway();
    assert_refused(&world.token(&gateway, &[OWN]), 400, "unauthorized_client");
}
