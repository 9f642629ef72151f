//! Limits of logins: they stop guessing of passwords, lock out nobody else, and bound the memory of sessions.

use resource_tests::{Answer, TestDatabase, apply, every_database, raw};

use super::browser::Browser;
use super::process::{Notes, PASSWORD};

/// Tries to log in with wrong passwords until the limit refuses it; `name` gives the name of each attempt.
fn log_in_until_limited(browser: &Browser, name: impl Fn(usize) -> String) -> Answer {
    let page = browser.get("/login");
    let mut tries = (0..200).map(|time| browser.log_in_on(&page, &name(time), "wrong"));
    let refused = tries.find(|answer| answer.status != 422).expect("a limit");
    assert_eq!(refused.status, 429, "{}", refused.text());
    let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    assert!(
        refused.text().contains("too many attempts"),
        "{}",
        refused.text()
    );
    refused
}

/// Asserts that the right password is refused. The limit refills slowly: one attempt may succeed, but not five.
fn assert_right_password_refused(notes: &Notes, name: &str) {
    let elsewhere = Browser::new(&notes.client);
    let page = elsewhere.get("/login");
    let mut tries = (0..5).map(|_| elsewhere.log_in_on(&page, name, PASSWORD).status);
    assert!(tries.any(|status| status == 429));
}

#[apply(every_database)]
fn failed_logins_limit_a_name_at_an_address_and_no_other_name() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    log_in_until_limited(&browser, |_| "ann".to_owned());
    assert_right_password_refused(&notes, "ann");
    Browser::new(&notes.client).log_in("ben");
}

#[apply(every_database)]
fn failed_logins_from_another_address_lock_out_nobody() {
    let notes = Notes::start();
    let elsewhere = notes.client.calling_from([127, 0, 0, 2]);
    let attacker = Browser::new(&elsewhere);
    log_in_until_limited(&attacker, |_| "ben".to_owned());
    log_in_until_limited(&attacker, |time| format!("name{time}"));
    Browser::new(&notes.client).log_in("ben");
}

#[apply(every_database)]
fn failed_logins_limit_the_address_across_names() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    log_in_until_limited(&browser, |time| format!("name{time}"));
    assert_right_password_refused(&notes, "ben");
    notes.own_token("notes.read");
}

/// Opens the login page this many times, each time in a new session.
fn visit_often(notes: &Notes, times: usize) {
    let visit = "GET /login HTTP/1.1\r\nHost: a\r\n";
    let at_once = 250;
    for _ in 0..times / at_once {
        let most = format!("{visit}\r\n").repeat(at_once - 1);
        let all = format!("{most}{visit}Connection: close\r\n\r\n");
        let answers = raw::exchange(notes.client.address(), all.as_bytes());
        let answers = String::from_utf8(answers).unwrap();
        assert_eq!(answers.matches("set-cookie: ").count(), at_once);
    }
}

#[test]
fn the_oldest_anonymous_sessions_are_evicted_and_logged_in_ones_stay() {
    let notes = Notes::start_with_default_log(&TestDatabase::sqlite());
    let [member, oldest, late] = [(); 3].map(|()| Browser::new(&notes.client));
    member.log_in("ann");
    let form = oldest.get("/login");
    visit_often(&notes, 9_000);
    let late_form = late.get("/login");
    visit_often(&notes, 1_000);
    let displaced = oldest.log_in_on(&form, "ben", PASSWORD);
    assert_eq!(displaced.status, 403, "{}", displaced.text());
    assert_eq!(late.log_in_on(&late_form, "ben", PASSWORD).status, 303);
    // The page of the refusal has a new form that works.
    let again = oldest.log_in_on(&displaced, "ben", PASSWORD);
    assert_eq!(again.status, 303);
    visit_often(&notes, 10_000);
    for browser in [member, oldest, late] {
        assert!(browser.get("/").text().contains("You are logged in as"));
    }
}
