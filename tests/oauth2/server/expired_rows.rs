//! Removal of expired rows, and of no others.

use resource_tests::{apply, block_on, every_database};

use super::world::{World, assert_refused, member};

const DAY: u64 = 24 * 60 * 60;

/// Tolerated lag of the clocks of other instances.
const HOUR: u64 = 60 * 60;

fn rows(world: &World) -> [u32; 5] {
    let mut program = world.service.database().other_program();
    [
        "oauth_auth_request",
        "oauth_code",
        "oauth_refresh",
        "oauth_grant",
        "oauth_revoked_jti",
    ]
    .map(|table| {
        let count = format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}");
        program.text(&count).parse().unwrap()
    })
}

#[apply(every_database)]
fn sweep_removes_each_row_once_it_expires() {
    let world = World::start();
    let client = world.web();
    let sweep = || block_on(world.server.sweep()).unwrap();
    assert_eq!(world.authorize(&client, &[]).status, 200);
    let tokens = world.tokens(&client);
    let access = member(&tokens, "access_token");
    world.ask(&client, "/oauth/revoke", &[("token", &access)]);
    assert_eq!(rows(&world), [1, 1, 1, 1, 1]);
    sweep();
    assert_eq!(rows(&world), [1, 1, 1, 1, 1]);
    world.clock.advance(601);
    sweep();
    assert_eq!(rows(&world), [0, 1, 1, 1, 1]);
    // A revocation is stored until its token has expired for every instance.
    world.clock.advance(DAY + 120 + HOUR);
    sweep();
    assert_eq!(rows(&world), [0, 1, 1, 1, 0]);
    let refresh = member(&tokens, "refresh_token");
    let refresh = member(&world.refresh(&client, &refresh).ok(), "refresh_token");
    world.clock.advance(15 * DAY);
    sweep();
    assert_eq!(rows(&world), [0, 1, 1, 1, 0]);
    world.clock.advance(DAY);
    sweep();
    assert_eq!(rows(&world), [0, 1, 0, 1, 0]);
    assert_refused(&world.refresh(&client, &refresh), 400, "invalid_grant");
    // A code is stored as long as its grant, so that a replay is detected.
    world.clock.advance(90 * DAY);
    sweep();
    assert_eq!(rows(&world), [0; 5]);
}

#[apply(every_database)]
fn sweep_removes_more_rows_than_one_batch() {
    let world = World::start();
    let mut program = world.service.database().other_program();
    program.execute(
        "INSERT INTO oauth_revoked_jti (jti, expires_at) \
         WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2500) \
         SELECT 'token ' || n, n FROM number",
    );
    assert_eq!(rows(&world)[4], 2500);
    block_on(world.server.sweep()).unwrap();
    assert_eq!(rows(&world)[4], 0);
}
