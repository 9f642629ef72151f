//! The keys of an issuer: parsing a key set, fetching it, and refreshing it.

mod cache_control;
mod key;
mod key_set;
mod source;

pub(super) use cache_control::lifetime;
pub(super) use key_set::KeySet;
pub(super) use source::KeySource;
