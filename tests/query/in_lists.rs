//! `in`: lists of values, empty lists, and lists with null.

use crate::requests::{filtered, refused};
use crate::samples::{ATTRIBUTES, SAMPLES, samples};
use resource_tests::{apply, every_database};

#[apply(every_database)]
fn in_matches_values_of_every_kind() {
    let service = samples();
    for (filter, expected) in [
        ("in(id,[1,3,9])", &[1, 3][..]),
        ("in(small,[-32768,0])", &[1, 2, 5]),
        ("in(medium,[7])", &[3, 4]),
        (
            "in(large,[9223372036854775807,-9223372036854775808])",
            &[1, 3],
        ),
        ("in(real,[0,1e300,5e-324])", &[2, 3, 5]),
        ("in(ratio,[0.1,2])", &[1, 3, 4]),
        ("in(flag,[true])", &[2]),
        ("in(flag,[true,false])", &[1, 2, 5]),
        ("in(sure,[false])", &[1, 3]),
        (r#"in(text,["a","🦀","b"])"#, &[3, 5]),
        (r#"in(note,["","A"])"#, &[1, 5]),
    ] {
        assert_eq!(filtered(&service, SAMPLES, filter), expected, "{filter}");
    }
}

#[apply(every_database)]
fn empty_list_matches_nothing_and_its_negation_everything() {
    let service = samples();
    for (attribute, _) in ATTRIBUTES {
        let filter = format!("in({attribute},[])");
        assert_eq!(filtered(&service, SAMPLES, &filter), [0; 0]);
        assert_eq!(
            filtered(&service, SAMPLES, &format!("not({filter})")),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(
            filtered(&service, SAMPLES, &format!("or({filter},eq(id,2))")),
            [2]
        );
        assert_eq!(
            filtered(&service, SAMPLES, &format!("and(not({filter}),eq(id,2))")),
            [2]
        );
    }
}

#[apply(every_database)]
fn null_in_a_list_matches_null() {
    let service = samples();
    for (filter, expected) in [
        ("in(small,[null])", &[4][..]),
        ("in(small,[null,null])", &[4]),
        ("in(small,[0,null])", &[2, 4, 5]),
        ("in(small,[null,0])", &[2, 4, 5]),
        ("in(flag,[null,true])", &[2, 3, 4]),
        (r#"in(note,["A",null,""])"#, &[1, 3, 4, 5]),
        ("in(real,[null])", &[4]),
        ("in(id,[null])", &[]),
        ("in(id,[null,1])", &[1]),
    ] {
        assert_eq!(filtered(&service, SAMPLES, filter), expected, "{filter}");
    }
}

#[apply(every_database)]
fn not_in_matches_null_unless_listed() {
    let service = samples();
    assert_eq!(filtered(&service, SAMPLES, "not(in(small,[0]))"), [1, 3, 4]);
    assert_eq!(
        filtered(&service, SAMPLES, "not(in(small,[0,null]))"),
        [1, 3]
    );
    assert_eq!(
        filtered(&service, SAMPLES, r#"not(in(note,["a","A"]))"#),
        [1, 3, 4]
    );
    assert_eq!(
        filtered(&service, SAMPLES, "not(in(flag,[true,false]))"),
        [3, 4]
    );
}

#[apply(every_database)]
fn duplicate_members_count_once() {
    let service = samples();
    assert_eq!(filtered(&service, SAMPLES, "in(id,[2,2,2])"), [2]);
    assert_eq!(
        filtered(&service, SAMPLES, r#"in(text,["a","\u0061","a"])"#),
        [3]
    );
}

#[apply(every_database)]
fn lists_of_every_length_match_their_last_member() {
    let service = samples();
    for length in 1..40 {
        let mut members = vec!["0"; length];
        members[length - 1] = "4";
        let filter = format!("in(id,[{}])", members.join(","));
        assert_eq!(filtered(&service, SAMPLES, &filter), [4]);
        assert_eq!(
            filtered(&service, SAMPLES, &format!("not({filter})")),
            [1, 2, 3, 5]
        );
    }
}

#[apply(every_database)]
fn second_argument_is_a_list_in_square_brackets() {
    let service = samples();
    for filter in [
        "in(id,1)",
        "in(id,null)",
        "in(id,1,2)",
        "in(id,(1,2))",
        "in(id)",
        "in(id,)",
        "in(id,[1)",
        "in(id,[1,])",
        "in(id,[,1])",
        "in(id,[1 2])",
        "in(id,[[1]])",
        "in(id,[1],[2])",
        "in(id,[id])",
        "in([1],id)",
        "in(id,[eq(id,1)])",
    ] {
        refused(&service, SAMPLES, "filter", filter).naming(&["column ", "expected "]);
    }
    refused(&service, SAMPLES, "filter", "in(id,1)").naming(&[
        "column 7",
        "list",
        "square brackets",
        "`1`",
    ]);
    refused(&service, SAMPLES, "filter", "eq(id,[1])").naming(&["column 7"]);
}
