use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use resource_runtime::authorization::Claims;

/// What of an issuer's tokens was revoked before its end, known without asking for it.
#[derive(Debug, Default)]
pub struct RevokedTokens {
    current: ArcSwap<Revoked>,
    /// Whether there is anything in it: every request looks.
    any: AtomicBool,
    /// What was added since it began to be read what is held.
    own: Mutex<Vec<Revocation>>,
}

/// Only what tokens that are still good could name.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Revoked {
    /// By `gid`: the approvals that were withdrawn.
    pub grants: HashSet<String>,
    /// By `jti`.
    pub tokens: HashSet<String>,
    /// By `client_id`: those that were disabled.
    pub clients: HashSet<String>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revocation {
    /// All tokens of an approval, by its id.
    Grant(String),
    /// One token, by its id.
    Token(String),
    /// All tokens of a client.
    Client(String),
}

/// How many of our own there were when it began to be read what is stored.
#[derive(Debug, Clone, Copy)]
pub struct Reading(usize);

impl Revoked {
    /// Answers whether it is new.
    fn insert(&mut self, revocation: Revocation) -> bool {
        match revocation {
            Revocation::Grant(id) => self.grants.insert(id),
            Revocation::Token(id) => self.tokens.insert(id),
            Revocation::Client(id) => self.clients.insert(id),
        }
    }
}

impl RevokedTokens {
    /// Adds what is stored as of now.
    pub fn add(&self, revocation: Revocation) {
        let mut own = self.own();
        let mut revoked = Revoked::clone(&self.current.load());
        if revoked.insert(revocation.clone()) {
            own.push(revocation);
            self.install(revoked);
        }
    }

    /// To be called before it is read what is stored.
    pub fn begin_reading(&self) -> Reading {
        Reading(self.own().len())
    }

    /// Takes the place of what was revoked so far, but for what was added since `reading` began.
    pub fn replace(&self, mut revoked: Revoked, reading: Reading) {
        let mut own = self.own();
        let Reading(read) = reading;
        own.drain(..read);
        for revocation in own.iter() {
            revoked.insert(revocation.clone());
        }
        self.install(revoked);
    }

    fn install(&self, revoked: Revoked) {
        let any = revoked != Revoked::default();
        self.current.store(revoked.into());
        self.any.store(any, Ordering::Release);
    }

    fn own(&self) -> MutexGuard<'_, Vec<Revocation>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a token of `issuer` that says this was revoked.
    pub fn names(&self, issuer: &str, claims: &Claims) -> bool {
        if !self.any.load(Ordering::Acquire) || claims.issuer() != issuer {
            return false;
        }
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
    fn what_was_revoked_is_named_until_it_is_replaced() {
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
    fn what_is_added_while_it_is_read_stays_until_it_is_read_again() {
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
