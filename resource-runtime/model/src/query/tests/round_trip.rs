//! Property tests: a tree prints a text that parses to the same tree, and no text makes a parser panic.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::{LIMITS, QueryLimits};
use crate::query::ast::{Filter, Literal, LiteralValue, Name, Path, Position};
use crate::query::functions::{Arguments, FUNCTIONS};
use crate::query::parse;

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
    let function = (0..FUNCTIONS.len()).prop_map(|index| &FUNCTIONS[index]);
    (function, path()).prop_flat_map(|(function, path)| {
        let text = any::<String>().prop_map(|text| Literal {
            value: LiteralValue::String(text),
            position: Position(0),
        });
        let literals = match function.arguments {
            Arguments::Values(count) => vec(literal(), count).boxed(),
            Arguments::Pattern | Arguments::Text => vec(text, 1).boxed(),
            Arguments::List => vec(literal(), 0..4).boxed(),
        };
        literals.prop_map(move |literals| Filter::Test(function, path.clone(), literals))
    })
}

fn tree() -> impl Strategy<Value = Filter> {
    let has = (path(), option::of(leaf()));
    let has = has.prop_map(|(path, filter)| Filter::Has(path.first, filter.map(Box::new)));
    prop_oneof![4 => leaf(), 1 => has].prop_recursive(4, 24, 4, |inner| {
        let several = vec(inner.clone(), 2..4);
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
