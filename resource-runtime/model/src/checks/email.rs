//! The check of e-mail addresses, by the rule of the HTML standard.

use super::host::is_host_name;

/// The longest local part, in bytes (RFC 5321 4.5.3.1.1).
const LONGEST_LOCAL_PART: usize = 64;
/// The longest address, in bytes: the path of RFC 5321 4.5.3.1.3 without its angle brackets, as
/// erratum 1690 of RFC 3696 says.
const LONGEST_ADDRESS: usize = 254;

/// Tests whether the text is an e-mail address, by the rule of `<input type=email>`.
///
/// The rule is the *valid e-mail address* of the HTML standard (4.10.5.1.5): a local part of ASCII
/// letters, digits and ``.!#$%&'*+/=?^_`{|}~-``, then `@`, then a host name, which needs no dot.
/// Unlike RFC 5322 it knows no quoted local part, no comment and no address in brackets. The lengths of
/// SMTP are required, too: at most 64 bytes before the `@`, at most 254 altogether.
///
/// A form that passes it in a browser passes it here, but for those lengths.
///
/// ```
/// use resource_runtime::checks::is_email;
///
/// assert!(is_email("ada.lovelace+notes@example.com"));
/// assert!(is_email("root@localhost"));
/// assert!(!is_email("ada@example..com"));
/// assert!(!is_email("Ada Lovelace <ada@example.com>"));
/// ```
#[must_use]
pub fn is_email(text: &str) -> bool {
    // The length comes first, so that a huge text costs nothing.
    text.len() <= LONGEST_ADDRESS
        && text
            .split_once('@')
            // A second `@` would be in the domain, which refuses it.
            .is_some_and(|(local_part, domain)| is_local_part(local_part) && is_host_name(domain))
}

fn is_local_part(text: &str) -> bool {
    (1..=LONGEST_LOCAL_PART).contains(&text.len()) && text.bytes().all(is_local_part_byte)
}

fn is_local_part_byte(byte: u8) -> bool {
    // Dots may stand anywhere, also at the ends and in a row: the HTML standard permits what RFC 5322 does
    // not.
    byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::is_email;
    use crate::checks::Pattern;
    use crate::checks::samples::{accepted_characters, long, texts};

    /// The expression that the HTML standard gives for its rule.
    static OF_THE_STANDARD: Pattern = Pattern::new(concat!(
        r"[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@",
        r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?",
        r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*",
    ));

    #[test]
    fn addresses_pass() {
        for text in [
            "a@b",
            "root@localhost",
            "ada@example.com",
            "ADA@EXAMPLE.COM",
            "ada.lovelace+notes@mail.example.co.uk",
            "!#$%&'*+/=?^_`{|}~-@example.com",
            ".ada.@example.com",
            "a..b@example.com",
            "1@1",
            "ada@127.0.0.1",
            "ada@xn--bcher-kva.example",
            "ada@a-b.c--d",
        ] {
            assert!(is_email(text), "{text}");
            assert!(OF_THE_STANDARD.matches(text), "{text}");
        }
    }

    #[test]
    fn other_texts_do_not_pass() {
        for text in [
            "",
            "@",
            "ada",
            "ada@",
            "@example.com",
            "ada@@example.com",
            "ada@example@com",
            "ada@example.com@",
            "ada@.com",
            "ada@example.",
            "ada@example..com",
            "ada@-example.com",
            "ada@example-.com",
            "ada@exa_mple.com",
            "ada@[127.0.0.1]",
            "ada@example.com:25",
            "\"ada\"@example.com",
            "a da@example.com",
            " ada@example.com",
            "ada@example.com ",
            "ada@example.com\n",
            "ada@example.com\0",
            "ada@example.com,bob@example.com",
            "ada(comment)@example.com",
            "Ada <ada@example.com>",
            "mailto:ada@example.com",
            "ada\\@example.com",
        ] {
            assert!(!is_email(text), "{text:?}");
            assert!(!OF_THE_STANDARD.matches(text), "{text:?}");
        }
    }

    #[test]
    fn look_alikes_of_other_scripts_do_not_pass() {
        for text in [
            "аda@example.com",
            "ada@exаmple.com",
            "ada＠example.com",
            "ada@example。com",
            "ada@example.com\u{200b}",
            "ada\u{0301}@example.com",
            "٣@example.com",
            "ada@bücher.example",
            "\u{feff}ada@example.com",
        ] {
            assert!(!is_email(text), "{text:?}");
        }
    }

    #[test]
    fn no_other_character_stands_in_a_local_part() {
        assert_eq!(
            accepted_characters("a{}b@example.com", is_email),
            "!#$%&'*+-./0123456789=?ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz{|}~"
        );
    }

    #[test]
    fn short_texts_are_judged_as_the_standard_does() {
        for text in texts("a@.-1_é ", 6) {
            assert_eq!(is_email(&text), OF_THE_STANDARD.matches(&text), "{text:?}");
        }
    }

    #[test]
    fn a_local_part_has_at_most_64_bytes() {
        assert!(is_email(&format!("{}@example.com", "a".repeat(64))));
        assert!(!is_email(&format!("{}@example.com", "a".repeat(65))));
    }

    #[test]
    fn a_label_has_at_most_63_bytes() {
        assert!(is_email(&format!("a@{}.com", "a".repeat(63))));
        assert!(!is_email(&format!("a@{}.com", "a".repeat(64))));
    }

    #[test]
    fn an_address_has_at_most_254_bytes() {
        let domain = "a.".repeat(94) + "b";
        let longest = format!("{}@{domain}", "a".repeat(64));
        assert_eq!(longest.len(), 254);
        assert!(is_email(&longest));
        assert!(!is_email(&format!("{longest}b")));
        let longest = format!("a@{}b", "a.".repeat(125) + "b");
        assert_eq!(longest.len(), 254);
        assert!(is_email(&longest));
        assert!(!is_email(&format!("{longest}b")));
    }

    #[test]
    fn huge_texts_are_refused() {
        for piece in ["a", "@", "a@", ".", "a@b.", "é", "-", "\0"] {
            assert!(!is_email(&long(piece)), "{piece:?}");
        }
    }
}
