//! Two issuers of one name could not be told apart, and two subjects of one name should be.

use super::TrustedIssuer;
use crate::Introspection;

/// What an issuer's subjects are called by.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Naming<'settings> {
    issuer: &'settings str,
    namespace: Option<&'settings str>,
}

/// What is wrong with how issuers are named, and their subjects.
pub(crate) fn problems(
    issuers: &[TrustedIssuer],
    introspection: Option<&Introspection>,
) -> Vec<String> {
    let mut namings: Vec<Naming<'_>> = Vec::new();
    let mut problems = Vec::new();
    for issuer in issuers {
        let issuer = Naming {
            issuer: &issuer.issuer,
            namespace: issuer.mapping.namespace.as_deref(),
        };
        if namings.iter().any(|other| other.issuer == issuer.issuer) {
            problems.push(format!("issuer `{}`: it is named twice", issuer.issuer));
        }
        namings.push(issuer);
    }
    // An issuer may sign some of its tokens and be asked about others.
    let asked = introspection.map(|introspection| Naming {
        issuer: &introspection.issuer,
        namespace: introspection.mapping.namespace.as_deref(),
    });
    namings.extend(asked.filter(|asked| !namings.contains(asked)));
    problems.extend(namings.iter().filter_map(|naming| naming.problem(&namings)));
    problems
}

impl Naming<'_> {
    fn problem(&self, all: &[Self]) -> Option<String> {
        let problem = match self.namespace {
            None if all.len() > 1 => String::from(
                "where several issuers are trusted each needs a namespace for its subjects; name \
                 it with `.subject_namespace(…)`",
            ),
            None => return None,
            Some(namespace) if namespace.is_empty() || namespace.contains(':') => {
                format!("the subject namespace `{namespace}` must not be empty or hold a colon")
            }
            Some(namespace) => {
                let taken = |other: &&Self| {
                    other.namespace == self.namespace && other.issuer != self.issuer
                };
                let other = all.iter().find(taken)?.issuer;
                format!("the subject namespace `{namespace}` is also that of `{other}`")
            }
        };
        Some(format!("issuer `{}`: {problem}", self.issuer))
    }
}

#[cfg(test)]
mod tests {
    use super::problems;
    use crate::{Introspection, TrustedIssuer};

    fn issuer(name: &str, namespace: Option<&str>) -> TrustedIssuer {
        let issuer = TrustedIssuer::new(name);
        match namespace {
            Some(namespace) => issuer.subject_namespace(namespace),
            None => issuer,
        }
    }

    #[test]
    fn one_issuer_needs_no_namespace_and_several_need_one_each() {
        assert!(problems(&[issuer("a", None)], None).is_empty());
        let both = [issuer("a", None), issuer("b", Some("b"))];
        let [problem] = problems(&both, None).try_into().unwrap();
        assert!(problem.contains("`a`") && problem.contains("subject_namespace"));
        let both = [issuer("a", Some("a")), issuer("b", Some("b"))];
        assert!(problems(&both, None).is_empty());
    }

    #[test]
    fn a_namespace_belongs_to_one_issuer_and_has_no_colon() {
        let same = [issuer("a", Some("x")), issuer("b", Some("x"))];
        assert_eq!(problems(&same, None).len(), 2);
        for namespace in ["", "a:b"] {
            assert_eq!(problems(&[issuer("a", Some(namespace))], None).len(), 1);
        }
        let twice = [issuer("a", Some("x")), issuer("a", Some("x"))];
        assert_eq!(problems(&twice, None), ["issuer `a`: it is named twice"]);
    }

    #[test]
    fn an_issuer_that_is_asked_too_is_one_issuer() {
        let asked = Introspection::new("a", "https://a/introspect");
        assert!(problems(&[issuer("a", None)], Some(&asked)).is_empty());
        assert_eq!(problems(&[issuer("b", None)], Some(&asked)).len(), 2);
    }
}
