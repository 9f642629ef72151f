//! Spellings of names that are valid, and corrections of those that are not.

/// The longest identifier that `PostgreSQL` stores in full.
const LONGEST_IDENTIFIER: usize = 63;

/// Tells that the text is `[A-Za-z_][A-Za-z0-9_]*`, which JSON pointers, the query language and SQL take
/// without quotes.
pub(super) fn is_identifier(text: &str) -> bool {
    let starts_well = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts_well && text.bytes().all(is_word_byte)
}

/// Tells that the text is an identifier that every database stores without truncation.
pub(super) fn is_stored_identifier(text: &str) -> bool {
    is_identifier(text) && text.len() <= LONGEST_IDENTIFIER
}

pub(super) fn is_word_or_dash(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The collection that a struct's name suggests: `UserSetting` gives `user-settings`.
pub(super) fn kebab_plural(struct_name: &str) -> String {
    let mut kebab = String::new();
    for character in struct_name.chars() {
        // Each capital begins a word.
        if character.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(character.to_lowercase());
    }
    plural(&kebab)
}

fn plural(noun: &str) -> String {
    // After a vowel, `y` stays: `keys`, but `categories`.
    let before_y = noun
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(is_vowel));
    if let Some(stem) = before_y {
        format!("{stem}ies")
    } else if ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|ending| noun.ends_with(ending))
    {
        // After a hiss, the plural has one more syllable: `addresses`, `boxes`.
        format!("{noun}es")
    } else {
        format!("{noun}s")
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}
