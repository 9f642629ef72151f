//! Tests of the errors of filters, word by word.

use super::filter_message;

const CASES: &[(&str, &str)] = &[
    ("eq", "column 3: expected `(`, found the end"),
    ("eq(", "column 4: expected an attribute, found the end"),
    ("eq(id", "column 6: expected `,`, found the end"),
    ("eq(id)", "column 6: expected `,`, found `)`"),
    ("eq(id,", "column 7: expected a value, found the end"),
    ("eq(id,1", "column 8: expected `)`, found the end"),
    ("eq(id,1,2)", "column 8: expected `)`, found `,`"),
    (
        "eq(id,1) or",
        "column 10: expected the end, found `or`; several conditions stand in one call: `and(…,…)`",
    ),
    ("(eq(id,1))", "column 1: expected a function, found `(`"),
    ("5", "column 1: expected a function, found `5`"),
    ("ä", "column 1: expected a function, found `ä`"),
    (
        "equals(id,1)",
        "column 1: there is no function `equals`; did you mean `eq`?",
    ),
    (
        "name = \"Ann\"",
        "column 1: there is no function `name`; a filter is a call, such as `eq(title,\"Emma\")`; write \
         `eq(name,\"Ann\")`",
    ),
    (
        "EQ(id,1)",
        "column 1: there is no function `EQ`; did you mean `eq`?",
    ),
    (
        "ilke(name,\"a\")",
        "column 1: there is no function `ilke`; did you mean `ilike`?",
    ),
    (
        "and(eq(id,1))",
        "column 13: expected `,`, as `and` takes two filters or more, found `)`",
    ),
    ("or()", "column 4: expected a function, found `)`"),
    (
        "not(eq(id,1),eq(id,2))",
        "column 13: expected `)`, found `,`",
    ),
    (
        "in(id,1)",
        "column 7: expected a list in square brackets, found `1`",
    ),
    ("in(id,[1 2])", "column 10: expected `,` or `]`, found `2`"),
    ("in(id,[1,])", "column 10: expected a value, found `]`"),
    (
        "eq(name,Ann)",
        "column 9: expected a value; text stands in double quotes, found `Ann`",
    ),
    (
        "eq(name,\"Ann)",
        "column 9: expected a value, found a string without a closing quote",
    ),
    (
        r#"eq(name,"a\q")"#,
        "column 12: the string is not one of JSON: invalid escape; write a backslash as two",
    ),
    (
        r#"eq(name,"\ud800")"#,
        "column 16: the string is not one of JSON: unexpected end of hex escape",
    ),
    (
        "like(name,5)",
        "column 11: expected a pattern in double quotes, found `5`",
    ),
    (
        "contains(name,null)",
        "column 15: expected a text in double quotes, found `null`",
    ),
    (
        "istartswith(age,\"1\")",
        "column 17: `istartswith` matches text, but `age` is an integer",
    ),
    (
        "eq(nme,1)",
        "column 4: `nme` is not an attribute of Person; did you mean `name`?",
    ),
    (
        "eq(bill_address,1)",
        "column 4: `bill_address` is a subresource; name one of its \
          attributes: `bill_address.id`",
    ),
    (
        "eq(bil_address.city,1)",
        "column 4: `bil_address` is not a subresource of Person; \
          did you mean `bill_address`?",
    ),
    (
        "eq(bill_address.town,1)",
        "column 17: `town` is not an attribute of Address 1.0; it has `id`, `line1`, `city`",
    ),
    (
        "eq(bill_address.a.b,1)",
        "column 18: paths have two names at most: \
          `subresource.attribute`",
    ),
    (
        "eq(name,5)",
        "column 9: `name` is compared with a string, not 5",
    ),
    (
        "eq(name,\"\\u0000\")",
        "column 9: `name` is compared with a string without U+0000, \
          not \"\\u0000\"",
    ),
    (
        "eq(active,1)",
        "column 11: `active` is compared with true or false, not 1",
    ),
    (
        "eq(score,\"1\")",
        "column 10: `score` is compared with a number, not \"1\"",
    ),
    (
        "eq(score,1e999)",
        "column 10: `score` is compared with a number from \
          -1.7976931348623157e308 to 1.7976931348623157e308, not 1e999",
    ),
    (
        "eq(age,1.0)",
        "column 8: `age` is compared with an integer from -32768 to 32767, \
          not 1.0",
    ),
    (
        "in(age,[1,32768])",
        "column 11: `age` is compared with an integer from -32768 to \
          32767, not 32768",
    ),
    (
        "gt(age,null)",
        "column 8: `gt` compares with a value; `eq` and `ne` alone take null",
    ),
    (
        "like(age,\"1%\")",
        "column 10: `like` matches text, but `age` is an integer",
    ),
];

#[test]
fn filter_errors_name_the_column_and_the_expected_token() {
    for (text, expected) in CASES {
        assert_eq!(
            filter_message(text),
            format!("`filter`, {expected}"),
            "{text}"
        );
    }
}

#[test]
fn columns_count_characters() {
    let expected = "`filter`, column 22: `x` is not an attribute of Person";
    assert_eq!(filter_message("or(eq(name,\"äö🦀\"),eq(x,1))"), expected);
}

#[test]
fn hidden_attribute_has_the_error_of_an_unknown_one() {
    for (hidden, never) in [
        ("eq(password,1)", "eq(passwurt,1)"),
        (
            "like(bill_address.gate_code,\"1%\")",
            "like(bill_address.gate_kode,\"1%\")",
        ),
    ] {
        let hidden = filter_message(hidden).replace("gate_code", "gate_kode");
        assert_eq!(
            hidden.replace("password", "passwurt"),
            filter_message(never)
        );
    }
}
