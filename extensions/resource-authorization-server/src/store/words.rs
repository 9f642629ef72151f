use resource_runtime::FieldValue;
use resource_runtime::authorization::Scopes;

/// Words in one column, a space between each two: scopes, grant types, redirect URIs. None of them
/// may hold a space.
#[derive(Debug, Clone, Default, PartialEq, Eq, FieldValue)]
pub(crate) struct Words(String);

impl Words {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        self.iter().any(|own| own == word)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn scopes(&self) -> Scopes {
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
