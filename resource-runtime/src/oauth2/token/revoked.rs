use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwap;

use super::Claims;

/// What of an issuer's tokens was revoked before its end, known without asking for it.
#[derive(Default)]
pub(in crate::oauth2) struct RevokedTokens {
    held: ArcSwap<Revoked>,
    /// Whether there is anything in it: every request looks.
    any: AtomicBool,
}

/// Only what tokens that are still good could name.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in crate::oauth2) struct Revoked {
    /// By `gid`: the approvals that were withdrawn.
    pub(in crate::oauth2) grants: HashSet<String>,
    /// By `jti`.
    pub(in crate::oauth2) tokens: HashSet<String>,
    /// By `client_id`: those that were disabled.
    pub(in crate::oauth2) clients: HashSet<String>,
}

impl RevokedTokens {
    /// Takes the place of what was revoked so far.
    pub(in crate::oauth2) fn replace(&self, revoked: Revoked) {
        let any = revoked != Revoked::default();
        self.held.store(revoked.into());
        self.any.store(any, Ordering::Release);
    }

    /// Whether a token of `issuer` that says this was revoked.
    pub(in crate::oauth2) fn names(&self, issuer: &str, claims: &Claims) -> bool {
        if !self.any.load(Ordering::Acquire) || claims.issuer() != issuer {
            return false;
        }
        let held = self.held.load();
        let is_in =
            |set: &HashSet<String>, name: Option<&str>| name.is_some_and(|name| set.contains(name));
        is_in(&held.grants, claims.grant_id())
            || is_in(&held.tokens, claims.token_id())
            || is_in(&held.clients, claims.client_id())
    }
}

#[cfg(test)]
mod tests {
    use super::{Claims, Revoked, RevokedTokens};

    #[test]
    fn what_was_revoked_is_named_until_it_is_replaced() {
        let revoked = RevokedTokens::default();
        let claims = Claims {
            issuer: "issuer".to_owned(),
            token_id: Some("a".to_owned()),
            ..Claims::default()
        };
        assert!(!revoked.names("issuer", &claims));
        let tokens = |name: &str| Revoked {
            tokens: [name.to_owned()].into(),
            ..Revoked::default()
        };
        revoked.replace(tokens("b"));
        assert!(!revoked.names("issuer", &claims));
        revoked.replace(tokens("a"));
        assert!(revoked.names("issuer", &claims));
        assert!(!revoked.names("another", &claims));
        revoked.replace(Revoked::default());
        assert!(!revoked.names("issuer", &claims));
    }
}
