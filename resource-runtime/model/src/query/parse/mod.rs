//! Text becomes a tree, by recursive descent.

mod fields;
mod filter;
mod order;

pub(super) use fields::fields;
pub(super) use filter::filter;
pub(super) use order::order;
