//! Errors of `order`: column, found and expected token.

use crate::people::{PERSONS, people};
use crate::requests::refused;
use resource_tests::{apply, every_database};

#[apply(every_database)]
fn errors_of_order_name_the_column() {
    let service = people();
    for (order, said) in [
        (
            "last_name",
            &[
                "column 1",
                "expected `asc(` or `desc(`",
                "`last_name`; write `asc(last_name)`",
            ][..],
        ),
        ("asc(first_name),last_name", &["column 17", "`last_name`"]),
        (
            "dsc(last_name)",
            &["column 1", "`dsc`", "did you mean `desc`?"],
        ),
        ("ASC(last_name)", &["column 1", "`ASC`"]),
        (
            "-last_name",
            &["column 1", "found `-`; write `desc(last_name)`"],
        ),
        (
            "bill_address.city desc,id,desc(last_name)",
            &[
                "column 1",
                "; write `desc(bill_address.city),asc(id),desc(last_name)`",
            ],
        ),
        (
            "-bill_address__city",
            &["column 1", "; write `desc(bill_address.city)`"],
        ),
        (
            "desc(last_name).nullslast",
            &["column 16", "null is the smallest value"],
        ),
        (
            "last_name.desc.nullslast",
            &["column 1", "; write `desc(last_name)`"],
        ),
        (
            "-lst_name",
            &["found `-`; `lst_name` is not an attribute of Person; did you mean `last_name`?"],
        ),
        (
            "asc(lst_name)",
            &[
                "column 5",
                "`lst_name`",
                "Person",
                "did you mean `last_name`?",
            ],
        ),
        ("asc()", &["column 5", "expected an attribute", "`)`"]),
        ("asc(last_name", &["column 14", "expected `)`", "the end"]),
        ("asc(id,last_name)", &["column 7", "expected `)`", "`,`"]),
        ("asc(id) desc(last_name)", &["column 9", "`desc`"]),
        ("asc(id),", &["column 9", "the end"]),
        (",asc(id)", &["column 1", "`,`"]),
        ("asc(id),,desc(id)", &["column 9", "`,`"]),
        (
            "asc(bill_address)",
            &["column 5", "`bill_address` is a subresource"],
        ),
        (
            "asc(bill_address.town)",
            &["column 18", "`town`", "Address"],
        ),
        ("asc(first_name.city)", &["column 5", "`first_name`"]),
        ("asc(bill_address.city.x)", &["column 22"]),
        ("asc(\"id\")", &["column 5"]),
        ("asc(1)", &["column 5", "`1`"]),
        ("eq(id,1)", &["column 1", "`eq`"]),
        (" ", &["the end"]),
    ] {
        refused(&service, PERSONS, "order", order)
            .naming(said)
            .in_lines(1);
    }
}
