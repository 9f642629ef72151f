//! Several instances on one database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

use resource_oauth2::Clock;
use resource_tests::polling::wait_for;
use resource_tests::{TestDatabase, apply, block_on, every_database, responses_differ};

use super::world::{World, at_once, member};
use crate::clock::SetClock;

/// Two instances; the second finds the tables and keys of the first.
fn two() -> [World; 2] {
    let (database, clock) = (TestDatabase::default(), SetClock::new());
    [(); 2].map(|()| World::start_on(&database, &clock, |it| it))
}

#[apply(every_database)]
fn token_of_one_instance_is_accepted_and_revoked_by_another() {
    let [here, there] = two();
    let client = here.web();
    let code = here.code(&client);
    let tokens = there.redeem(&client, &code).ok();
    let access = member(&tokens, "access_token");
    assert!(here.accepts(&access) && there.accepts(&access));
    there.ask(
        &client,
        "/oauth/revoke",
        &[("token", &member(&tokens, "refresh_token"))],
    );
    assert!(!there.accepts(&access), "at once");
    wait_for("the other instance to learn of it", || {
        (!here.accepts(&access)).then_some(())
    });
}

#[apply(every_database)]
fn added_key_is_used_by_every_instance() {
    let [here, there] = two();
    let added = block_on(here.server.rotate_key()).unwrap();
    wait_for("the other instance to publish the key", || {
        let key_set = there.service.read("/oauth/jwks");
        (key_set["keys"].as_array().unwrap().len() == 2).then_some(())
    });
    here.clock.advance(24 * 60 * 60);
    let token = there.own_token(&there.machine());
    assert_eq!(super::world::part(&token, 0)["kid"], added.id());
    assert!(here.accepts(&token));
}

#[apply(every_database)]
fn concurrent_starts_create_one_key() {
    responses_differ("keys are random");
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
fn code_is_redeemed_once_across_instances() {
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
fn revoked_token_is_refused_on_every_instance() {
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
    assert!(ended.iter().all(|token| there.accepts(token)));
    assert_eq!(here.redeem(&web, &code).status, 400, "a replay");
    assert_eq!(here.refresh(&browser, &first).status, 400, "a theft");
    here.ask(&machine, "/oauth/revoke", &[("token", &ended[2])]);
    block_on(here.server.disable_client(&disabled.id)).unwrap();
    assert!(!ended.iter().any(|token| here.accepts(token)), "at once");
    for token in &ended {
        wait_for("the other instance to learn of it", || {
            (!there.accepts(token)).then_some(())
        });
    }
}

#[apply(every_database)]
fn retry_window_is_shared_by_all_instances() {
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

/// A clock that panics while its flag is set.
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
fn background_tasks_survive_a_panic() {
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
    assert!(here.accepts(&token));
    moody.panics.store(true, Ordering::SeqCst);
    wait_for("the background task to panic", || {
        moody.panicked.load(Ordering::SeqCst).then_some(())
    });
    moody.panics.store(false, Ordering::SeqCst);
    there.ask(&client, "/oauth/revoke", &[("token", &token)]);
    wait_for("the background task to continue", || {
        (!here.accepts(&token)).then_some(())
    });
}
