//! Texts that the tests of several checks share.

/// A text of one mebibyte, the longest that a body of the default size can hold.
pub(super) fn long(piece: &str) -> String {
    piece.repeat(1024 * 1024 / piece.len())
}

/// The characters of all of Unicode that give a text which passes when put in the place of `{}`.
pub(super) fn accepted_characters(template: &str, check: fn(&str) -> bool) -> String {
    let (before, after) = template.split_once("{}").unwrap();
    let mut text = String::new();
    (char::MIN..=char::MAX)
        .filter(|character| {
            text.clear();
            text.push_str(before);
            text.push(*character);
            text.push_str(after);
            check(&text)
        })
        .collect()
}

/// Every text of at most `length` characters of `alphabet`.
pub(super) fn texts(alphabet: &str, length: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut longest = texts.clone();
    for _ in 0..length {
        longest = longest
            .iter()
            .flat_map(|text| alphabet.chars().map(move |next| format!("{text}{next}")))
            .collect();
        texts.extend_from_slice(&longest);
    }
    texts
}
