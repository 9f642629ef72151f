//! Tests of the texts and the table of rules; each rule is told in the tests of the workspace.

use super::{Rule, Text};

#[test]
fn long_texts_are_cut_between_words_of_the_sentence() {
    let mut text = Text::new();
    for _ in 0..200 {
        text.add("nine µs. ");
    }
    assert!(text.as_str().ends_with("nine µs. ") && text.as_str().len() > 1000);
    text.add_number(u64::MAX);
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
