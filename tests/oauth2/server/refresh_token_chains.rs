//! Refresh token families: of several chains that stem from one token, one at most continues.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use resource_tests::{Answer, apply, every_database};

use super::world::{Client, World, assert_refused, at_once, member};

fn begun(world: &World) -> (Client, String) {
    let client = world.browser();
    let tokens = world.tokens(&client);
    (client, member(&tokens, "refresh_token"))
}

fn refreshed(world: &World, client: &Client, token: &str) -> String {
    member(&world.refresh(client, token).ok(), "refresh_token")
}

#[track_caller]
fn assert_invalid_grant(answer: &Answer) {
    assert_refused(answer, 400, "invalid_grant");
}

#[apply(every_database)]
fn two_active_chains_revoke_the_family() {
    let world = World::start();
    for generations in 1..4 {
        let (client, first) = begun(&world);
        let mut one = refreshed(&world, &client, &first);
        let mut other = refreshed(&world, &client, &first);
        for _ in 0..generations {
            world.clock.advance(1);
            one = refreshed(&world, &client, &one);
            other = refreshed(&world, &client, &other);
        }
        world.clock.advance(600);
        let tokens = world.refresh(&client, &one).ok();
        let access = member(&tokens, "access_token");
        assert!(world.accepts(&access));
        world.clock.advance(1);
        assert_invalid_grant(&world.refresh(&client, &other));
        assert_invalid_grant(&world.refresh(&client, &member(&tokens, "refresh_token")));
        assert!(!world.accepts(&access));
    }
}

#[apply(every_database)]
fn chain_generations_behind_another_is_a_replay() {
    let world = World::start();
    let (client, first) = begun(&world);
    let one = refreshed(&world, &client, &first);
    let other = refreshed(&world, &client, &first);
    let mut ahead = refreshed(&world, &client, &one);
    let behind = refreshed(&world, &client, &other);
    for _ in 0..3 {
        ahead = refreshed(&world, &client, &ahead);
    }
    world.clock.advance(11);
    ahead = refreshed(&world, &client, &ahead);
    assert_invalid_grant(&world.refresh(&client, &behind));
    assert_invalid_grant(&world.refresh(&client, &ahead));

    // A sibling two generations behind is a replay at once, like a token that was used.
    let (client, first) = begun(&world);
    let one = refreshed(&world, &client, &first);
    let other = refreshed(&world, &client, &first);
    let one = refreshed(&world, &client, &one);
    let one = refreshed(&world, &client, &one);
    assert_invalid_grant(&world.refresh(&client, &other));
    assert_invalid_grant(&world.refresh(&client, &one));
}

#[apply(every_database)]
fn lost_response_can_be_retried_with_either_sibling() {
    let world = World::start();
    let (client, first) = begun(&world);
    let one = refreshed(&world, &client, &first);
    let other = refreshed(&world, &client, &first);
    let _lost = refreshed(&world, &client, &one);
    let _lost = refreshed(&world, &client, &other);
    world.clock.advance(10);
    let kept = refreshed(&world, &client, &other);
    world.clock.advance(600);
    let kept = refreshed(&world, &client, &kept);
    assert_invalid_grant(&world.refresh(&client, &one));
    assert_invalid_grant(&world.refresh(&client, &kept));
}

#[apply(every_database)]
fn response_may_be_lost_in_every_generation() {
    let world = World::start();
    let (client, mut token) = begun(&world);
    for _ in 0..20 {
        for _ in 0..2 {
            let _lost = refreshed(&world, &client, &token);
            world.clock.advance(1);
        }
        token = refreshed(&world, &client, &token);
        world.clock.advance(600);
    }
    assert_eq!(world.refresh(&client, &token).status, 200);
}

#[apply(every_database)]
fn retries_are_limited_per_generation() {
    let world = World::start_with(|it| it.retry_window(Duration::from_secs(10), 1));
    let (client, first) = begun(&world);
    let one = refreshed(&world, &client, &first);
    let other = refreshed(&world, &client, &first);
    assert_invalid_grant(&world.refresh(&client, &first));
    let _one = refreshed(&world, &client, &one);
    let kept = refreshed(&world, &client, &other);
    for spent in [&one, &other] {
        assert_invalid_grant(&world.refresh(&client, spent));
    }
    assert_eq!(world.refresh(&client, &kept).status, 200);
}

#[apply(every_database)]
fn siblings_refreshed_concurrently_belong_to_one_generation() {
    let world = World::start();
    for _ in 0..5 {
        let (client, first) = begun(&world);
        let siblings = [(); 4].map(|()| refreshed(&world, &client, &first));
        let turn = AtomicUsize::new(0);
        let next = at_once(4, || {
            let turn = turn.fetch_add(1, Ordering::Relaxed);
            refreshed(&world, &client, &siblings[turn])
        });
        world.clock.advance(600);
        let last = refreshed(&world, &client, &next[2]);
        assert_invalid_grant(&world.refresh(&client, &next[0]));
        assert_invalid_grant(&world.refresh(&client, &last));
    }
}

/// Refreshes every token that was ever issued, in random order and at random times.
#[apply(every_database)]
fn random_refreshes_leave_one_chain_at_most() {
    let world = World::start();
    let mut random = 17_u64;
    let mut draw = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005);
        random = random.wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let mut survived = 0;
    for _ in 0..12 {
        let (client, first) = begun(&world);
        let mut tokens = vec![first];
        for _ in 0..12 {
            world
                .clock
                .advance([0, 0, 1, 3][usize::try_from(draw(4)).unwrap()]);
            // Mostly one of the latest tokens, since an older one would revoke the grant at once.
            let back = usize::try_from(draw(3)).unwrap().min(tokens.len() - 1);
            let token = tokens[tokens.len() - 1 - back].clone();
            let answer = world.refresh(&client, &token);
            if answer.status == 200 {
                tokens.push(member(&answer.json(), "refresh_token"));
            }
        }
        world.clock.advance(11);
        let goes_on = |token: &&String| world.refresh(&client, token).status == 200;
        let alive = tokens.iter().rev().filter(goes_on).count();
        assert!(alive <= 1, "{alive} chains go on");
        survived += alive;
    }
    assert!(survived > 0, "some families survive");
}
