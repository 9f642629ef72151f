//! Signing keys: rotation, sealing, and instances that share them.

use std::sync::atomic::{AtomicUsize, Ordering};

use resource_authorization_server::{AuthorizationServer, AuthorizationServerBuilder};
use resource_tests::polling::wait_for;
use resource_tests::{TestDatabase, apply, block_on, every_database, watch};
use serde_json::Value;

use super::world::{World, assert_refused, at_once, member, part};
use crate::clock::SetClock;

const DAY: u64 = 24 * 60 * 60;

/// Tolerated lag of the clocks of other instances.
const HOUR: u64 = 60 * 60;

fn published(world: &World) -> Vec<String> {
    let key_set = world.service.read("/oauth/jwks");
    let keys = key_set["keys"].as_array().unwrap().iter();
    keys.map(|key| key["kid"].as_str().unwrap().to_owned())
        .collect()
}

fn signer(token: &str) -> Value {
    part(token, 0)["kid"].clone()
}

#[apply(every_database)]
fn key_is_published_from_a_day_before_use_until_its_last_token_expires() {
    let world = World::start();
    let client = world.machine();
    let first = published(&world).remove(0);
    let added = block_on(world.server.rotate_key()).unwrap();
    let second = added.id().to_owned();
    assert_eq!(published(&world), [&*first, &second]);
    assert!(
        block_on(world.server.rotate_key()).is_err(),
        "one waits already"
    );

    world.clock.advance(DAY - 1);
    let last_of_first = world.own_token(&client);
    assert_eq!(signer(&last_of_first), first);
    world.clock.advance(1);
    let first_of_second = world.own_token(&client);
    assert_eq!(signer(&first_of_second), second);
    assert_eq!(published(&world), [&*first, &second]);
    assert!(world.accepts(&last_of_first) && world.accepts(&first_of_second));

    world.clock.advance(599);
    assert!(world.accepts(&last_of_first));
    // Tokens of the longest lifetime that an instance can be set to are valid until then.
    world.clock.advance(DAY - 480 + HOUR);
    assert_eq!(published(&world), [&*first, &second]);
    world.clock.advance(1);
    assert_eq!(published(&world), [&*second]);
    let mut program = world.service.database().other_program();
    let mut rows_after = |days: u64| {
        world.clock.advance(days * DAY);
        block_on(world.server.sweep()).unwrap();
        program.text("SELECT CAST(COUNT(*) AS TEXT) FROM oauth_key")
    };
    assert_eq!(
        [rows_after(0), rows_after(6), rows_after(1)],
        ["2", "2", "1"]
    );
    assert_eq!(signer(&world.own_token(&client)), second);
    assert!(block_on(world.server.rotate_key()).is_ok());
}

#[apply(every_database)]
fn stored_key_opens_only_with_its_sealing_key() {
    let world = World::start();
    let database = world.service.database().clone();
    let mut program = database.other_program();
    let sealed = "SELECT CAST(COUNT(*) AS TEXT) FROM oauth_key WHERE is_sealed";
    assert_eq!(program.text(sealed), "1");
    let kid = published(&world).remove(0);
    let other = build(&database, |it| it.sealing_key([8; 32])).unwrap_err();
    assert!(
        other.contains("another sealing key") && other.contains(&kid),
        "{other}"
    );
    let none = build(&database, AuthorizationServerBuilder::unsealed_keys).unwrap_err();
    assert!(none.contains(".sealing_key(…)"), "{none}");
    assert!(build(&database, |it| it.sealing_key([7; 32])).is_ok());
}

#[apply(every_database)]
fn unsealed_keys_are_stored_in_clear() {
    let world = World::start_with(AuthorizationServerBuilder::unsealed_keys);
    let mut program = world.service.database().other_program();
    let open = "SELECT CAST(COUNT(*) AS TEXT) FROM oauth_key WHERE NOT is_sealed";
    assert_eq!(program.text(open), "1");
    assert!(world.accepts(&world.own_token(&world.machine())));
}

fn build(
    database: &TestDatabase,
    change: fn(AuthorizationServerBuilder) -> AuthorizationServerBuilder,
) -> Result<AuthorizationServer, String> {
    let settings = super::world::settings(super::world::open(database));
    let settings = settings.resource_owner(super::host::Host::new());
    block_on(change(settings).build()).map_err(|error| error.to_string())
}

/// A key that no sealing key opens, active from tomorrow on.
const STRANGE: &str = "INSERT INTO oauth_key \
     (kid, algorithm, private_key, is_sealed, public_jwk, active_from, created_at) \
     SELECT 'strange', algorithm, private_key, is_sealed, \
     REPLACE(public_jwk, kid, 'strange'), active_from + 86400, created_at FROM oauth_key";

#[apply(every_database)]
fn unreadable_key_affects_only_tokens_that_it_signs() {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let first = World::start_on(&database, &clock, |it| it);
    let kids = published(&first);
    first.service.database().other_program().execute(STRANGE);
    let world = World::start_on(&database, &clock, |it| it);
    let (client, machine) = (world.web(), world.machine());
    let tokens = world.tokens(&client);
    let (access, own) = (member(&tokens, "access_token"), world.own_token(&machine));
    // Not published either: write access to the database would suffice to forge tokens.
    assert_eq!(published(&world), kids);
    for instance in [&first, &world] {
        assert!(instance.accepts(&access) && instance.accepts(&own));
    }
    let refresh = member(&tokens, "refresh_token");
    let answer = world.ask(&client, "/oauth/revoke", &[("token", &refresh)]);
    assert_eq!(answer.status, 200);
    block_on(world.server.disable_client(&machine.id)).unwrap();
    assert!(!world.accepts(&access) && !world.accepts(&own), "at once");
    wait_for("the other instance to learn of it", || {
        (!first.accepts(&access) && !first.accepts(&own)).then_some(())
    });
    let last = world.own_token(&world.machine());
    clock.advance(DAY);
    let machine = world.machine();
    let answer = world.token(&machine, &[("grant_type", "client_credentials")]);
    assert_refused(&answer, 500, "server_error");
    assert_eq!(published(&world), kids, "the last tokens are still good");
    assert!(!world.accepts(&last), "it has expired");
    let error = build_at(&database, &clock).unwrap_err();
    assert!(error.contains("another sealing key"), "{error}");
}

fn build_at(database: &TestDatabase, clock: &SetClock) -> Result<AuthorizationServer, String> {
    let settings = super::world::settings(super::world::open(database)).clock(clock.clone());
    let settings = settings.resource_owner(super::host::Host::new());
    block_on(settings.build()).map_err(|error| error.to_string())
}

#[apply(every_database)]
fn unsealed_keys_are_refused_with_a_sealing_key() {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let plain = World::start_on(&database, &clock, AuthorizationServerBuilder::unsealed_keys);
    let kid = published(&plain).remove(0);
    let error = build(&database, |it| it).unwrap_err();
    assert!(
        error.contains(&kid) && error.contains("`oauth_key`"),
        "{error}"
    );
    let mut program = database.other_program();
    program.execute("DELETE FROM oauth_key");
    let sealed = World::start_on(&database, &clock, |it| it);
    assert_ne!(published(&sealed), [kid]);
    assert!(sealed.accepts(&sealed.own_token(&sealed.machine())));
    assert!(
        block_on(plain.server.rotate_key()).is_err(),
        "they do not mix"
    );
}

#[apply(every_database)]
fn planted_key_neither_signs_nor_is_published() {
    let log = watch::keep();
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let plain = World::start_on(&database, &clock, AuthorizationServerBuilder::unsealed_keys);
    let forged = plain.own_token(&plain.machine());
    let stolen = published(&plain).remove(0);
    let mut program = database.other_program();
    program.execute("CREATE TABLE elsewhere AS SELECT * FROM oauth_key; DELETE FROM oauth_key");
    let sealed = World::start_on(&database, &clock, |it| it);
    let kids = published(&sealed);
    clock.advance(1);
    program.execute(
        "UPDATE elsewhere SET active_from = active_from + 1; \
         INSERT INTO oauth_key SELECT * FROM elsewhere",
    );
    let told = format!("the key `{stolen}` is not sealed");
    wait_for("the server to find the key", || {
        log.text().contains(&told).then_some(())
    });
    let token = sealed.own_token(&sealed.machine());
    assert_eq!(signer(&token), kids[0]);
    assert_eq!(published(&sealed), kids);
    assert!(sealed.accepts(&token) && !sealed.accepts(&forged));
    let error = block_on(sealed.server.rotate_key()).unwrap_err();
    assert!(error.to_string().contains("is not sealed"), "{error}");
}

#[apply(every_database)]
fn sealed_keys_without_a_sealing_key_are_published_but_do_not_sign() {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let plain = World::start_on(&database, &clock, AuthorizationServerBuilder::unsealed_keys);
    let first = published(&plain);
    let token = plain.own_token(&plain.machine());
    let mut program = database.other_program();
    // As if an instance with a sealing key had replaced the keys.
    program.execute("CREATE TABLE elsewhere AS SELECT * FROM oauth_key; DELETE FROM oauth_key");
    let sealed = World::start_on(&database, &clock, |it| it);
    let second = published(&sealed);
    program.execute(
        "UPDATE elsewhere SET active_from = active_from - 1; \
         INSERT INTO oauth_key SELECT * FROM elsewhere",
    );
    wait_for("the key set to change", || {
        (published(&plain) == [&*first[0], &second[0]]).then_some(())
    });
    assert!(plain.accepts(&token) && plain.accepts(&sealed.own_token(&sealed.machine())));
    let answer = plain.token(&plain.machine(), &[("grant_type", "client_credentials")]);
    assert_refused(&answer, 500, "server_error");
    assert_eq!(published(&sealed), second);
}

#[apply(every_database)]
fn instance_with_a_slow_clock_signs_with_the_first_key() {
    let (database, ahead, behind) = (TestDatabase::default(), SetClock::new(), SetClock::new());
    ahead.advance(60);
    let here = World::start_on(&database, &ahead, |it| it);
    let there = World::start_on(&database, &behind, |it| it);
    let token = there.own_token(&here.machine());
    assert_eq!(signer(&token), published(&here)[0]);
    assert!(here.accepts(&token) && there.accepts(&token));
}

#[apply(every_database)]
fn concurrent_rotations_add_one_key() {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let worlds = [(); 2].map(|()| World::start_on(&database, &clock, |it| it));
    let turn = AtomicUsize::new(0);
    let added = at_once(6, || {
        let turn = turn.fetch_add(1, Ordering::Relaxed);
        block_on(worlds[turn % 2].server.rotate_key()).is_ok()
    });
    assert_eq!(added.iter().filter(|added| **added).count(), 1);
    let mut program = database.other_program();
    assert_eq!(
        program.text("SELECT CAST(COUNT(*) AS TEXT) FROM oauth_key"),
        "2"
    );
}

#[apply(every_database)]
fn deleted_key_is_distrusted_within_5_seconds() {
    let world = World::start();
    let machine = world.machine();
    let stolen = world.own_token(&machine);
    assert!(world.accepts(&stolen));
    let gateway = world.gateway();
    let is_active = |token: &str| {
        let told = world.ask(&gateway, "/oauth/introspect", &[("token", token)]);
        told.ok()["active"] == true
    };
    assert!(is_active(&stolen));
    let mut program = world.service.database().other_program();
    program.execute("DELETE FROM oauth_key");
    wait_for("the server to find that there is no key", || {
        (!world.accepts(&stolen) && !is_active(&stolen)).then_some(())
    });
    assert!(published(&world).is_empty());
    let answer = world.token(&machine, &[("grant_type", "client_credentials")]);
    assert_refused(&answer, 500, "server_error");
    let added = block_on(world.server.rotate_key()).unwrap();
    let token = world.own_token(&machine);
    assert_eq!(
        signer(&token),
        added.id(),
        "there is none that it waits for"
    );
    assert!(world.accepts(&token) && is_active(&token));
    assert!(!world.accepts(&stolen) && !is_active(&stolen));
}
