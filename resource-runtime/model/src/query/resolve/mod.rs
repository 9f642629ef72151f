//! Trees meet the definition: names become attributes, literals values of their kind. Hidden
//! attributes have no name here.

mod fields;
mod filter;
mod literal;
mod order;
mod path;

pub(super) use fields::fields;
pub(super) use filter::filter;
pub(super) use literal::{require_pattern, value};
pub(super) use order::order;
