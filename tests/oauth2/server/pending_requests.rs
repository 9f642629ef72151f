//! Pending authorization requests: their number is bounded.

use resource_tests::{Answer, apply, every_database};

use super::world::{Client, World, redirect_parameters};

/// Largest number of pending requests after a flood: the limit, and those that arrive between two checks.
const MOST: u32 = 10_000 + 100;

fn pending(world: &World) -> u32 {
    let mut program = world.service.database().other_program();
    let count = "SELECT CAST(COUNT(*) AS TEXT) FROM oauth_auth_request";
    program.text(count).parse().unwrap()
}

/// Inserts `number` requests of the age of the latest, and then sends a hundred over HTTP.
fn flood(world: &World, client: &Client, number: u32) -> Answer {
    let mut program = world.service.database().other_program();
    program.execute(&format!(
        "INSERT INTO oauth_auth_request (id_hash, client_id, redirect_uri, scope, state, resource, \
         challenge, consent_key, expires_at) \
         WITH RECURSIVE number(n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {number}) \
         SELECT 'planted ' || n, client_id, redirect_uri, scope, state, resource, challenge, \
         consent_key, expires_at FROM number, oauth_auth_request WHERE expires_at = \
         (SELECT MAX(expires_at) FROM oauth_auth_request)"
    ));
    assert!(pending(world) > number);
    world.clock.advance(1);
    for _ in 1..100 {
        world.authorize(client, &[]);
    }
    world.authorize(client, &[])
}

fn login_path(login: &Answer) -> String {
    let mut lines = login.text().lines();
    assert_eq!(lines.next(), Some("login"), "{}", login.text());
    lines.next().unwrap().to_owned()
}

#[apply(every_database)]
fn oldest_requests_without_a_login_are_evicted_first() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &[]);
    world.host.log_out();
    let came_back = login_path(&world.authorize(&client, &[]));
    world.host.log_in("ann", "session-1");
    let asked_later = world.service.get(&came_back);
    assert!(asked_later.text().starts_with("consent"));
    world.host.log_out();
    let oldest = login_path(&world.authorize(&client, &[]));
    world.clock.advance(1);
    let _of_their_age = world.authorize(&client, &[]);
    let last = flood(&world, &client, 10_050);
    let left = pending(&world);
    assert!((10_000..=MOST).contains(&left), "{left}");
    assert_eq!(world.service.get(&oldest).status, 400);
    assert_eq!(world.service.get(&login_path(&last)).status, 200);
    world.host.log_in("ann", "session-1");
    for asked in [asked, asked_later] {
        let back = redirect_parameters(&world.decide(&asked, "approve"));
        assert!(back.contains_key("code"), "{back:?}");
    }
}

#[apply(every_database)]
fn requests_of_logged_in_users_are_bounded_too() {
    let world = World::start();
    let client = world.web();
    let oldest = world.authorize(&client, &[]);
    world.clock.advance(1);
    let _of_their_age = world.authorize(&client, &[]);
    let last = flood(&world, &client, 10_050);
    let left = pending(&world);
    assert!((10_000..=MOST).contains(&left), "{left}");
    assert_eq!(world.decide(&oldest, "approve").status, 400);
    assert!(redirect_parameters(&world.decide(&last, "approve")).contains_key("code"));
}

#[apply(every_database)]
fn requests_below_the_limit_are_not_evicted() {
    let world = World::start();
    let client = world.web();
    world.host.log_out();
    let oldest = login_path(&world.authorize(&client, &[]));
    world.clock.advance(1);
    let _of_their_age = world.authorize(&client, &[]);
    flood(&world, &client, 5_000);
    assert_eq!(pending(&world), 5_102);
    assert_eq!(world.service.get(&oldest).status, 200);
}
