//! `bool`: true and false, of which false is the smaller.

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone};
use crate::samples::samples_of;
use resource_tests::{apply, every_database};

samples_of!(bool);

#[apply(every_database)]
fn true_and_false_round_trip() {
    let service = samples();
    for boolean in ["true", "false"] {
        assert_kept(&service, boolean, boolean);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), "false");
}

#[apply(every_database)]
fn false_is_less_than_true() {
    assert_compared(&samples(), &[&["false"], &["true"]]);
}

#[apply(every_database)]
fn other_forms_of_booleans_are_refused() {
    let service = one_sample("true");
    let others = [
        ("0", "0"),
        ("1", "1"),
        ("1.0", "1.0"),
        ("\"true\"", "a string"),
        ("\"\"", "a string"),
        ("[true]", "an array"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&service, "true or false", &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), "true or false");
}
