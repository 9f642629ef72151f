//! The in-memory revocation list of the embedded authorization server.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use resource_runtime::authorization::Claims;

/// The unexpired revoked tokens of the embedded server, kept in memory so that no request queries for them.
#[derive(Debug, Default)]
pub struct RevokedTokens {
    current: ArcSwap<Revoked>,
    /// `false` while nothing is revoked: the fast path of every request.
    any: AtomicBool,
    /// Log of local revocations since the last reload began.
    local: Mutex<Vec<Revocation>>,
}

/// A revocation list, without entries whose tokens have all expired.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Revoked {
    /// Withdrawn grants, by `gid`.
    pub grants: HashSet<String>,
    /// Revoked tokens, by `jti`.
    pub tokens: HashSet<String>,
    /// Disabled clients, by `client_id`.
    pub clients: HashSet<String>,
}

/// An entry of a revocation list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revocation {
    /// All tokens of a grant, by its id.
    Grant(String),
    /// One token, by its id.
    Token(String),
    /// All tokens of a client.
    Client(String),
}

/// Length of the local log when a reload began.
#[derive(Debug, Clone, Copy)]
pub struct Reading(usize);

impl Revoked {
    /// Adds an entry; returns `false` if it was there already.
    fn insert(&mut self, revocation: Revocation) -> bool {
        match revocation {
            Revocation::Grant(id) => self.grants.insert(id),
            Revocation::Token(id) => self.tokens.insert(id),
            Revocation::Client(id) => self.clients.insert(id),
        }
    }
}

impl RevokedTokens {
    /// Adds a local revocation, which was just stored.
    pub fn add(&self, revocation: Revocation) {
        let mut local = self.local();
        // The lock is held over the change, so that a concurrent `replace` neither loses nor outruns it.
        // Copying the list is fine: revocations are rare, and readers need no lock.
        let mut revoked = Revoked::clone(&self.current.load());
        // A known entry is in the log already, or in the rows that a reload reads.
        if revoked.insert(revocation.clone()) {
            local.push(revocation);
            self.install(revoked);
        }
    }

    /// Marks the beginning of a reload. Call it before the revocation list is read.
    pub fn begin_reading(&self) -> Reading {
        Reading(self.local().len())
    }

    /// Replaces the list by a reloaded one, and adds the local revocations since `reading` began, which it may miss.
    pub fn replace(&self, mut revoked: Revoked, reading: Reading) {
        let mut local = self.local();
        // Entries from before the reading are in the rows that it read, since they were stored first.
        let Reading(read) = reading;
        local.drain(..read);
        for revocation in local.iter() {
            revoked.insert(revocation.clone());
        }
        self.install(revoked);
    }

    fn install(&self, revoked: Revoked) {
        // The flag after the list: who sees it set also sees the entry.
        let any = revoked != Revoked::default();
        self.current.store(revoked.into());
        self.any.store(any, Ordering::Release);
    }

    fn local(&self) -> MutexGuard<'_, Vec<Revocation>> {
        // A panic leaves list and log whole: both change only by calls that do not fail.
        self.local.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tests for a revoked token of `issuer`.
    pub fn names(&self, issuer: &str, claims: &Claims) -> bool {
        // Ids of grants and clients are unique within one issuer only.
        if !self.any.load(Ordering::Acquire) || claims.issuer() != issuer {
            return false;
        }
        // Most services never get here: the flag above spares them the three lookups.
        let current = self.current.load();
        let is_in =
            |set: &HashSet<String>, name: Option<&str>| name.is_some_and(|name| set.contains(name));
        is_in(&current.grants, claims.grant_id())
            || is_in(&current.tokens, claims.token_id())
            || is_in(&current.clients, claims.client_id())
    }
}

#[cfg(test)]
mod tests {
    use resource_runtime::authorization::Claims;

    use super::{Revocation, Revoked, RevokedTokens};

    #[test]
    fn revocation_applies_until_the_list_is_replaced() {
        let revoked = RevokedTokens::default();
        let claims = Claims::new("issuer").with_token_id("a");
        assert!(!revoked.names("issuer", &claims));
        let tokens = |name: &str| Revoked {
            tokens: [name.to_owned()].into(),
            ..Revoked::default()
        };
        let replace = |by| revoked.replace(by, revoked.begin_reading());
        replace(tokens("b"));
        assert!(!revoked.names("issuer", &claims));
        replace(tokens("a"));
        assert!(revoked.names("issuer", &claims));
        assert!(!revoked.names("another", &claims));
        replace(Revoked::default());
        assert!(!revoked.names("issuer", &claims));
    }

    #[test]
    fn revocation_during_a_reload_survives_it() {
        let revoked = RevokedTokens::default();
        let of_grant = |id: &str| Claims::new("issuer").with_grant_id(id);
        let names = |id: &str| revoked.names("issuer", &of_grant(id));
        let add = |id: &str| revoked.add(Revocation::Grant(id.to_owned()));
        add("before");
        let reading = revoked.begin_reading();
        add("meanwhile");
        add("meanwhile");
        assert!(names("before") && names("meanwhile"));
        revoked.replace(Revoked::default(), reading);
        assert!(!names("before") && names("meanwhile"));
        revoked.replace(Revoked::default(), revoked.begin_reading());
        assert!(!names("meanwhile"));
    }
}
