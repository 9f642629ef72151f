//! Tests with checks as PostgreSQL's `pg_get_expr` prints them.

use proptest::prelude::{any, proptest};
use resource_model::schema::Bound;

use super::{Limit, Relation, printed_limits};

#[track_caller]
fn assert_limits(expression: &str, expected: &[Limit]) {
    assert_eq!(printed_limits(expression), expected, "{expression}");
}

fn length(relation: Relation, characters: i64) -> Limit {
    Limit::Length(String::from("x"), relation, characters)
}

fn value(relation: Relation, bound: Bound) -> Limit {
    Limit::Value(String::from("x"), relation, bound)
}

fn names(names: &[&str]) -> Limit {
    let names = names.iter().map(|name| String::from(*name));
    Limit::Texts(String::from("x"), names.collect())
}

#[test]
fn lengths_are_understood() {
    for expression in [
        "(length(x) <= 50)",
        "(length((x)::text) <= 50)",
        "((x IS NULL) OR (length((x)::text) <= 50))",
        "(char_length((\"x\")::text) <= 50)",
        "(50 >= length(x))",
    ] {
        assert_limits(expression, &[length(Relation::Greatest, 50)]);
    }
    assert_limits(
        "((length((x)::text) >= 1) AND (length((x)::text) < 9))",
        &[length(Relation::Least, 1), length(Relation::Below, 9)],
    );
}

#[test]
fn ranges_are_understood_whatever_the_type_of_their_numbers() {
    for (expression, bound) in [
        ("(x >= 0)", Bound::Integer(0)),
        ("(x >= '-5'::integer)", Bound::Integer(-5)),
        (
            "(x >= '-9223372036854775808'::bigint)",
            Bound::Integer(i64::MIN),
        ),
        ("(x >= (1000)::numeric)", Bound::Integer(1000)),
        ("(x >= (5)::double precision)", Bound::Integer(5)),
        ("(x >= '-0.5'::numeric)", Bound::Real(-0.5)),
        ("(x >= (0.8)::double precision)", Bound::Real(0.8)),
        (
            "(x >= ('-0.1'::numeric)::double precision)",
            Bound::Real(-0.1),
        ),
        (
            "(x >= ('1000000015047466200000000000000'::numeric)::double precision)",
            Bound::Real(10_000_000_150_474_662e14),
        ),
        ("((x)::double precision >= 0.5)", Bound::Real(0.5)),
    ] {
        assert_limits(expression, &[value(Relation::Least, bound)]);
    }
    assert_limits(
        "((x >= 0) AND (x <= 150))",
        &[
            value(Relation::Least, Bound::Integer(0)),
            value(Relation::Greatest, Bound::Integer(150)),
        ],
    );
}

#[test]
fn names_are_understood_as_lists_and_alone() {
    for expression in [
        "(x = ANY (ARRAY['red'::text, 'o''range'::text]))",
        "((x)::text = ANY ((ARRAY['red'::character varying, 'o''range'::character varying])::text[]))",
        "((x)::text = ANY (ARRAY[('red'::character varying)::text, ('o''range'::character varying)::text]))",
    ] {
        assert_limits(expression, &[names(&["red", "o'range"])]);
    }
    assert_limits("((x)::text = 'red'::text)", &[names(&["red"])]);
    assert_limits("(x = '5'::text)", &[names(&["5"])]);
}

#[test]
fn lossy_casts_and_checks_of_other_forms_are_ignored() {
    for expression in [
        "((x)::integer >= 5)",
        "((x)::numeric(10,2) >= 0.5)",
        "((x)::character varying(3) = ANY (ARRAY['red'::text]))",
        "((x)::text <> ALL (ARRAY['red'::text]))",
        "(x = ANY ('{red,green}'::text[]))",
        "(x = ANY (y))",
        "(x ~ '^[a-z]+$'::text)",
        "(lower((x)::text) = 'red'::text)",
        "(x >= 'NaN'::numeric)",
        "(length((x)::text) >= y)",
        "CASE WHEN (x > 1) THEN true ELSE false END",
    ] {
        assert_limits(expression, &[]);
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(
        text in any::<String>(),
        sql in "([(),'\"\\[\\]<=>. a1é-]|::| OR | AND | ANY |ARRAY|integer|text|double precision|length){0,60}",
    ) {
        printed_limits(&text);
        printed_limits(&sql);
    }
}
