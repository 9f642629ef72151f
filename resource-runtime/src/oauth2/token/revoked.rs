use std::collections::HashSet;

use arc_swap::ArcSwap;

use super::Claims;

/// What of an issuer's tokens was revoked before its end, known without asking for it.
#[derive(Default)]
pub(in crate::oauth2) struct RevokedTokens {
    held: ArcSwap<Revoked>,
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
    /// Takes the place of what was revoked so far; answers whether anything is new.
    pub(in crate::oauth2) fn replace(&self, revoked: Revoked) -> bool {
        let former = self.held.swap(revoked.into());
        self.held.load().has_more_than(&former)
    }

    /// Whether a token that says this was revoked.
    pub(in crate::oauth2) fn names(&self, claims: &Claims) -> bool {
        let held = self.held.load();
        let is_in =
            |set: &HashSet<String>, name: Option<&str>| name.is_some_and(|name| set.contains(name));
        is_in(&held.grants, claims.grant_id())
            || is_in(&held.tokens, claims.token_id())
            || is_in(&held.clients, claims.client_id())
    }
}

impl Revoked {
    fn has_more_than(&self, former: &Self) -> bool {
        !self.grants.is_subset(&former.grants)
            || !self.tokens.is_subset(&former.tokens)
            || !self.clients.is_subset(&former.clients)
    }
}

#[cfg(test)]
mod tests {
    use super::{Revoked, RevokedTokens};

    fn tokens(names: &[&str]) -> Revoked {
        Revoked {
            tokens: names.iter().map(ToString::to_string).collect(),
            ..Revoked::default()
        }
    }

    #[test]
    fn only_what_was_not_revoked_before_is_new() {
        let revoked = RevokedTokens::default();
        assert!(!revoked.replace(tokens(&[])));
        assert!(revoked.replace(tokens(&["a"])));
        assert!(!revoked.replace(tokens(&["a"])));
        assert!(revoked.replace(tokens(&["b"])));
        assert!(!revoked.replace(tokens(&[])));
    }
}
