//! `ilike`: like `like`, but the case of ASCII letters is ignored.

use crate::patterns::{TEXTS, assert_matches};
use resource_tests::{apply, every_database};

#[apply(every_database)]
fn ilike_ignores_the_case_of_ascii_letters_alone() {
    assert_matches(
        "ilike",
        &[
            ("a", &["a", "A"]),
            ("A", &["a", "A"]),
            ("AB", &["ab", "aB"]),
            (
                "%B",
                &["ab", "aB", "a%b", "a_b", "axb", "a*b", "a\\b", "a🦀b"],
            ),
            ("A%X%", &["axb"]),
            ("A🦀%", &["a🦀b"]),
            ("é", &["é"]),
            ("É", &["É"]),
            ("%É%", &["É"]),
        ],
    );
}

#[apply(every_database)]
fn ilike_has_the_same_wildcards_and_escapes() {
    assert_matches(
        "ilike",
        &[
            ("", &[""]),
            ("%", &TEXTS),
            (r"\%", &["%"]),
            (r"A\%B", &["a%b"]),
            (r"\\", &["\\"]),
            (r"\\\%", &["\\%"]),
            ("_", &["_"]),
            ("A_B", &["a_b"]),
            ("A*B", &["a*b"]),
            ("?", &["?"]),
            ("[A]", &["[a]"]),
        ],
    );
}
