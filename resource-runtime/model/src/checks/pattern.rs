//! Regular expressions as checks of a whole text.

use std::sync::OnceLock;

use regex_lite::Regex;

/// A regular expression for a whole text, as the attribute `pattern` of an HTML input.
///
/// Put it in a `static`; the expression is compiled when it is first used. The syntax is that
/// of the crate `regex-lite`: that of `regex` without Unicode classes such as `\p{L}`, with `\d`,
/// `\w` and `\s` for ASCII alone. There are no look-around and no back-references, so the time of a
/// match grows linearly with the text, whatever clients send.
///
/// `[0-9]+` matches `42` and not `42 apples`: the expression is anchored at both ends. The empty text is
/// matched where the expression allows it, as `[0-9]*` does. A comment of the mode `(?x)` must end with a
/// line break.
///
/// An invalid expression is logged as an error, once, and matches nothing: a value is refused rather than
/// stored unchecked. Test each pattern with a text that it matches.
///
/// ```
/// use resource_runtime::checks::Pattern;
///
/// static PLATE: Pattern = Pattern::new("[A-Z]{2}-[0-9]+");
///
/// assert!(PLATE.matches("AB-123"));
/// assert!(!PLATE.matches("AB-123 or so"));
/// assert!(!PLATE.matches("ab-123"));
/// ```
#[derive(Debug)]
pub struct Pattern {
    expression: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// The pattern of this expression.
    #[must_use]
    pub const fn new(expression: &'static str) -> Self {
        Self {
            expression,
            compiled: OnceLock::new(),
        }
    }

    /// Tests whether the expression matches the text from its beginning to its end.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        // An invalid expression is remembered, too, so that it is logged only once.
        self.compiled
            .get_or_init(|| compile_or_log(self.expression))
            .as_ref()
            .is_some_and(|regex| regex.is_match(text))
    }
}

fn compile_or_log(expression: &str) -> Option<Regex> {
    // The developer reads the log, not the client, who only learns that the value is refused.
    compile(expression)
        .inspect_err(|error| {
            tracing::error!(
                expression,
                %error,
                "a pattern is no regular expression and matches nothing; correct it"
            );
        })
        .ok()
}

fn compile(expression: &str) -> Result<Regex, regex_lite::Error> {
    // The expression has to compile alone: in the group, `a)|(?:b` would become a valid expression that
    // matches parts of a text.
    Regex::new(expression)?;
    // The group keeps all alternatives between the anchors, and the flags of the expression within it.
    Regex::new(&format!(r"\A(?:{expression})\z"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    use super::Pattern;
    use crate::checks::samples::{accepted_characters, long};

    static PLATE: Pattern = Pattern::new("[A-Z]{2}-[0-9]+");

    #[test]
    fn the_whole_text_is_matched() {
        for text in ["AB-1", "ZZ-0123456789"] {
            assert!(PLATE.matches(text), "{text}");
        }
        for text in [
            "",
            "AB-",
            "ab-1",
            "AB-1 ",
            " AB-1",
            "AB-1\n",
            "\nAB-1",
            "AB-1\nAB-1",
            "xAB-1",
            "AB-1x",
            "AB-1\0",
            "АВ-1",
            "AB-١",
            "AB-１",
            "AB–1",
        ] {
            assert!(!PLATE.matches(text), "{text:?}");
        }
    }

    #[test]
    fn every_alternative_is_matched_whole() {
        let pattern = Pattern::new("a|ab|cd");
        for text in ["a", "ab", "cd"] {
            assert!(pattern.matches(text), "{text}");
        }
        for text in ["", "b", "acd", "xcd", "abx", "a|ab"] {
            assert!(!pattern.matches(text), "{text}");
        }
    }

    #[test]
    fn flags_do_not_weaken_the_anchors() {
        for expression in ["(?m)^a$", "(?m:^a$)", "^a$", r"\Aa\z", "(?s)a", "(?U)a+"] {
            let pattern = Pattern::new(expression);
            assert!(pattern.matches("a"), "{expression}");
            assert!(!pattern.matches("a\n"), "{expression}");
            assert!(!pattern.matches("a\nb"), "{expression}");
            assert!(!pattern.matches("b\na"), "{expression}");
        }
        let pattern = Pattern::new("(?x) a # the letter\n b");
        assert!(pattern.matches("ab"));
        assert!(!pattern.matches("abc"));
        assert!(Pattern::new("(?i)ab").matches("aB"));
    }

    #[test]
    fn the_empty_text_is_matched_when_the_expression_says_so() {
        for expression in ["", "a*", "a|", "()"] {
            assert!(Pattern::new(expression).matches(""), "{expression}");
            assert!(!Pattern::new(expression).matches("b"), "{expression}");
        }
        assert!(!Pattern::new("a+").matches(""));
    }

    #[test]
    fn classes_are_those_of_ascii() {
        for (expression, characters) in [
            (r"\d", "0123456789"),
            (r"\s", "\t\n\u{b}\u{c}\r "),
            (
                r"\w",
                "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
            ),
        ] {
            let pattern = Pattern::new(expression);
            let matched: String = ('\0'..='\u{ffff}')
                .filter(|character| pattern.matches(character.encode_utf8(&mut [0; 4])))
                .collect();
            assert_eq!(matched, characters, "{expression}");
        }
        assert_eq!(
            accepted_characters("AB-{}", |text| PLATE.matches(text)),
            "0123456789"
        );
    }

    #[test]
    fn a_point_is_one_character_of_any_length() {
        let pattern = Pattern::new(".");
        assert!(pattern.matches("🦀") && pattern.matches("é"));
        assert!(!pattern.matches("e\u{301}") && !pattern.matches("\n"));
    }

    #[test]
    fn debug_shows_the_expression() {
        assert!(format!("{PLATE:?}").contains("[A-Z]{2}-[0-9]+"));
    }

    #[test]
    fn huge_texts_take_linear_time() {
        assert!(PLATE.matches(&format!("AB-{}", long("1"))));
        assert!(!PLATE.matches(&format!("AB-{}x", long("1"))));
        // A backtracking engine needs exponential time for the one, quadratic for the other.
        for expression in ["(a+)+b", "a*a*b"] {
            assert!(
                !Pattern::new(expression).matches(&long("a")),
                "{expression}"
            );
        }
    }

    /// Counts the errors that are logged.
    #[derive(Debug, Clone, Default)]
    struct Errors(Arc<AtomicUsize>);

    impl Subscriber for Errors {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            assert_eq!(*event.metadata().level(), Level::ERROR);
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    /// Checks all in one test: `tracing` decides at the first call whether a call site is enabled, and a
    /// parallel test without a subscriber could be first.
    #[test]
    fn invalid_expression_is_logged_once_and_matches_nothing() {
        let errors = Errors::default();
        tracing::subscriber::with_default(errors.clone(), || {
            for (index, expression) in [
                "(",
                ")",
                "[",
                "a)|(?:b",
                "a)|(b",
                "*",
                "a{2,1}",
                "a\\",
                "(?=a)",
                r"(a)\1",
                r"\p{L}",
                "[z-a]",
                "(?x)a # the letter",
                "((a{1000}){1000}){1000}",
            ]
            .into_iter()
            .enumerate()
            {
                let pattern = Pattern::new(expression);
                assert_eq!(errors.0.load(Ordering::Relaxed), index, "{expression}");
                for text in ["", "a", "b", "aa", expression] {
                    assert!(!pattern.matches(text), "{expression} {text}");
                }
                assert_eq!(errors.0.load(Ordering::Relaxed), index + 1, "{expression}");
            }
            let logged = errors.0.load(Ordering::Relaxed);
            assert!(PLATE.matches("AB-1"));
            assert_eq!(errors.0.load(Ordering::Relaxed), logged);
        });
    }
}
