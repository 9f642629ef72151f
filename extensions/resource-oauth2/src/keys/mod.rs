//! The keys of an issuer: what a published set means, where it comes from, how fresh it is.

mod cache_control;
mod key;
mod key_set;
mod source;

pub(super) use cache_control::lifetime;
pub(super) use key_set::KeySet;
pub(super) use source::KeySource;
