//! Tests of the limits of an expression: depth, length and terms.

use super::{filter_message, message};
use crate::ApiResource as _;
use crate::authorization::View;
use crate::query::{AttributePath, Criterion, Cursors};
use crate::samples::Person;

#[test]
fn depth_length_and_terms_are_capped() {
    let nested = |depth: usize| {
        format!(
            "{}eq(id,1){}",
            "not(".repeat(depth - 1),
            ")".repeat(depth - 1)
        )
    };
    assert_eq!(filter_message(&nested(32)), "no error");
    assert_eq!(
        filter_message(&nested(33)),
        "`filter`, column 129: calls nest at most 32 deep"
    );
    let listed = |members: usize| format!("in(id,[{}])", vec!["1"; members].join(","));
    assert_eq!(filter_message(&listed(999)), "no error");
    assert!(
        filter_message(&listed(1000))
            .ends_with("at most 1000 calls and list members are taken together")
    );
    let long = |length: usize| format!("eq(name,\"{}\")", "x".repeat(length - 11));
    assert_eq!(filter_message(&long(8192)), "no error");
    assert_eq!(
        filter_message(&long(8193)),
        "`filter`, column 1: at most 8192 bytes are taken, these are 8193"
    );
}

#[test]
fn a_cursor_holds_at_most_32_criteria() {
    let criterion = Criterion {
        path: AttributePath::own(&Person::ATTRIBUTES[0]),
        descending: false,
    };
    let of = |count| {
        let view = View::unrestricted(Person::DEFINITION);
        message(Cursors::of(view, &vec![criterion; count]))
    };
    assert_eq!(of(32), "no error");
    assert_eq!(
        of(33),
        "a cursor holds at most 32 attributes of an order; order by fewer, or read pages by `offset`"
    );
}
