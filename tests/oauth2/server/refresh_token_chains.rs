//! Refresh tokens that were given for one: of all that stem from them, one chain goes on.

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
fn assert_gone(answer: &Answer) {
    assert_refused(answer, 400, "invalid_grant");
}

#[apply(every_database)]
fn two_chains_from_one_token_are_found_out_when_both_go_on() {
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
        assert!(world.takes(&access));
        world.clock.advance(1);
        assert_gone(&world.refresh(&client, &other));
        assert_gone(&world.refresh(&client, &member(&tokens, "refresh_token")));
        assert!(!world.takes(&access));
    }
}

#[apply(every_database)]
fn a_chain_that_runs_ahead_does_not_hide_the_other() {
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
    assert_gone(&world.refresh(&client, &behind));
    assert_gone(&world.refresh(&client, &ahead));

    // Two generations late it is theft at once, as it is for one that was used.
    let (client, first) = begun(&world);
    let one = refreshed(&world, &client, &first);
    let other = refreshed(&world, &client, &first);
    let one = refreshed(&world, &client, &one);
    let one = refreshed(&world, &client, &one);
    assert_gone(&world.refresh(&client, &other));
    assert_gone(&world.refresh(&client, &one));
}

#[apply(every_database)]
fn whoever_holds_a_sibling_an_answer_is_given_again_for_either_of_them() {
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
    assert_gone(&world.refresh(&client, &one));
    assert_gone(&world.refresh(&client, &kept));
}

#[apply(every_database)]
fn an_answer_may_be_lost_in_every_generation() {
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
fn siblings_of_a_generation_are_given_so_many_times_together() {
    let world = World::start_with(|it| it.retry_window(Duration::from_secs(10), 1));
    let (client, first) = begun(&world);
    let one = refreshed(&world, &client, &first);
    let other = refreshed(&world, &client, &first);
    assert_gone(&world.refresh(&client, &first));
    let _one = refreshed(&world, &client, &one);
    let kept = refreshed(&world, &client, &other);
    for spent in [&one, &other] {
        assert_gone(&world.refresh(&client, spent));
    }
    assert_eq!(world.refresh(&client, &kept).status, 200);
}

#[apply(every_database)]
fn siblings_that_are_used_at_once_are_of_one_generation_all_the_same() {
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
        assert_gone(&world.refresh(&client, &next[0]));
        assert_gone(&world.refresh(&client, &last));
    }
}

/// Holders of every token that was ever given refresh it in random order and at random times.
#[apply(every_database)]
fn however_tokens_are_used_one_of_them_goes_on_at_most() {
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
            // Most often one of the last, or the grant would be gone at once.
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
    assert!(survived > 0, "some programs are honest enough");
}
