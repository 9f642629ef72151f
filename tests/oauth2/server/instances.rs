//! Several instances on one database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

use resource_oauth2::Clock;
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
    let turn = AtomicUsize::new(0);
    let answers = at_once(20, || {
        let turn = turn.fetch_add(1, Ordering::Relaxed);
        instances[turn % 2].redeem(&client, &code).status
    });
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|status| **status == 400).count(), 19);
}

#[apply(every_database)]
fn what_ends_here_ends_there() {
    let [here, there] = two();
    let (web, browser, machine) = (here.web(), here.browser(), here.machine());
    let disabled = here.machine();
    let code = here.code(&web);
    let of_code = member(&here.redeem(&web, &code).ok(), "access_token");
    let first = member(&here.tokens(&browser), "refresh_token");
    let second = here.refresh(&browser, &first).ok();
    let ended = [
        of_code,
        member(&second, "access_token"),
        here.own_token(&machine),
        here.own_token(&disabled),
    ];
    here.clock.advance(11);
    assert!(ended.iter().all(|token| there.takes(token)));
    assert_eq!(here.redeem(&web, &code).status, 400, "a replay");
    assert_eq!(here.refresh(&browser, &first).status, 400, "a theft");
    here.ask(&machine, "/oauth/revoke", &[("token", &ended[2])]);
    block_on(here.server.disable_client(&disabled.id)).unwrap();
    assert!(!ended.iter().any(|token| here.takes(token)), "at once");
    for token in &ended {
        wait_for("the other instance to learn of it", || {
            (!there.takes(token)).then_some(())
        });
    }
}

#[apply(every_database)]
fn the_retry_window_is_one_for_all_instances() {
    let instances = two();
    let client = instances[0].browser();
    let first = member(&instances[0].tokens(&client), "refresh_token");
    let turn = AtomicUsize::new(0);
    let answers = at_once(20, || {
        let turn = turn.fetch_add(1, Ordering::Relaxed);
        instances[turn % 2].refresh(&client, &first)
    });
    let won: Vec<_> = answers.iter().filter(|it| it.status == 200).collect();
    assert_eq!(won.len(), 4);
    let lost = answers.iter().filter(|it| it.status == 400).count();
    assert_eq!(lost, 16);
    let next = member(&won[0].ok(), "refresh_token");
    assert_eq!(instances[1].refresh(&client, &next).status, 200);
    instances[0].clock.advance(11);
    assert_eq!(instances[0].refresh(&client, &first).status, 400);
    assert_eq!(instances[1].refresh(&client, &next).status, 400, "revoked");
}

/// A clock that panics while it is told to.
#[derive(Debug, Clone)]
struct Moody {
    clock: SetClock,
    panics: Arc<AtomicBool>,
    panicked: Arc<AtomicBool>,
}

impl Clock for Moody {
    fn now(&self) -> SystemTime {
        if self.panics.load(Ordering::SeqCst) {
            self.panicked.store(true, Ordering::SeqCst);
            panic!("the clock is not well");
        }
        self.clock.now()
    }
}

#[apply(every_database)]
fn a_panic_does_not_end_what_the_server_does_by_itself() {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    let moody = Moody {
        clock: clock.clone(),
        panics: Arc::default(),
        panicked: Arc::default(),
    };
    let here = World::start_on(&database, &clock, |it| it.clock(moody.clone()));
    let there = World::start_on(&database, &clock, |it| it);
    let client = here.machine();
    let token = here.own_token(&client);
    assert!(here.takes(&token));
    moody.panics.store(true, Ordering::SeqCst);
    wait_for("the upkeep to panic", || {
        moody.panicked.load(Ordering::SeqCst).then_some(())
    });
    moody.panics.store(false, Ordering::SeqCst);
    there.ask(&client, "/oauth/revoke", &[("token", &token)]);
    wait_for("the upkeep to go on", || {
        (!here.takes(&token)).then_some(())
    });
}
