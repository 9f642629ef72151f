//! Names: those of tables and columns become those of structs, fields and addresses.

use std::collections::HashSet;

use any_ascii::any_ascii;

/// The words of a name in ASCII and lower case: `PlaylistTrack`, `playlist_track` and `Playlist track` are alike.
pub(crate) fn words(name: &str) -> Vec<String> {
    let ascii: Vec<char> = any_ascii(name).chars().collect();
    let mut words = vec![String::new()];
    for (index, character) in ascii.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| ascii.get(index));
        let after = ascii.get(index + 1);
        // A capital begins a word behind a small letter, and before one: `HTTPCode` has two words.
        let is_start = character.is_ascii_uppercase()
            && before.is_some_and(|it| {
                it.is_ascii_lowercase()
                    || (it.is_ascii_uppercase() && after.is_some_and(char::is_ascii_lowercase))
            });
        if is_start || !character.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words
            .last_mut()
            .filter(|_| character.is_ascii_alphanumeric())
        {
            word.push(character.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The name of a field or module: `album_id`; `otherwise` for a name without letters and digits.
pub(crate) fn snake(name: &str, otherwise: &str) -> String {
    let words = words(name).join("_");
    match words.chars().next() {
        None => otherwise.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{words}"),
        Some(_) => words,
    }
}

/// The name of a type: `PlaylistTrack`.
pub(crate) fn pascal(words: &[String]) -> String {
    let mut name = String::new();
    for word in words {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    // Identifiers begin with a letter.
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, 'N');
    }
    name
}

/// Words whose plural follows none of the rules below, each with its plural, and words that are the same in both.
const IRREGULAR: &str = "cache:caches cause:causes child:children clause:clauses config:config cookie:cookies \
    criterion:criteria datum:data equipment:equipment foot:feet history:history house:houses index:indexes \
    information:information man:men matrix:matrices medium:media metadata:metadata money:money movie:movies news:news \
    person:people series:series sms:sms species:species stock:stock use:uses warehouse:warehouses woman:women";

/// Endings of words, each with that of the plural. The first that fits decides.
const ENDINGS: &str = "ss:sses us:uses is:es sh:shes ch:ches x:xes ay:ays ey:eys oy:oys y:ies :s";

/// The pairs of a table.
fn pairs(table: &str) -> impl Iterator<Item = (&str, &str)> {
    table.split(' ').filter_map(|pair| pair.split_once(':'))
}

/// The plural of an English word.
pub(crate) fn plural(word: &str) -> String {
    let irregular = pairs(IRREGULAR).find(|(one, _)| *one == word);
    let mut regular =
        pairs(ENDINGS).filter_map(|(one, many)| Some(word.strip_suffix(one)?.to_owned() + many));
    let irregular = irregular.map(|(_, many)| many.to_owned());
    irregular.or_else(|| regular.next()).unwrap_or_default()
}

/// The singular of an English word, which may be one already.
pub(crate) fn singular(word: &str) -> String {
    if let Some((one, _)) = pairs(IRREGULAR).find(|(_, many)| *many == word) {
        return one.to_owned();
    }
    // `bus`, `boss` and `analysis` end like plurals.
    let is_singular = ["ss", "us", "is"]
        .iter()
        .any(|ending| word.ends_with(ending));
    let endings = pairs(ENDINGS).filter(|(one, _)| *one != "is");
    let mut singulars =
        endings.filter_map(|(one, many)| Some(word.strip_suffix(many)?.to_owned() + one));
    let found = singulars.find(|singular| !is_singular && plural(singular) == word);
    found.unwrap_or_else(|| word.to_owned())
}

/// Names that were given: a name that is taken gets a number.
#[derive(Debug, Default)]
pub(crate) struct Taken(HashSet<String>);

impl Taken {
    /// Names of which none may be given.
    pub(crate) fn of(names: &str) -> Self {
        Self(names.split(' ').map(str::to_owned).collect())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    pub(crate) fn take(&mut self, name: String) {
        self.0.insert(name);
    }

    /// The name, or the same with the first number that is free.
    pub(crate) fn free(&mut self, name: String, separator: &str) -> String {
        let free = numbered(name, separator, |name| !self.has(name));
        self.take(free.clone());
        free
    }
}

/// The name, or the same with the first number with which it passes a test.
pub(crate) fn numbered(name: String, separator: &str, test: impl Fn(&str) -> bool) -> String {
    let numbers = (2..).map(|number| format!("{name}{separator}{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbers);
    names.find(|name| test(name)).unwrap_or(name)
}

/// The name as an identifier of Rust: raw where it is a word of the language.
pub(crate) fn identifier(name: &str) -> String {
    // A word since the edition of 2024, of which the parser does not know.
    if name != "gen" && syn::parse_str::<syn::Ident>(name).is_ok() {
        name.to_owned()
    } else {
        format!("r#{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Taken, pascal, plural, singular, snake, words};

    #[test]
    fn words_are_those_of_every_style() {
        for name in [
            "PlaylistTrack",
            "playlist_track",
            "Playlist Track",
            "playlist.track",
        ] {
            assert_eq!(words(name), ["playlist", "track"], "{name}");
        }
        assert_eq!(words("HTTPCode2"), ["http", "code2"]);
        assert_eq!(snake("Größe (m²)", ""), "grosse_m2");
        assert_eq!(snake("2fa", ""), "_2fa");
        assert_eq!(snake("…!", "column_7"), "column_7");
        assert_eq!(pascal(&words("2fa codes")), "N2faCodes");
    }

    #[test]
    fn singulars_and_plurals_are_english() {
        for (one, many) in [
            ("album", "albums"),
            ("category", "categories"),
            ("key", "keys"),
            ("address", "addresses"),
            ("status", "statuses"),
            ("box", "boxes"),
            ("batch", "batches"),
            ("person", "people"),
            ("child", "children"),
            ("news", "news"),
            ("invoice", "invoices"),
            ("house", "houses"),
            ("cache", "caches"),
            ("movie", "movies"),
            ("size", "sizes"),
        ] {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
            assert_eq!(singular(one), one);
        }
        assert_eq!(
            (plural("analysis"), singular("analysis")),
            (String::from("analyses"), String::from("analysis"))
        );
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut taken = Taken::of("Option String");
        let names = ["Option", "Album", "Album"].map(|name| taken.free(name.to_owned(), ""));
        assert_eq!(names, ["Option2", "Album", "Album2"]);
    }
}
