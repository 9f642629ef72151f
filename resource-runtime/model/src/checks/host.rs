//! The check of host names, which e-mail addresses and URLs share.

/// The longest label of a domain name, in bytes (RFC 1035 2.3.4).
const LONGEST_LABEL: usize = 63;
/// The longest domain name, in bytes as it is written (RFC 1035 2.3.4: 255 as it is sent).
const LONGEST_NAME: usize = 253;

/// Tests whether the text is a host name of RFC 1123 2.1: labels of letters, digits and inner hyphens,
/// with dots between them.
///
/// Names of other scripts are written in their ASCII form, `xn--…`.
pub(super) fn is_host_name(text: &str) -> bool {
    // A label of digits alone is permitted (RFC 1123 2.1), so that an IPv4 address passes as a name.
    text.len() <= LONGEST_NAME && text.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    // An empty label is one of an empty name, of two dots in a row, or of a dot at an end.
    (1..=LONGEST_LABEL).contains(&text.len())
        && text.bytes().all(is_label_byte)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn is_label_byte(byte: u8) -> bool {
    // The underscore of service names (`_dmarc`) is not one of a host.
    byte.is_ascii_alphanumeric() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::is_host_name;
    use crate::checks::samples::{accepted_characters, long};

    #[test]
    fn labels_are_letters_digits_and_inner_hyphens() {
        for name in [
            "localhost",
            "a",
            "1",
            "example.com",
            "EXAMPLE.Com",
            "a-b.c--d.e",
            "xn--bcher-kva.example",
            "127.0.0.1",
        ] {
            assert!(is_host_name(name), "{name}");
        }
        for name in [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "-",
            "-a",
            "a-",
            "a.-b",
            "a-.b",
            "a_b",
            "a b",
            "a\n",
            "bücher.example",
            "例え.jp",
            "a。b",
            "[::1]",
            "a:1",
            "a@b",
            "a/b",
            "a%41",
        ] {
            assert!(!is_host_name(name), "{name}");
        }
    }

    #[test]
    fn no_other_character_stands_in_a_label() {
        assert_eq!(
            accepted_characters("a{}b", is_host_name),
            "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        );
    }

    #[test]
    fn a_label_has_at_most_63_bytes() {
        assert!(is_host_name(&"a".repeat(63)));
        assert!(!is_host_name(&"a".repeat(64)));
        assert!(is_host_name(&format!("a.{}.b", "a".repeat(63))));
        assert!(!is_host_name(&format!("a.{}.b", "a".repeat(64))));
    }

    #[test]
    fn a_name_has_at_most_253_bytes() {
        let name = "a.".repeat(126) + "b";
        assert_eq!(name.len(), 253);
        assert!(is_host_name(&name));
        assert!(!is_host_name(&format!("{name}b")));
        assert!(!is_host_name(&long("a.")));
    }
}
