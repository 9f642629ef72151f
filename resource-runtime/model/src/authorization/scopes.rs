//! Scopes: a sorted set of names that a token grants or an operation requires.

use std::fmt;

/// A set of scopes, as a token grants them or an operation requires them.
///
/// ```
/// use resource_runtime::authorization::Scopes;
///
/// let scopes: Scopes = "settings.write settings.read".parse().unwrap();
/// assert!(scopes.contains("settings.read"));
/// assert!(!scopes.contains("settings"));
/// assert_eq!(scopes.to_string(), "settings.read settings.write");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scopes {
    /// Sorted and without duplicates, for binary search.
    names: Box<[Box<str>]>,
}

impl Scopes {
    /// Tests whether `scope` is in the set.
    #[must_use]
    pub fn contains(&self, scope: &str) -> bool {
        // Scopes are compared whole and with their case: `settings` does not stand for `settings.read`.
        let found = self.names.binary_search_by(|name| (**name).cmp(scope));
        found.is_ok()
    }

    /// Tests whether the set has no scope.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub(crate) const fn names(&self) -> &[Box<str>] {
        &self.names
    }

    /// The scopes in words: "the scopes `a` and `b`".
    #[doc(hidden)]
    pub fn listed(&self) -> String {
        let plural = if self.names.len() > 1 { "s" } else { "" };
        format!("the scope{plural} `{}`", self.names.join("` and `"))
    }

    /// The scopes in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }
}

/// Leaves out names that no scope can have (RFC 6749, section 3.3): nothing can require them.
impl<Name: AsRef<str>> FromIterator<Name> for Scopes {
    fn from_iter<Names: IntoIterator<Item = Name>>(names: Names) -> Self {
        let mut names: Vec<Box<str>> = names
            .into_iter()
            .filter(|name| is_scope(name.as_ref()))
            .map(|name| Box::from(name.as_ref()))
            .collect();
        // Equal names are neighbours only when sorted, which the removal of duplicates relies on.
        names.sort_unstable();
        names.dedup();
        Self {
            // A boxed slice has no spare capacity; the set does not grow once it is read from a token.
            names: names.into(),
        }
    }
}

/// The scopes of a list that is separated by spaces.
impl std::str::FromStr for Scopes {
    type Err = std::convert::Infallible;

    fn from_str(list: &str) -> Result<Self, Self::Err> {
        // Two spaces in a row give an empty name, which is no scope.
        Ok(list.split(' ').collect())
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.names.join(" "))
    }
}

fn is_scope(name: &str) -> bool {
    // The characters of a scope-token (RFC 6749, section 3.3).
    let permitted = |byte| matches!(byte, 0x21 | 0x23..=0x5B | 0x5D..=0x7E);
    !name.is_empty() && name.bytes().all(permitted)
}

#[cfg(test)]
mod tests {
    use super::Scopes;

    #[test]
    fn scope_is_stored_once_and_matched_as_a_whole() {
        let scopes: Scopes = ["b", "a", "b", "a.b"].into_iter().collect();
        assert_eq!(scopes.iter().collect::<Vec<_>>(), ["a", "a.b", "b"]);
        for absent in ["", "a ", "A", "a b", "a."] {
            assert!(!scopes.contains(absent), "{absent:?}");
        }
    }

    #[test]
    fn invalid_scopes_are_left_out() {
        let scopes: Scopes = ["", "a b", "say\"so", "back\\slash", "ü", "line\n"]
            .into_iter()
            .collect();
        assert!(scopes.is_empty());
        let spaced: Scopes = "  a   b ".parse().unwrap();
        assert_eq!(spaced.to_string(), "a b");
    }
}
