//! Nobody tries one password after the other.

use resource_tests::{Answer, apply, every_database};

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
fn a_name_is_counted_whoever_tries_and_others_go_on() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    try_often(&browser, |_| "ann".to_owned());
    assert_right_password_refused(&notes, "ann");
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
