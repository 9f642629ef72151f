//! Repetitive patterns on repetitive texts, for which a naive search takes quadratic time.

use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use resource_tests::{Backend, apply, every_database, responses_differ};

use crate::requests::filtered;
use crate::samples::{SAMPLES, no_samples, with_texts};

/// Number of random patterns that are compared with a plain evaluation.
const PATTERNS: u32 = 300;

/// A call with this pattern in a filter, whose length is 8 KiB at most.
fn call(function: &str, pattern: &str) -> String {
    let escaped = pattern.replace('\\', r"\\");
    let literal = serde_json::to_string(&escaped).expect("JSON");
    format!("{function}(text,{literal})")
}

#[apply(every_database)]
fn repetitive_pattern_matches_in_a_text_of_a_megabyte() {
    let service = no_samples();
    let mut other = service.database().other_program();
    other.execute(&format!(
        "INSERT INTO samples (medium, ratio, sure, text) VALUES (0, 0, {})",
        match Backend::under_test() {
            Backend::Sqlite => "1, replace(hex(zeroblob(500000)), '0', 'a')",
            Backend::Postgres => "TRUE, repeat('a', 1000000)",
        }
    ));
    let letters = "a".repeat(7_900);
    for (pattern, found) in [
        (format!("%{letters}b%"), &[][..]),
        (format!("%{letters}b"), &[]),
        (format!("%{letters}%"), &[1]),
        (format!("%{letters}%{}%", "a".repeat(200)), &[1]),
        (format!("%{}b%", "a%".repeat(3_900)), &[]),
    ] {
        assert_eq!(filtered(&service, SAMPLES, &call("like", &pattern)), found);
        let upper = pattern.to_ascii_uppercase();
        assert_eq!(filtered(&service, SAMPLES, &call("ilike", &upper)), found);
        assert_eq!(filtered(&service, SAMPLES, &call("like", &upper)), [0; 0]);
    }
}

/// Short and long texts of few different letters, among them wildcards and escapes of SQL.
fn texts() -> Vec<String> {
    let repeated = |text: &str, length: usize| text.repeat(length / text.len() + 1);
    vec![
        repeated("a", 9_000),
        repeated("ab", 9_000) + "é\n🦀(.*)[a]{2}",
        repeated("aab\n", 20_000),
        repeated("aA", 300) + &repeated("\\_", 9_000),
        repeated("é", 9_000) + "É",
        repeated("^.$*+?()[]{}|\\_", 9_000),
        repeated("🦀a", 100),
        repeated("a", 70) + "b",
    ]
}

/// Plain evaluation: `%` matches any text, every other character itself.
fn matches(text: &str, pattern: &str) -> bool {
    let pieces: Vec<&str> = pattern.split('%').collect();
    let [first, between @ .., last] = &pieces[..] else {
        return text == pattern;
    };
    let inner = text
        .strip_prefix(first)
        .and_then(|text| text.strip_suffix(last));
    let Some(inner) = inner else {
        return false;
    };
    let left = between.iter().try_fold(inner, |text, piece| {
        text.find(piece).map(|at| &text[at + piece.len()..])
    });
    left.is_some()
}

/// Pieces of the texts, repeated and mutilated, with wildcards between.
fn pattern() -> impl Strategy<Value = String> {
    let piece = (any::<Index>(), any::<Index>(), 1..300_usize).prop_map(|(text, start, length)| {
        let texts = texts();
        let text: Vec<char> = text.get(&texts).chars().collect();
        let start = start.index(text.len());
        text[start..].iter().take(length).collect::<String>()
    });
    let other = select(
        &[
            "a", "b", "A", "é", "É", "\n", "_", "\\", ".*", "(a|", "^", "$",
        ][..],
    );
    let part = prop_oneof![
        4 => piece,
        3 => select(&["%", "%%"][..]).prop_map(str::to_owned),
        1 => other.prop_map(str::to_owned),
    ];
    proptest::collection::vec(part, 1..6).prop_map(|parts| parts.concat())
}

#[apply(every_database)]
fn random_patterns_match_a_plain_evaluation() {
    responses_differ("the patterns are random");
    let texts = texts();
    let service = with_texts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let config = Config {
        cases: PATTERNS,
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&pattern(), |pattern| {
        for (function, fold) in [("like", false), ("ilike", true)] {
            let folded = |text: &str| {
                if fold {
                    text.to_ascii_lowercase()
                } else {
                    text.to_owned()
                }
            };
            let holds = |text: &&String| matches(&folded(text), &folded(&pattern));
            let expected = (1..).zip(&texts).filter(|(_, text)| holds(text));
            let expected: Vec<i64> = expected.map(|(id, _)| id).collect();
            let filter = call(function, &pattern);
            if filter.len() <= 8 * 1024 && filtered(&service, SAMPLES, &filter) != expected {
                return Err(TestCaseError::fail(format!("{filter}: not {expected:?}")));
            }
        }
        Ok(())
    });
    outcome.expect("equal answers");
}
