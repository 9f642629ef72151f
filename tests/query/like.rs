//! `like`: `%` matches any text, `\%` a percent sign, `\\` a backslash, every other character itself.

use crate::patterns::{TEXTS, assert_matches};
use crate::requests::filtered;
use crate::samples::{SAMPLES, with_texts};
use resource_tests::{apply, every_database};

#[apply(every_database)]
fn pattern_without_a_wildcard_matches_the_equal_text() {
    let cases = TEXTS.map(|text| (text.replace('\\', r"\\").replace('%', r"\%"), [text]));
    let cases: Vec<(&str, &[&str])> = cases
        .iter()
        .map(|(pattern, found)| (pattern.as_str(), found.as_slice()))
        .collect();
    assert_matches("like", &cases);
}

#[apply(every_database)]
fn percent_sign_matches_any_text_also_empty() {
    assert_matches(
        "like",
        &[
            ("%", &TEXTS),
            ("%%%", &TEXTS),
            (
                "a%",
                &["a", "ab", "aB", "a%b", "a_b", "axb", "a*b", "a\\b", "a🦀b"],
            ),
            ("%a", &["a", "ba"]),
            ("%b", &["ab", "a%b", "a_b", "axb", "a*b", "a\\b", "a🦀b"]),
            ("a%b", &["ab", "a%b", "a_b", "axb", "a*b", "a\\b", "a🦀b"]),
            ("%🦀%", &["🦀", "a🦀b"]),
            ("%a%b%", &["ab", "a%b", "a_b", "axb", "a*b", "a\\b", "a🦀b"]),
            ("%b%a%", &["ba"]),
            ("🦀%", &["🦀"]),
            ("%é", &["é"]),
            ("%[%", &["[", "[a]"]),
            ("%]", &["]", "[a]"]),
        ],
    );
}

#[apply(every_database)]
fn escaped_percent_sign_and_backslash_match_themselves() {
    assert_matches(
        "like",
        &[
            (r"\%", &["%"]),
            (r"%\%%", &["%", "\\%", "a%b"]),
            (r"a\%%", &["a%b"]),
            (r"\\", &["\\"]),
            (r"\\%", &["\\", "\\%"]),
            (r"\\\%", &["\\%"]),
            (r"%\\%", &["\\", "\\%", "a\\b"]),
            (r"%\\", &["\\"]),
        ],
    );
}

#[apply(every_database)]
fn other_characters_match_themselves() {
    assert_matches(
        "like",
        &[
            ("_", &["_"]),
            ("?", &["?"]),
            ("*", &["*"]),
            ("[a]", &["[a]"]),
            ("a_b", &["a_b"]),
            ("a?b", &[]),
            ("a*b", &["a*b"]),
            ("%_%", &["_", "a_b"]),
            ("%?%", &["?"]),
            ("%*%", &["*", "a*b"]),
            ("[%", &["[", "[a]"]),
            ("%[a]%", &["[a]"]),
            ("[^a]%", &[]),
            ("", &[""]),
        ],
    );
}

#[apply(every_database)]
fn backslash_before_other_characters_matches_itself() {
    assert_matches(
        "like",
        &[(r"a\b", &["a\\b"]), (r"\", &["\\"]), (r"%\b", &["a\\b"])],
    );
    assert_matches(
        "ilike",
        &[(r"A\B", &["a\\b"]), (r"\", &["\\"]), (r"\_", &[])],
    );
}

#[apply(every_database)]
fn like_is_case_sensitive() {
    assert_matches(
        "like",
        &[
            ("a", &["a"]),
            ("A", &["A"]),
            ("A%", &["A"]),
            ("%B", &["aB"]),
            ("%B%", &["aB"]),
            ("É", &["É"]),
        ],
    );
}

#[apply(every_database)]
fn prefix_search_finds_all_texts_with_the_prefix_and_no_others() {
    let texts = [
        "a",
        "a\u{10ffff}",
        "a\u{10ffff}x",
        "b",
        "\u{d7ff}",
        "\u{d7ff}x",
        "\u{e000}",
        "\u{10ffff}",
        "\u{10ffff}x",
    ];
    let service = with_texts(&texts);
    for (prefix, expected) in [
        ("a", &[1, 2, 3][..]),
        ("a\u{10ffff}", &[2, 3]),
        ("\u{d7ff}", &[5, 6]),
        ("\u{e000}", &[7]),
        ("\u{10ffff}", &[8, 9]),
    ] {
        for pattern in ["%", "%%"].map(|end| format!("{prefix}{end}")) {
            assert_eq!(
                filtered(&service, SAMPLES, &format!(r#"like(text,"{pattern}")"#)),
                expected
            );
            assert_eq!(
                filtered(&service, SAMPLES, &format!(r#"ilike(text,"{pattern}")"#)),
                expected
            );
        }
    }
}

/// Three characters that SQLite's own pattern functions treat as U+FFFD.
#[apply(every_database)]
fn noncharacters_are_distinguished() {
    let texts = ["a\u{fffd}", "a\u{fffe}", "a\u{ffff}"];
    let service = with_texts(&texts);
    for (id, text) in (1..).zip(texts) {
        let last = &text[1..];
        for filter in [
            format!(r#"eq(text,"{text}")"#),
            format!(r#"like(text,"{text}%")"#),
            format!(r#"like(text,"%{last}")"#),
            format!(r#"like(text,"%{last}%")"#),
            format!(r#"ilike(text,"{text}")"#),
            format!(r#"ilike(text,"%{last}%")"#),
        ] {
            assert_eq!(
                filtered(&service, SAMPLES, &filter),
                [id],
                "{}",
                filter.escape_unicode()
            );
        }
    }
}

#[apply(every_database)]
fn many_wildcards_are_fast_also_without_a_match() {
    let service = with_texts(&[&"a".repeat(5000)]);
    let wildcards = "%a".repeat(1000);
    assert_eq!(
        filtered(&service, SAMPLES, &format!(r#"like(text,"{wildcards}%")"#)),
        [1]
    );
    assert_eq!(
        filtered(&service, SAMPLES, &format!(r#"like(text,"{wildcards}b")"#)),
        [0; 0]
    );
    assert_eq!(
        filtered(&service, SAMPLES, &format!(r#"ilike(text,"{wildcards}B")"#)),
        [0; 0]
    );
}
