//! The keys that sign access tokens: kept in the database, published before they sign, and
//! published after that until no token needs them.

mod protection;
mod ring;
mod stored;

pub(super) use protection::Protection;
pub(super) use ring::{KeyRing, sign};
pub use stored::AddedKey;
pub(super) use stored::{FirstKey, NextKey, load};
