use crate::FieldValue;
use crate::authorization::Scopes;

/// Words in one column, a space between each two: scopes, grant types, redirect URIs. None of them
/// may hold a space.
#[derive(Debug, Clone, Default, PartialEq, Eq, FieldValue)]
pub(in crate::oauth2::server) struct Words(String);

impl Words {
    pub(in crate::oauth2::server) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    pub(in crate::oauth2::server) fn contains(&self, word: &str) -> bool {
        self.iter().any(|own| own == word)
    }

    pub(in crate::oauth2::server) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::oauth2::server) fn as_str(&self) -> &str {
        &self.0
    }

    pub(in crate::oauth2::server) fn scopes(&self) -> Scopes {
        self.iter().collect()
    }
}

impl<Word: AsRef<str>> FromIterator<Word> for Words {
    fn from_iter<I: IntoIterator<Item = Word>>(words: I) -> Self {
        let words: Vec<String> = words
            .into_iter()
            .map(|word| word.as_ref().to_owned())
            .collect();
        Self(words.join(" "))
    }
}

impl From<&Scopes> for Words {
    fn from(scopes: &Scopes) -> Self {
        scopes.iter().collect()
    }
}
