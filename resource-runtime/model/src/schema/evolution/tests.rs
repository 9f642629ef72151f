//! Tests of the texts and the table of rules; each rule is told in the tests of the workspace.

use super::super::{Attribute, ResourceDefinition, Version};
use super::{Rule, Text, Versions};

#[test]
fn long_texts_are_cut_between_words_of_the_sentence() {
    let mut text = Text::new();
    for _ in 0..200 {
        text.add("nine µs. ");
    }
    assert!(text.as_str().ends_with("nine µs. …") && text.as_str().len() > 1000);
    let length = text.as_str().len();
    text.add_number(1);
    assert_eq!(text.as_str().len(), length);
}

#[test]
fn every_rule_has_a_word_of_its_own() {
    for (index, rule) in Rule::ALL.into_iter().enumerate() {
        assert_eq!(Rule::named(rule.entry().word), Some(rule));
        assert_eq!(rule as usize, index);
    }
    let numbers = Rule::ALL.map(|it| it.entry().number);
    assert!(numbers.is_sorted());
}

#[test]
fn limits_that_are_held_back_are_the_narrower_ones() {
    static OPEN: Attribute = Attribute::of::<i64>("a").max(10);
    static WIDE: Attribute = Attribute::of::<String>("a").min_length(1).max_length(80);
    let held = WIDE.held_to(&Attribute::of::<String>("a").min_length(3).max_length(50));
    assert_eq!(held.length_limits(), (Some(3), Some(50)));
    assert_eq!(held.facts().answers.limits, WIDE.facts().accepts.limits);
    let held = WIDE.held_to(&Attribute::of::<String>("a").max_length(90));
    assert_eq!(held.length_limits(), (Some(1), Some(80)));
    let held = OPEN.held_to(&Attribute::of::<i64>("a").min(0).max(100));
    assert_eq!(held.value_limits(), OPEN.min(0).value_limits());
}

#[test]
fn columns_of_other_attributes_are_seen_in_short() {
    let version = |major, columns: &[(&'static str, &'static str)]| -> &'static _ {
        let attribute = |(name, column)| Attribute::of::<Option<String>>(name).column(column);
        let attributes: Vec<_> = columns.iter().copied().map(attribute).collect();
        Box::leak(Box::new(
            ResourceDefinition::new("A", "a", Version::new(major, 0)).attributes(attributes.leak()),
        ))
    };
    let old = version(1, &[("a", "x"), ("b", "y")]);
    for (columns, broken) in [
        (&[("a", "x"), ("b", "y"), ("c", "z")][..], None),
        (&[("b", "y"), ("c", "z"), ("a", "x")], None),
        (&[("a", "y"), ("b", "x")], Some(0)),
        (&[("a", "z"), ("b", "y"), ("c", "x")], Some(0)),
        // An attribute that is not deprecated may not go.
        (&[("a", "x"), ("c", "z")], Some(2)),
    ] {
        assert_eq!(
            Versions::between(old, version(2, columns))
                .compared()
                .broken(),
            broken,
            "{columns:?}"
        );
    }
}
