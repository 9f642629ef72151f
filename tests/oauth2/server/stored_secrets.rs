//! Tokens, codes and client secrets: neither the log nor the database holds them.

use resource_tests::{Backend, apply, every_database, watch};

use super::world::{World, member};

#[apply(every_database)]
fn no_secret_is_logged_or_stored() {
    let log = watch::keep();
    let world = World::start();
    let client = world.web();
    let secret = client.secret.clone().unwrap();
    let asked = world.authorize(&client, &[]);
    let fields = asked.text().lines().nth(1).unwrap().to_owned();
    let values = fields
        .split('&')
        .map(|pair| pair.split_once('=').unwrap().1.to_owned());
    let mut secrets: Vec<String> = values.collect();
    let code = world.code(&client);
    let first = world.redeem(&client, &code).ok();
    let second = world
        .refresh(&client, &member(&first, "refresh_token"))
        .ok();
    world.refresh(&client, &member(&first, "refresh_token"));
    world.clock.advance(60);
    world.redeem(&client, &code);
    world.refresh(&client, &member(&first, "refresh_token"));
    world.ask(
        &client,
        "/oauth/revoke",
        &[("token", &member(&second, "access_token"))],
    );
    world.ask(&world.gateway(), "/oauth/introspect", &[("token", &secret)]);
    for body in [&first, &second] {
        let access = member(body, "access_token");
        secrets.push(access.split('.').nth(2).unwrap().to_owned());
        secrets.push(member(body, "refresh_token"));
    }
    secrets.extend([code, secret]);

    let told = log.text();
    assert!(told.contains("a code was used twice; its grant is revoked"));
    let mut program = world.service.database().other_program();
    for secret in &secrets {
        assert!(secret.len() >= 43);
        assert!(!told.contains(secret), "a secret is in the log");
        assert_eq!(program.columns_with(secret), [""; 0], "a secret is stored");
    }
    // The search itself works: it finds parts of longer values, and bytes.
    let found = program.columns_with(&client.id[1..]);
    assert!(found.len() >= 4, "{found:?}");
    program.execute(match Backend::under_test() {
        Backend::Sqlite => "UPDATE oauth_key SET private_key = CAST('<found>' AS BLOB)",
        Backend::Postgres => "UPDATE oauth_key SET private_key = CAST('<found>' AS bytea)",
    });
    assert_eq!(program.columns_with("found").len(), 1);
    let shown = format!("{:?} {:?}", world.server, world.verifier);
    assert!(secrets.iter().all(|secret| !shown.contains(secret)));
}
