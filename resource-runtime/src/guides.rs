//! Longer texts: how the parts are used together.

#[doc = include_str!("../docs/databases.md")]
pub mod databases {}

#[doc = include_str!("../docs/query-language.md")]
pub mod query_language {}

#[doc = include_str!("../docs/resources.md")]
pub mod resources {}

#[doc = include_str!("../docs/validation.md")]
pub mod validation {}
