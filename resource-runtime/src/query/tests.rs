//! Every error of the query language, word by word, and that trees print what they were read from.

use proptest::prelude::*;

use super::parse;
use super::tree::{Comparison, Filter, Likeness, Literal, LiteralValue, Name, Path, Position};
use super::{QueryLimits, fields, filter, order};
use crate::ApiResource as _;
use crate::error::ApiError;
use crate::samples::Person;

const LIMITS: QueryLimits = QueryLimits::new();

fn message<T>(result: Result<T, ApiError>) -> String {
    match result {
        Ok(_) => String::from("no error"),
        Err(error) => error.description().to_owned(),
    }
}

fn filter_message(text: &str) -> String {
    message(filter(Person::DEFINITION, Some(text), LIMITS))
}

#[test]
fn filters_say_where_they_go_wrong_and_what_was_expected() {
    let cases = [
        ("eq", "column 3: expected `(`, found the end"),
        ("eq(", "column 4: expected an attribute, found the end"),
        ("eq(id", "column 6: expected `,`, found the end"),
        ("eq(id)", "column 6: expected `,`, found `)`"),
        ("eq(id,", "column 7: expected a value, found the end"),
        ("eq(id,1", "column 8: expected `)`, found the end"),
        ("eq(id,1,2)", "column 8: expected `)`, found `,`"),
        ("eq(id,1) or", "column 10: expected the end, found `or`"),
        ("(eq(id,1))", "column 1: expected a function, found `(`"),
        ("5", "column 1: expected a function, found `5`"),
        ("ä", "column 1: expected a function, found `ä`"),
        (
            "equals(id,1)",
            "column 1: there is no function `equals`; did you mean `eq`?",
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
            "column 17: `town` is not an attribute of Address",
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
            "column 10: `score` is compared with a number within its range, \
          not 1e999",
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
    for (text, expected) in cases {
        assert_eq!(
            filter_message(text),
            format!("`filter`, {expected}"),
            "{text}"
        );
    }
}

#[test]
fn columns_count_characters() {
    let expected = "`filter`, column 19: `x` is not an attribute of Person";
    assert_eq!(
        filter_message("or(eq(name,\"äö🦀\"),eq(x,1))"),
        expected.replace("19", "22")
    );
}

#[test]
fn a_hidden_attribute_is_as_unknown_as_one_that_never_was() {
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

#[test]
fn orders_and_fields_say_where_they_go_wrong() {
    for (text, expected) in [
        ("name", "column 1: expected `asc(` or `desc(`, found `name`"),
        (
            "dsc(name)",
            "column 1: expected `asc(` or `desc(`, found `dsc`; did you mean `desc`?",
        ),
        ("asc(name", "column 9: expected `)`, found the end"),
        (
            "asc(name) desc(id)",
            "column 11: expected `,` or the end, found `desc`",
        ),
        (
            "asc(name),",
            "column 11: expected `asc(` or `desc(`, found the end",
        ),
        (
            "asc(password)",
            "column 5: `password` is not an attribute of Person",
        ),
    ] {
        let found = message(order(Person::DEFINITION, Some(text), LIMITS));
        assert_eq!(found, format!("`order`, {expected}"), "{text}");
    }
    for (text, expected) in [
        (
            "id,",
            "column 4: expected an attribute or a subresource, found the end",
        ),
        ("id name", "column 4: expected `,` or the end, found `name`"),
        (
            "*",
            "column 1: expected an attribute or a subresource, found `*`",
        ),
        (
            "name(id)",
            "column 1: `name` is not a subresource of Person",
        ),
        (
            "region()",
            "column 8: expected an attribute of the subresource, found `)`",
        ),
        (
            "region(nam)",
            "column 8: `nam` is not an attribute of Region; did you mean `name`?",
        ),
        ("region(name", "column 12: expected `)`, found the end"),
        (
            "region(name(x))",
            "column 12: only the first level expands; name attributes of the subresource here",
        ),
        (
            "password",
            "column 1: `password` is not an attribute of Person",
        ),
    ] {
        let found = message(fields(Person::DEFINITION, Some(text), LIMITS));
        assert_eq!(found, format!("`fields`, {expected}"), "{text}");
    }
}

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

fn name() -> impl Strategy<Value = Name> {
    "[a-z_][a-z0-9_]{0,5}"
        .prop_filter("a keyword is no name", |text| {
            !["true", "false", "null"].contains(&&**text)
        })
        .prop_map(|text| Name {
            text,
            position: Position(0),
        })
}

fn path() -> impl Strategy<Value = Path> {
    (name(), proptest::option::of(name())).prop_map(|(first, second)| Path { first, second })
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        any::<String>().prop_map(LiteralValue::String),
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?"
            .prop_map(LiteralValue::Number),
        any::<bool>().prop_map(LiteralValue::Boolean),
        Just(LiteralValue::Null),
    ]
    .prop_map(|value| Literal {
        value,
        position: Position(0),
    })
}

fn leaf() -> impl Strategy<Value = Filter> {
    let comparison = prop_oneof![
        Just(Comparison::Eq),
        Just(Comparison::Ne),
        Just(Comparison::Gt),
        Just(Comparison::Ge),
        Just(Comparison::Lt),
        Just(Comparison::Le),
    ];
    let likeness = prop_oneof![Just(Likeness::Like), Just(Likeness::Ilike)];
    let pattern = any::<String>().prop_map(|text| Literal {
        value: LiteralValue::String(text),
        position: Position(0),
    });
    prop_oneof![
        (comparison, path(), literal())
            .prop_map(|(function, path, value)| Filter::Compare(function, path, value)),
        (likeness, path(), pattern)
            .prop_map(|(function, path, pattern)| Filter::Like(function, path, pattern)),
        (path(), proptest::collection::vec(literal(), 0..4))
            .prop_map(|(path, values)| Filter::In(path, values)),
    ]
}

fn tree() -> impl Strategy<Value = Filter> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        let several = proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            several.clone().prop_map(Filter::And),
            several.prop_map(Filter::Or),
            inner.prop_map(|filter| Filter::Not(Box::new(filter))),
        ]
    })
}

proptest! {
    #[test]
    fn a_tree_prints_the_text_that_it_is_read_from(tree in tree()) {
        let text = tree.to_string();
        let limits = QueryLimits::new().length(usize::MAX);
        prop_assert_eq!(parse::filter(&text, limits), Ok(tree), "{}", text);
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in any::<String>()) {
        let _ = parse::filter(&text, LIMITS);
        let _ = parse::order(&text, LIMITS);
        let _ = parse::fields(&text, LIMITS);
    }
}
