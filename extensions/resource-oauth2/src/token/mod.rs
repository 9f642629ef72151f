//! Tokens: parsing, rules, claim mapping, caching and revocation.

mod cache;
mod compact;
mod mapping;
mod revoked;
mod rules;

pub(super) use cache::{ResultCache, TokenCache};
pub(super) use compact::{Compact, looks_signed};
pub use mapping::CLIENT_PREFIX;
pub(super) use mapping::{Mapping, ScopeClaim};
pub use revoked::{Reading, Revocation, Revoked, RevokedTokens};
pub use rules::TokenProfile;
pub(super) use rules::{Requirement, Rules, names_audience, time};
