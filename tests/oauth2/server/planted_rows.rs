//! An attacker with write access to the database: sealed keys do not protect rows of codes, tokens and clients.

use resource_tests::{apply, block_on, every_database};

use super::world::{CALLBACK, VERIFIER, World, assert_refused, challenge, member, part};

const CODE: &str = "a-code-that-an-intruder-made-up-aaaaaaaaaaa";
const REFRESH: &str = "a-token-that-an-intruder-made-up-aaaaaaaaaa";
const SECRET: &str = "a-secret-that-an-intruder-made-up-aaaaaaaaa";

const ISSUING: &str =
    include_str!("../../../extensions/resource-authorization-server/docs/issuing.md");
const THREATS: &str =
    include_str!("../../../extensions/resource-authorization-server/docs/threats.md");

#[test]
fn guide_names_the_limits_of_sealed_keys() {
    let threats = THREATS
        .lines()
        .filter(|line| line.starts_with("| Somebody writes to the database |"));
    let named = |row: &str| row.contains("planted_rows.rs::planted_rows_yield_tokens");
    assert_eq!(threats.filter(|row| named(row)).count(), 1);
    assert!(ISSUING.contains("**Sealing protects the keys, and nothing else**"));
}

#[apply(every_database)]
fn planted_rows_yield_tokens_until_they_are_revoked() {
    let world = World::start();
    let kids = || world.service.read("/oauth/jwks");
    let before = kids();
    let browser = world.browser();
    let mut program = world.service.database().other_program();
    let later = world.clock.seconds() + 60;
    // Codes and verifiers have the same kind of digest.
    let (code_hash, refresh_hash) = (challenge(CODE), challenge(REFRESH));
    let (secret_hash, challenge) = (challenge(SECRET), challenge(VERIFIER));
    program.execute(&format!(
        "INSERT INTO oauth_code (code_hash, grant_id, client_id, subject, redirect_uri, scope, \
         resource, challenge, auth_time, expires_at, kept_until) \
         SELECT '{code_hash}', 'planted', id, 'eve', '{CALLBACK}', 'notes.read', \
         'https://login.example.com/api', '{challenge}', 0, {later}, {later} FROM oauth_client; \
         INSERT INTO oauth_grant (id, client_id, subject, scope, resource, auth_time, created_at, \
         expires_at) SELECT 'granted', id, 'eve', 'notes.read', 'https://login.example.com/api', 0, 0, \
         {later} FROM oauth_client; \
         INSERT INTO oauth_refresh (token_hash, grant_id, client_id, issued_at, expires_at) \
         SELECT '{refresh_hash}', 'granted', id, 0, {later} FROM oauth_client; \
         INSERT INTO oauth_client (id, name, kind, secret_hash, redirect_uris, grant_types, \
         scopes, default_scopes, can_introspect, is_resource_server, created_at) \
         SELECT 'planted', name, 'confidential', '{secret_hash}', '', 'client_credentials', \
         'notes.admin', 'notes.admin', can_introspect, is_resource_server, created_at \
         FROM oauth_client"
    ));
    let tokens = world.redeem(&browser, CODE).ok();
    let access = member(&tokens, "access_token");
    assert_eq!(part(&access, 1)["sub"], "eve");
    let refreshed = world.refresh(&browser, REFRESH).ok();
    let again = member(&refreshed, "access_token");
    let machine = super::world::Client {
        id: "planted".to_owned(),
        secret: Some(SECRET.to_owned()),
    };
    let own = world.own_token(&machine);
    assert_eq!(part(&own, 1)["scope"], "notes.admin");
    assert!(world.accepts(&access) && world.accepts(&again) && world.accepts(&own));

    // The remedy of the guide: planted rows are revoked, and the keys stay.
    let clients = block_on(world.server.list_clients()).unwrap();
    assert!(clients.iter().any(|client| client.id() == "planted"));
    block_on(world.server.revoke_user("eve")).unwrap();
    block_on(world.server.disable_client("planted")).unwrap();
    assert!(!world.accepts(&access) && !world.accepts(&again) && !world.accepts(&own));
    for body in [&tokens, &refreshed] {
        let refresh = member(body, "refresh_token");
        assert_refused(&world.refresh(&browser, &refresh), 400, "invalid_grant");
    }
    let own = [("grant_type", "client_credentials")];
    assert_refused(&world.token(&machine, &own), 401, "invalid_client");
    assert_eq!(kids(), before);
}
