//! One token: its parts, what must be true of them, what they say, and remembering that.

mod cache;
mod compact;
mod mapping;
mod profile;
mod revoked;
mod rules;

pub(super) use cache::{RecentTokens, TokenCache};
pub(super) use compact::{Compact, looks_signed};
pub(super) use mapping::{Mapping, ScopeClaim};
pub use profile::TokenProfile;
pub use revoked::{Reading, Revocation, Revoked, RevokedTokens};
pub(super) use rules::{Requirement, Rules, names_audience, time};
