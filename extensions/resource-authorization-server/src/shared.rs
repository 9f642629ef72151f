use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arc_swap::ArcSwap;
use resource_oauth2::issuing::{RevokedTokens, seconds};
use resource_oauth2::{Clock, TokenVerifier};
use resource_runtime::authorization::Scopes;
use resource_runtime::seam::Rows;
use serde_json::Value;

use super::followers::Followers;
use super::keys::{KeyRing, Protection};
use super::lifetimes::Lifetimes;
use super::limits::Limits;
use super::owner::Host;

/// What all requests share.
pub(super) struct Shared {
    pub(super) issuer: String,
    pub(super) resource: String,
    pub(super) resource_name: Option<String>,
    pub(super) scopes: Scopes,
    pub(super) documentation: Option<String>,
    pub(super) lifetimes: Lifetimes,
    pub(super) store: Rows,
    /// How many authorization requests were stored.
    pub(super) requests: AtomicU64,
    pub(super) protection: Protection,
    pub(super) keys: ArcSwap<KeyRing>,
    pub(super) revoked: Arc<RevokedTokens>,
    pub(super) host: Box<dyn Host>,
    pub(super) limits: Limits,
    pub(super) clock: Arc<dyn Clock>,
    /// Verifies our own tokens, with the leeway that the API has unless it sets another.
    pub(super) verifier: TokenVerifier,
    pub(super) followers: Followers,
}

impl Shared {
    pub(super) fn now(&self) -> i64 {
        seconds(&*self.clock)
    }

    pub(super) fn key_set(&self) -> Value {
        self.keys.load().key_set(self.now())
    }
}
