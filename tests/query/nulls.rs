//! Null: conditions that test for it; no condition is unknown where a value is null.

use resource_tests::{Client, apply, every_database};

use crate::requests::{filtered, refused};
use crate::samples::{ATTRIBUTES, SAMPLES, samples};

/// A stored value of each attribute, and a pattern for those of text.
const CALLS: [&str; 34] = [
    "eq(id,3)",
    "ne(small,0)",
    "gt(small,0)",
    "ge(small,0)",
    "lt(small,0)",
    "le(small,0)",
    "eq(medium,7)",
    "eq(large,0)",
    "ne(large,0)",
    "gt(large,0)",
    "lt(real,0)",
    "ne(real,0)",
    "le(ratio,0.5)",
    "eq(flag,true)",
    "ne(flag,true)",
    "lt(flag,true)",
    "ge(sure,true)",
    r#"eq(text,"a")"#,
    r#"eq(note,"a")"#,
    r#"ne(note,"a")"#,
    r#"gt(note,"")"#,
    r#"like(note,"%")"#,
    r#"like(note,"a%")"#,
    r#"like(note,"%a%")"#,
    r#"like(note,"a")"#,
    r#"ilike(note,"a")"#,
    r#"ilike(text,"%A%")"#,
    "in(small,[0,1])",
    "in(small,[0,null])",
    "in(small,[null])",
    "in(small,[])",
    "eq(note,null)",
    "ne(note,null)",
    r#"and(ne(note,"a"),or(lt(small,5),eq(flag,null)))"#,
];

fn others(found: &[i64]) -> Vec<i64> {
    (1..=5).filter(|id| !found.contains(id)).collect()
}

fn found(client: &Client, filter: &str) -> Vec<i64> {
    filtered(client, SAMPLES, filter)
}

#[apply(every_database)]
fn eq_null_matches_null_and_ne_null_the_others() {
    let service = samples();
    for (attribute, null) in [
        ("small", &[4][..]),
        ("large", &[4]),
        ("real", &[4]),
        ("flag", &[3, 4]),
        ("note", &[3, 4]),
        ("id", &[]),
        ("medium", &[]),
        ("ratio", &[]),
        ("sure", &[]),
        ("text", &[]),
    ] {
        assert_eq!(found(&service, &format!("eq({attribute},null)")), null);
        assert_eq!(found(&service, &format!("not(ne({attribute},null))")), null);
        assert_eq!(
            found(&service, &format!("ne({attribute},null)")),
            others(null)
        );
        assert_eq!(
            found(&service, &format!("not(eq({attribute},null))")),
            others(null)
        );
        assert_eq!(found(&service, &format!("in({attribute},[null])")), null);
        assert_eq!(
            found(&service, &format!("not(in({attribute},[null]))")),
            others(null)
        );
    }
}

#[apply(every_database)]
fn other_comparisons_refuse_null_and_suggest_eq_and_ne() {
    let service = samples();
    for (attribute, _) in ATTRIBUTES {
        for function in ["gt", "ge", "lt", "le"] {
            let filter = format!("{function}({attribute},null)");
            let column = format!("column {}", attribute.len() + 5);
            refused(&service, SAMPLES, "filter", &filter).naming(&[
                &column,
                &format!("`{function}`"),
                "`eq`",
                "`ne`",
                "null",
            ]);
        }
    }
}

#[apply(every_database)]
fn patterns_refuse_null_and_never_match_it() {
    let service = samples();
    for function in ["like", "ilike"] {
        refused(
            &service,
            SAMPLES,
            "filter",
            &format!("{function}(note,null)"),
        )
        .naming(&["column"]);
        assert_eq!(
            found(&service, &format!(r#"{function}(note,"%")"#)),
            [1, 2, 5]
        );
        assert_eq!(
            found(&service, &format!(r#"not({function}(note,"%"))"#)),
            [3, 4]
        );
        assert_eq!(
            found(&service, &format!(r#"{function}(note,"null")"#)),
            [0; 0]
        );
    }
}

#[apply(every_database)]
fn not_matches_exactly_the_complement() {
    let service = samples();
    for call in CALLS {
        let there = found(&service, call);
        assert_eq!(found(&service, &format!("not({call})")), others(&there));
        assert_eq!(found(&service, &format!("not(not({call}))")), there);
        assert_eq!(
            found(&service, &format!("or({call},not({call}))")),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(found(&service, &format!("and({call},not({call}))")), [0; 0]);
    }
}

#[apply(every_database)]
fn de_morgan_holds_with_nulls() {
    let service = samples();
    for (index, one) in CALLS.iter().enumerate() {
        let other = CALLS[(index * 7 + 3) % CALLS.len()];
        let and = found(&service, &format!("not(and({one},{other}))"));
        assert_eq!(
            and,
            found(&service, &format!("or(not({one}),not({other}))"))
        );
        let or = found(&service, &format!("not(or({one},{other}))"));
        assert_eq!(
            or,
            found(&service, &format!("and(not({one}),not({other}))"))
        );
    }
}
