//! Paths into subresources, in filters.

use crate::people::{PERSONS, people};
use crate::requests::{filtered, ordered, refused};
use resource_tests::{apply, every_database};

#[track_caller]
fn assert_found(cases: &[(&str, &[i64])]) {
    let service = people();
    for (filter, expected) in cases {
        assert_eq!(filtered(&service, PERSONS, filter), *expected, "{filter}");
        let others: Vec<i64> = (1..=6).filter(|id| !expected.contains(id)).collect();
        let negated = format!("not({filter})");
        assert_eq!(filtered(&service, PERSONS, &negated), others, "{negated}");
    }
}

#[apply(every_database)]
fn every_function_accepts_a_path() {
    assert_found(&[
        (r#"eq(bill_address.city,"Springfield")"#, &[1, 5]),
        (r#"ne(bill_address.city,"Springfield")"#, &[2, 3, 4, 6]),
        ("gt(bill_address.id,1)", &[2, 4]),
        ("ge(bill_address.id,2)", &[2, 4]),
        ("lt(bill_address.id,2)", &[1, 5]),
        (r#"le(bill_address.line1,"50% Lane")"#, &[1, 2, 5]),
        (r#"like(bill_address.line1,"50\\%%")"#, &[2]),
        (r#"like(bill_address.line1,"%a%")"#, &[1, 2, 4, 5]),
        (r#"ilike(bill_address.city,"%VILLE")"#, &[2]),
        ("in(ship_address.id,[1,3])", &[4, 6]),
        ("in(ship_address.id,[])", &[]),
    ]);
}

#[apply(every_database)]
fn attributes_of_a_missing_subresource_are_null() {
    assert_found(&[
        ("eq(bill_address.id,null)", &[3, 6]),
        ("eq(bill_address.line1,null)", &[3, 6]),
        ("eq(bill_address.city,null)", &[3, 4, 6]),
        ("ne(bill_address.city,null)", &[1, 2, 5]),
        ("ne(bill_address.id,1)", &[2, 3, 4, 6]),
        (r#"like(bill_address.line1,"%")"#, &[1, 2, 4, 5]),
        (
            r#"in(bill_address.city,[null,"Shelbyville"])"#,
            &[2, 3, 4, 6],
        ),
        ("in(bill_address.id,[2,null])", &[2, 3, 6]),
        ("in(mail_address.id,[null])", &[1, 2, 3, 5]),
    ]);
}

#[apply(every_database)]
fn two_subresources_of_one_table_are_independent() {
    assert_found(&[
        (
            r#"and(eq(bill_address.city,"Springfield"),eq(ship_address.city,"Shelbyville"))"#,
            &[1],
        ),
        (
            r#"and(eq(ship_address.city,"Springfield"),eq(bill_address.city,null))"#,
            &[4, 6],
        ),
        ("or(eq(ship_address.id,2),eq(bill_address.id,2))", &[1, 2]),
        (
            r#"or(eq(bill_address.country,"CH"),eq(ship_address.country,"US"),eq(mail_address.id,3))"#,
            &[4, 6],
        ),
        (
            "and(eq(bill_address.id,null),eq(ship_address.id,null),eq(mail_address.id,null))",
            &[3],
        ),
    ]);
}

#[apply(every_database)]
fn key_is_an_attribute_of_both_item_and_subresource() {
    assert_found(&[
        ("eq(bill_address_id,1)", &[1, 5]),
        ("eq(bill_address.id,1)", &[1, 5]),
        ("ne(bill_address_id,null)", &[1, 2, 4, 5]),
        (
            "and(eq(bill_address_id,1),eq(bill_address.id,1),gt(id,1))",
            &[5],
        ),
    ]);
}

#[apply(every_database)]
fn items_are_not_duplicated_by_paths() {
    let service = people();
    let all = "or(ne(bill_address.id,0),ne(ship_address.id,0),ne(mail_address.id,0))";
    assert_eq!(filtered(&service, PERSONS, all), [1, 2, 3, 4, 5, 6]);
    let order = "desc(mail_address.city),asc(ship_address.id),asc(bill_address.id)";
    assert_eq!(ordered(&service, PERSONS, order), [6, 3, 5, 4, 1, 2]);
}

#[apply(every_database)]
fn literal_must_fit_the_attribute_of_the_path() {
    let service = people();
    refused(&service, PERSONS, "filter", r#"eq(bill_address.id,"1")"#).naming(&[
        "column 20",
        "`id`",
        "an integer",
    ]);
    refused(&service, PERSONS, "filter", r#"eq(bill_address__city,"A")"#)
        .naming(&["column 4", "write `bill_address.city`"]);
    refused(&service, PERSONS, "filter", "eq(bill_address.city,1)").naming(&[
        "column 22",
        "`city`",
        "a string",
    ]);
    refused(&service, PERSONS, "filter", r#"like(bill_address.id,"1")"#).naming(&["`id`", "text"]);
    refused(&service, PERSONS, "filter", "gt(bill_address.id,null)").naming(&["`gt`", "null"]);
}

#[apply(every_database)]
fn path_is_a_subresource_a_dot_and_an_attribute() {
    let service = people();
    for (path, said) in [
        (
            "bill_address",
            &[
                "column 4",
                "`bill_address` is a subresource",
                "`bill_address.id`",
            ][..],
        ),
        (
            "bil_address.city",
            &[
                "column 4",
                "`bil_address`",
                "Person",
                "did you mean `bill_address`?",
            ],
        ),
        (
            "bill_address.cty",
            &["column 17", "`cty`", "Address", "did you mean `city`?"],
        ),
        (
            "bill_address.first_name",
            &["column 17", "`first_name`", "Address"],
        ),
        (
            "bill_address.bill_address",
            &["column 17", "`bill_address`", "Address"],
        ),
        ("bill_address.city.x", &["column 21"]),
        ("first_name.city", &["column 4", "`first_name`"]),
        ("bill_address_id.city", &["column 4", "`bill_address_id`"]),
        ("address.city", &["column 4", "`address`"]),
        (
            "bill_address.",
            &["column 17", "expected an attribute", "`,`"],
        ),
        (".city", &["column 4", "expected an attribute", "`.`"]),
        ("bill_address..city", &["column 17"]),
        ("bill_address.\"city\"", &["column 17"]),
    ] {
        for filter in [
            format!("eq({path},1)"),
            format!("in({path},[])"),
            format!("ne({path},null)"),
        ] {
            refused(&service, PERSONS, "filter", &filter).naming(said);
        }
    }
}
