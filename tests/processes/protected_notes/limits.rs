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

#[apply(every_database)]
fn a_name_is_counted_whoever_tries_and_others_go_on() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    try_often(&browser, |_| "ann".to_owned());
    let elsewhere = Browser::new(&notes.client);
    let right = elsewhere.log_in_on(&elsewhere.get("/login"), "ann", PASSWORD);
    assert_eq!(right.status, 429, "also with the right password");
    elsewhere.log_in("ben");
}

#[apply(every_database)]
fn an_address_is_counted_whatever_names_it_tries() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    try_often(&browser, |time| format!("name{time}"));
    let elsewhere = Browser::new(&notes.client);
    let right = elsewhere.log_in_on(&elsewhere.get("/login"), "ben", PASSWORD);
    assert_eq!(right.status, 429);
    notes.own_token("notes.read");
}
