//! Signing keys of access tokens: stored in the database, published before they sign, and after
//! that for as long as a token needs them.

mod protection;
mod ring;
mod stored;

pub(super) use protection::Protection;
pub(super) use ring::{KeyRing, sign};
pub use stored::AddedKey;
pub(super) use stored::{AddFirstKey, AddNextKey, load};
