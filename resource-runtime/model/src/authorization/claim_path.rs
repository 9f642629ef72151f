use serde_json::{Map, Value};

/// Where a claim stands in a token: its name, or the names that lead to it.
///
/// ```
/// use resource_runtime::authorization::ClaimPath;
///
/// let name = ClaimPath::from("https://example.com/roles");
/// let nested = ClaimPath::from(["realm_access", "roles"]);
/// # drop((name, nested));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPath {
    names: Vec<String>,
}

impl ClaimPath {
    /// Whether it is the claim of this name, at the top of the token.
    pub fn is(&self, name: &str) -> bool {
        matches!(self.names.as_slice(), [only] if only == name)
    }

    /// The value there.
    #[must_use]
    pub fn find<'claims>(&self, claims: &'claims Map<String, Value>) -> Option<&'claims Value> {
        let (first, rest) = self.names.split_first()?;
        rest.iter()
            .try_fold(claims.get(first)?, |value, name| value.get(name))
    }

    /// The text there; one of nothing but white space names nobody.
    #[must_use]
    pub fn find_text<'claims>(&self, claims: &'claims Map<String, Value>) -> Option<&'claims str> {
        let text = self.find(claims)?.as_str()?;
        (!text.trim().is_empty()).then_some(text)
    }
}

/// A claim at the top of the token; a dot in its name is part of it.
impl From<&str> for ClaimPath {
    fn from(name: &str) -> Self {
        Self::from([name])
    }
}

impl<const LENGTH: usize> From<[&str; LENGTH]> for ClaimPath {
    fn from(names: [&str; LENGTH]) -> Self {
        let names = names.map(str::to_owned).into();
        Self { names }
    }
}
