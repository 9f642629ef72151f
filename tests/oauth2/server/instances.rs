//! Several instances on one database.

use resource_tests::patience::wait_for;
use resource_tests::{TestDatabase, answers_differ, apply, block_on, every_database};

use super::world::{World, at_once, member};
use crate::clock::SetClock;

/// Two instances, the second of which finds what the first made.
fn two() -> [World; 2] {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    [(); 2].map(|()| World::start_on(&database, &clock, |it| it))
}

#[apply(every_database)]
fn what_one_issues_the_other_takes_and_ends() {
    let [here, there] = two();
    let client = here.web();
    let code = here.code(&client);
    let tokens = there.redeem(&client, &code).ok();
    let access = member(&tokens, "access_token");
    assert!(here.takes(&access) && there.takes(&access));
    there.ask(
        &client,
        "/oauth/revoke",
        &[("token", &member(&tokens, "refresh_token"))],
    );
    assert!(!there.takes(&access), "at once");
    wait_for("the other instance to learn of it", || {
        (!here.takes(&access)).then_some(())
    });
}

#[apply(every_database)]
fn a_key_that_one_adds_the_other_publishes_and_signs_with() {
    let [here, there] = two();
    let added = block_on(here.server.rotate_key()).unwrap();
    wait_for("the other instance to publish the key", || {
        let key_set = there.service.read("/oauth/jwks");
        (key_set["keys"].as_array().unwrap().len() == 2).then_some(())
    });
    here.clock.advance(24 * 60 * 60);
    let token = there.own_token(&there.machine());
    assert_eq!(super::world::part(&token, 0)["kid"], added.id());
    assert!(here.takes(&token));
}

#[apply(every_database)]
fn of_instances_that_start_at_once_one_makes_the_first_key() {
    answers_differ("keys are random");
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let worlds = at_once(4, || World::start_on(&database, &clock, |it| it));
    let key_sets: Vec<_> = worlds
        .iter()
        .map(|world| world.service.read("/oauth/jwks"))
        .collect();
    assert_eq!(key_sets[0]["keys"].as_array().unwrap().len(), 1);
    assert!(key_sets.windows(2).all(|two| two[0] == two[1]));
}

#[apply(every_database)]
fn a_code_that_is_redeemed_on_both_at_once_is_redeemed_once() {
    let [here, there] = two();
    let client = here.web();
    let code = here.code(&client);
    let instances = [here, there];
    let turn = std::sync::atomic::AtomicUsize::new(0);
    let answers = at_once(20, || {
        let turn = turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        instances[turn % 2].redeem(&client, &code).status
    });
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|status| **status == 400).count(), 19);
}
