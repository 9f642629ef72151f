//! The functions `and`, `or` and `not`.

use crate::requests::{filtered, refused};
use crate::samples::{SAMPLES, samples};
use resource_tests::{apply, every_database};

#[apply(every_database)]
fn and_holds_where_all_hold() {
    let service = samples();
    for (filter, expected) in [
        ("and(eq(medium,7),eq(sure,true))", &[4][..]),
        ("and(gt(id,1),lt(id,5),ne(id,3))", &[2, 4]),
        ("and(gt(id,1),gt(id,1),gt(id,1),gt(id,4))", &[5]),
        ("and(eq(id,1),eq(id,2))", &[]),
        (r#"and(like(text,"%"),ne(note,null))"#, &[1, 2, 5]),
    ] {
        assert_eq!(filtered(&service, SAMPLES, filter), expected, "{filter}");
    }
}

#[apply(every_database)]
fn or_holds_where_one_holds() {
    let service = samples();
    for (filter, expected) in [
        ("or(eq(id,1),eq(id,4))", &[1, 4][..]),
        ("or(eq(id,1),eq(id,1))", &[1]),
        ("or(eq(id,9),eq(text,\"a\"),eq(flag,true))", &[2, 3]),
        ("or(lt(id,3),ge(id,3))", &[1, 2, 3, 4, 5]),
        ("or(eq(small,0),eq(small,null))", &[2, 4, 5]),
    ] {
        assert_eq!(filtered(&service, SAMPLES, filter), expected, "{filter}");
    }
}

#[apply(every_database)]
fn and_or_and_not_nest_freely() {
    let service = samples();
    for (filter, expected) in [
        (
            "or(and(eq(id,1),eq(sure,false)),and(eq(id,2),eq(sure,false)))",
            &[1][..],
        ),
        ("and(or(eq(id,1),eq(id,2)),or(eq(id,2),eq(id,3)))", &[2]),
        ("or(eq(id,5),and(eq(id,1),eq(id,2)))", &[5]),
        ("and(eq(id,5),or(eq(id,1),eq(id,5)))", &[5]),
        ("not(or(eq(id,1),and(gt(id,2),not(eq(id,4)))))", &[2, 4]),
        ("not(and(not(eq(id,1)),not(eq(id,2))))", &[1, 2]),
        ("not(not(not(eq(id,1))))", &[2, 3, 4, 5]),
    ] {
        assert_eq!(filtered(&service, SAMPLES, filter), expected, "{filter}");
    }
}

#[apply(every_database)]
fn the_order_of_the_arguments_does_not_matter() {
    let service = samples();
    let calls = [
        "gt(id,1)",
        "ne(note,\"a\")",
        "or(eq(flag,false),eq(flag,null))",
    ];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let [one, two, three] = order.map(|index| calls[index]);
        assert_eq!(
            filtered(&service, SAMPLES, &format!("and({one},{two},{three})")),
            [3, 4, 5]
        );
        assert_eq!(
            filtered(
                &service,
                SAMPLES,
                &format!("or(not({one}),not({two}),not({three}))")
            ),
            [1, 2]
        );
    }
}

#[apply(every_database)]
fn and_and_or_take_two_filters_or_more_and_say_so() {
    let service = samples();
    for function in ["and", "or"] {
        let one = format!("{function}(eq(id,1))");
        let column = format!("column {}", one.len());
        refused(&service, SAMPLES, "filter", &one).naming(&[
            &column,
            &format!("`{function}` takes two filters or more"),
            "`)`",
        ]);
        for arguments in [
            "",
            ",",
            "eq(id,1),",
            ",eq(id,1)",
            "eq(id,1) eq(id,2)",
            "id,1",
            "true,false",
            "[eq(id,1)]",
        ] {
            let filter = format!("{function}({arguments})");
            refused(&service, SAMPLES, "filter", &filter).naming(&["column "]);
        }
    }
}

#[apply(every_database)]
fn not_takes_one_filter() {
    let service = samples();
    for filter in [
        "not()",
        "not(eq(id,1),eq(id,2))",
        "not(true)",
        "not(id)",
        "not",
        "not eq(id,1)",
        "not(not)",
    ] {
        refused(&service, SAMPLES, "filter", filter).naming(&["column "]);
    }
}

#[apply(every_database)]
fn long_chains_evaluate_every_argument() {
    let service = samples();
    let chain = |function: &str, call: &str| format!("{function}({})", vec![call; 700].join(","));
    assert_eq!(
        filtered(&service, SAMPLES, &chain("and", "gt(id,1)")),
        [2, 3, 4, 5]
    );
    assert_eq!(
        filtered(&service, SAMPLES, &chain("or", "ne(id,1)")),
        [2, 3, 4, 5]
    );
    let differs = chain("or", "eq(id,1)").replacen("eq(id,1)", "eq(id,4)", 1);
    assert_eq!(filtered(&service, SAMPLES, &differs), [1, 4]);
    let negated = format!("not({})", chain("or", "eq(id,1)"));
    assert_eq!(filtered(&service, SAMPLES, &negated), [2, 3, 4, 5]);
}
