//! Nobody tries one password after the other, keeps others out, or fills the memory.

use resource_tests::{Answer, TestDatabase, apply, every_database, raw};

use super::browser::Browser;
use super::process::{Notes, PASSWORD};

/// Tries to log in until that is too often, by names that differ or not.
fn try_often(browser: &Browser, name: impl Fn(usize) -> String) -> Answer {
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

/// A try becomes free now and then: one more may come through, but no five.
fn assert_right_password_refused(notes: &Notes, name: &str) {
    let elsewhere = Browser::new(&notes.client);
    let page = elsewhere.get("/login");
    let mut tries = (0..5).map(|_| elsewhere.log_in_on(&page, name, PASSWORD).status);
    assert!(tries.any(|status| status == 429));
}

#[apply(every_database)]
fn a_name_is_counted_at_an_address_and_others_go_on() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    try_often(&browser, |_| "ann".to_owned());
    assert_right_password_refused(&notes, "ann");
    Browser::new(&notes.client).log_in("ben");
}

#[apply(every_database)]
fn wrong_logins_from_elsewhere_keep_nobody_out() {
    let notes = Notes::start();
    let elsewhere = notes.client.calling_from([127, 0, 0, 2]);
    let attacker = Browser::new(&elsewhere);
    try_often(&attacker, |_| "ben".to_owned());
    try_often(&attacker, |time| format!("name{time}"));
    Browser::new(&notes.client).log_in("ben");
}

#[apply(every_database)]
fn an_address_is_counted_whatever_names_it_tries() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    try_often(&browser, |time| format!("name{time}"));
    assert_right_password_refused(&notes, "ben");
    notes.own_token("notes.read");
}

/// Opens the page with the form so many times, each in a session of its own.
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
fn the_oldest_visitors_make_room_and_who_is_logged_in_stays() {
    let notes = Notes::start_untold(&TestDatabase::sqlite());
    let [member, oldest, late] = [(); 3].map(|()| Browser::new(&notes.client));
    member.log_in("ann");
    let form = oldest.get("/login");
    visit_often(&notes, 9_000);
    let late_form = late.get("/login");
    visit_often(&notes, 1_000);
    let displaced = oldest.log_in_on(&form, "ben", PASSWORD);
    assert_eq!(displaced.status, 403, "{}", displaced.text());
    assert_eq!(late.log_in_on(&late_form, "ben", PASSWORD).status, 303);
    // The page that turned the oldest away has a form that works.
    let again = oldest.log_in_on(&displaced, "ben", PASSWORD);
    assert_eq!(again.status, 303);
    visit_often(&notes, 10_000);
    for browser in [member, oldest, late] {
        assert!(browser.get("/").text().contains("You are logged in as"));
    }
}
