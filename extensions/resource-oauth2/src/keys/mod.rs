//! The keys of an issuer: what a published set means, where it comes from, how fresh it is.

mod freshness;
mod key;
mod key_set;
mod source;

pub(super) use freshness::lifetime;
pub(super) use key_set::KeySet;
pub(super) use source::KeySource;
