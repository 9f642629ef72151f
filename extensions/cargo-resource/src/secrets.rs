//! Columns whose values nobody should read, by the words of their names.

use resource_runtime::schema::{StoredColumn, StoredTable};

use crate::names::{singular, words};
use crate::types::{Mapped, Role};

/// Words that are a secret wherever they stand in a name, in the singular.
const WORDS: &str = "apikey credential cvc cvc2 cvv cvv2 hash hotp jwt mnemonic otp passcode passphrase passwd password pin \
                     privatekey pw pwd salt secret ssn token totp";

/// Words at whose end others are a secret as well, or at whose beginning: `authtoken`, `passwordhash`.
const ENDS: &str = "apikey passcode passphrase passwd password privatekey secret token";
const BEGINNINGS: &str = "passphrase passwd password";

/// Two words that are a secret together, the first of several before the second.
const PAIRS: &[(&str, &str)] = &[
    (
        "access activation api auth encryption master private recovery session signing",
        "key",
    ),
    (
        "access activation auth backup invite login pin recovery reset security verification",
        "code",
    ),
    ("card credit", "number"),
    ("card", "pan"),
    ("mfa wallet", "seed"),
    ("pass", "phrase"),
    ("pass", "word"),
    ("security", "answer"),
    ("seed", "phrase"),
    ("db user", "pass"),
];

/// Tests whether the values of a column are secrets; a reference to a token is none.
pub(crate) fn is_secret(stored: &StoredTable, column: &StoredColumn, mapped: &Mapped) -> bool {
    let mut keys = stored.foreign_keys.iter();
    let is_reference = keys.any(|key| key.columns.contains(&column.name));
    !is_reference && mapped.choices.is_empty() && is_named(&column.name, mapped.rust.role)
}

/// Tests whether the name is that of a secret, for values that play this role.
fn is_named(name: &str, role: Role) -> bool {
    let words = words(name);
    let words: Vec<String> = words.iter().map(|word| singular(word)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match role {
        Role::Text | Role::Opaque => {
            words.iter().any(|word| is_word(word)) || words.windows(2).any(is_pair)
        }
        // A number is a secret itself, like `login_pin`, or tells of one, like `token_count`.
        Role::Integer(_) => {
            let last = words.len().saturating_sub(2);
            words.last().is_some_and(|word| is_word(word)) || words.get(last..).is_some_and(is_pair)
        }
        Role::Other => false,
    }
}

fn is_word(word: &str) -> bool {
    let is_in =
        |list: &str, is_it: fn(&str, &str) -> bool| list.split(' ').any(|it| is_it(word, it));
    is_in(WORDS, |word, it| word == it)
        || is_in(ENDS, |word, it| word.ends_with(it))
        || is_in(BEGINNINGS, |word, it| word.starts_with(it))
}

fn is_pair(words: &[&str]) -> bool {
    let [first, second] = words else {
        return false;
    };
    let mut pairs = PAIRS.iter();
    pairs.any(|(firsts, it)| it == second && firsts.split(' ').any(|it| it == *first))
}

#[cfg(test)]
mod tests {
    use super::is_named;
    use crate::types::Role;

    #[test]
    fn secrets_are_told_by_the_words_of_their_names() {
        for name in [
            "pin",
            "LoginPIN",
            "mfa_seed",
            "otp_secret",
            "totp",
            "recovery_codes",
            "BackupCode",
            "cvv",
            "api_keys",
            "authtoken",
            "accessToken",
            "passWord",
            "passwordhash",
            "user_pass",
            "user_activation_key",
            "security_answer",
            "credit_card_number",
            "clientsecret",
        ] {
            assert!(is_named(name, Role::Text), "{name}");
        }
        for name in [
            "spinning",
            "shipping",
            "postcode",
            "postpin",
            "hashtag",
            "secretary",
            "tokenized",
            "saltwater",
            "iban",
            "key",
            "code",
            "country_code",
            "boarding_pass",
            "card",
            "pass",
            "compass",
        ] {
            assert!(!is_named(name, Role::Text), "{name}");
        }
    }

    #[test]
    fn numbers_that_tell_of_secrets_are_none() {
        for (name, is_secret) in [
            ("pin", true),
            ("reset_code", true),
            ("token_count", false),
            ("max_otp_attempts", false),
            ("code", false),
        ] {
            assert_eq!(is_named(name, Role::Integer(8)), is_secret, "{name}");
        }
        assert!(!is_named("password_expires", Role::Other));
    }
}
