//! Longer texts: how the parts are used together.

#[doc = include_str!("../docs/query-language.md")]
pub mod query_language {}
