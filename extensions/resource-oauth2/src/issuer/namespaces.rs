//! Validation of issuer names and subject namespaces, so that subjects of two issuers never collide.

use super::TrustedIssuer;
use crate::Introspection;

/// The name of an issuer and the namespace of its subjects.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity<'settings> {
    issuer: &'settings str,
    namespace: Option<&'settings str>,
}

/// The problems of the names and namespaces of all issuers.
pub(crate) fn problems(
    issuers: &[TrustedIssuer],
    introspection: Option<&Introspection>,
) -> Vec<String> {
    let mut identities: Vec<Identity<'_>> = Vec::new();
    let mut problems = Vec::new();
    // The issuers of signed tokens come first, since introspection may share the name of one.
    for issuer in issuers {
        let issuer = Identity {
            issuer: &issuer.issuer,
            namespace: issuer.mapping.namespace.as_deref(),
        };
        // Keys and rules are stored by name, so a second entry would silently replace the first.
        if identities.iter().any(|other| other.issuer == issuer.issuer) {
            problems.push(format!("issuer `{}`: it is named twice", issuer.issuer));
        }
        identities.push(issuer);
    }
    // One issuer may issue both signed and opaque tokens; then it counts once.
    let introspected = introspection.map(|introspection| Identity {
        issuer: &introspection.issuer,
        namespace: introspection.mapping.namespace.as_deref(),
    });
    identities.extend(introspected.filter(|introspected| !identities.contains(introspected)));
    problems.extend(identities.iter().filter_map(|it| it.problem(&identities)));
    problems
}

impl Identity<'_> {
    /// The problem of this identity among all.
    fn problem(&self, all: &[Self]) -> Option<String> {
        let problem = match self.namespace {
            // A single issuer needs no prefix: its subjects collide with nobody's.
            None if all.len() > 1 => String::from(
                "where several issuers are trusted each needs a namespace for its subjects; name \
                 it with `.subject_namespace(…)`",
            ),
            None => return None,
            // A colon in the namespace would make `a:b` + `c` and `a` + `b:c` one subject.
            Some(namespace) if namespace.is_empty() || namespace.contains(':') => {
                format!("the subject namespace `{namespace}` must not be empty or hold a colon")
            }
            Some(namespace) => {
                let clashes = |other: &&Self| {
                    // The issuer itself is in the list, too, and is no clash.
                    other.namespace == self.namespace && other.issuer != self.issuer
                };
                let other = all.iter().find(clashes)?.issuer;
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
    fn several_issuers_need_a_namespace_each() {
        assert!(problems(&[issuer("a", None)], None).is_empty());
        let both = [issuer("a", None), issuer("b", Some("b"))];
        let [problem] = problems(&both, None).try_into().unwrap();
        assert!(problem.contains("`a`") && problem.contains("subject_namespace"));
        let both = [issuer("a", Some("a")), issuer("b", Some("b"))];
        assert!(problems(&both, None).is_empty());
    }

    #[test]
    fn namespace_is_unique_and_has_no_colon() {
        let same = [issuer("a", Some("x")), issuer("b", Some("x"))];
        assert_eq!(problems(&same, None).len(), 2);
        for namespace in ["", "a:b"] {
            assert_eq!(problems(&[issuer("a", Some(namespace))], None).len(), 1);
        }
        let twice = [issuer("a", Some("x")), issuer("a", Some("x"))];
        assert_eq!(problems(&twice, None), ["issuer `a`: it is named twice"]);
    }

    #[test]
    fn issuer_of_signed_and_opaque_tokens_counts_once() {
        let introspected = Introspection::new("a", "https://a/introspect");
        assert!(problems(&[issuer("a", None)], Some(&introspected)).is_empty());
        assert_eq!(problems(&[issuer("b", None)], Some(&introspected)).len(), 2);
    }
}
