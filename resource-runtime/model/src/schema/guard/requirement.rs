/// The scopes that a caller needs.
///
/// ```
/// use resource_runtime::schema::Requirement;
///
/// let requirement = Requirement::Any(&["settings.admin", "settings.write"]);
/// assert!(requirement.is_met_by(&["profile", "settings.write"]));
/// assert!(!requirement.is_met_by(&["profile", "settings.read"]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// One of these.
    Any(&'static [&'static str]),
    /// All of these.
    All(&'static [&'static str]),
}

impl Requirement {
    /// The scopes that it names, in the order in which they were written.
    #[must_use]
    pub const fn scopes(&self) -> &'static [&'static str] {
        match self {
            Self::Any(scopes) | Self::All(scopes) => scopes,
        }
    }

    /// Whether a caller to whom `granted` is granted, which is sorted, has the scopes.
    ///
    /// A requirement without scopes is met by nobody, and in a set that is not sorted a scope is
    /// at worst not found: neither mistake lets anybody in.
    #[must_use]
    pub fn is_met_by<Scope: AsRef<str>>(&self, granted: &[Scope]) -> bool {
        let is_granted = |scope: &&str| {
            let place = granted.binary_search_by(|it| it.as_ref().cmp(scope));
            place.is_ok()
        };
        match self {
            Self::Any(scopes) => scopes.iter().any(is_granted),
            Self::All(scopes) => !scopes.is_empty() && scopes.iter().all(is_granted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Requirement;

    const ANY: Requirement = Requirement::Any(&["write", "admin"]);
    const ALL: Requirement = Requirement::All(&["write", "admin"]);

    #[test]
    fn any_is_met_by_one_and_all_by_all() {
        let cases: [(&[&str], bool, bool); 7] = [
            (&[], false, false),
            (&["admin"], true, false),
            (&["write"], true, false),
            (&["admin", "write"], true, true),
            (&["admin", "read", "write"], true, true),
            (&["administer", "writer"], false, false),
            (&["Admin", "WRITE"], false, false),
        ];
        for (granted, any, all) in cases {
            assert_eq!(ANY.is_met_by(granted), any, "{granted:?}");
            assert_eq!(ALL.is_met_by(granted), all, "{granted:?}");
        }
    }

    #[test]
    fn what_asks_for_nothing_is_met_by_nobody() {
        for requirement in [Requirement::Any(&[]), Requirement::All(&[])] {
            assert!(!requirement.is_met_by(&["admin"]), "{requirement:?}");
            assert!(!requirement.is_met_by::<&str>(&[]), "{requirement:?}");
        }
    }

    #[test]
    fn granted_scopes_may_be_owned() {
        assert!(ANY.is_met_by(&[String::from("write")]));
        assert_eq!(ANY.scopes(), ["write", "admin"]);
    }
}
