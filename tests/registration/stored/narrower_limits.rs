//! Lengths and ranges that are narrower than the definitions allow.

use resource_runtime::Api;
use resource_tests::models::{SettingOne, SettingTwo};
use resource_tests::{TestDatabase, problems};

use super::{assert_fits, books, checked, made_by, refusals_with};

#[test]
fn narrower_length_is_reported_for_the_version_that_allows_more() {
    let file = TestDatabase::default();
    super::creation::create(Api::builder().resource::<SettingOne>(), &file);
    let both = || {
        Api::builder()
            .resource::<SettingOne>()
            .resource::<SettingTwo>()
    };
    assert_eq!(
        problems(&checked(both(), &file).unwrap_err()),
        [
            "`settings.name` holds at most 50 characters, but `Setting` 2.0 allows 80; rebuild the table by the statements that the command `check --rebuild settings` prints"
        ]
    );
    assert_fits(Api::builder().resource::<SettingOne>(), &file);
}

#[test]
fn older_version_alone_fits_a_table_of_both() {
    let file = TestDatabase::default();
    let both = Api::builder()
        .resource::<SettingOne>()
        .resource::<SettingTwo>();
    super::creation::create(both, &file);
    assert_fits(Api::builder().resource::<SettingOne>(), &file);
    assert_fits(Api::builder().resource::<SettingTwo>(), &file);
}

#[test]
fn narrower_length_is_found_in_every_form_of_check() {
    for replacement in [
        r#"CHECK (length("title") <= 50)"#,
        "CHECK(LENGTH(title)<51)",
        "CHECK (50 >= length([TITLE]))",
        "CONSTRAINT short CHECK ((length(`title`) <= 50 /* letters */))",
        "CHECK (title IS NULL OR length(title) <= 50)",
        "CHECK (title <> '' AND length(title) BETWEEN 1 AND 50)",
    ] {
        let found = refusals_with("CHECK (length(title) BETWEEN 1 AND 80)", replacement);
        assert_eq!(
            found,
            [
                "`books.title` holds at most 50 characters, but `Book` 1.0 allows 80; rebuild the table by the statements that the command `check --rebuild books` prints"
            ],
            "{replacement}"
        );
    }
    let found = refusals_with("BETWEEN 1 AND 80", ">= 2");
    let sentence = "`books.title` holds at least 2 characters, but `Book` 1.0 allows 1; rebuild the table by the statements that the command `check --rebuild books` prints";
    assert_eq!(found, [sentence]);
}

#[test]
fn length_limit_of_an_unlimited_attribute_is_reported() {
    let found = refusals_with("code CHARACTER(9)", "code TEXT CHECK (length(code) = 9)");
    let remedy =
        "rebuild the table by the statements that the command `check --rebuild books` prints";
    assert_eq!(
        found,
        [
            format!(
                "`books.code` holds at least 9 characters, but `Book` 1.0 allows any number; \
                 {remedy}"
            ),
            format!(
                "`books.code` holds at most 9 characters, but `Book` 1.0 allows any number; \
                 {remedy}"
            ),
        ]
    );
}

#[test]
fn narrower_range_is_found_in_every_form_of_check() {
    let remedy =
        "rebuild the table by the statements that the command `check --rebuild books` prints";
    let least =
        format!("`books.volume` holds only values from 2 on, but `Book` 1.0 allows 1; {remedy}");
    let greatest =
        format!("`books.volume` holds only values up to 98, but `Book` 1.0 allows 99; {remedy}");
    for (replacement, expected) in [
        ("volume BETWEEN 2 AND 99", vec![&least]),
        ("volume >= 2", vec![&least]),
        ("\"VOLUME\" > 1", vec![&least]),
        ("volume BETWEEN 2 AND 98", vec![&least, &greatest]),
        ("volume <= 98", vec![&greatest]),
        ("99 > volume", vec![&greatest]),
    ] {
        let found = refusals_with("volume > 0 AND volume < 100", replacement);
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{replacement}");
    }
}

#[test]
fn list_of_names_for_a_text_attribute_is_reported() {
    let found = refusals_with(
        "code CHARACTER(9)",
        "code TEXT CHECK (code IN ('red', 'green'))",
    );
    let sentence = "`books.code` holds only `red`, `green`, but `Book` 1.0 allows any text; \
                    rebuild the table by the statements that the command `check --rebuild books` prints";
    assert_eq!(found, [sentence]);
}

#[test]
fn other_checks_are_ignored() {
    for check in [
        "CHECK (length(code) <= 5 OR lent)",
        "CHECK (NOT length(code) > 5)",
        "CHECK (code GLOB '[A-Z]*')",
        "CHECK (length(title || code) <= 5)",
    ] {
        let statements = super::BOOKS.replace("UNIQUE (volume", &format!("{check} UNIQUE (volume"));
        assert_fits(books(), &made_by(&statements));
    }
}
