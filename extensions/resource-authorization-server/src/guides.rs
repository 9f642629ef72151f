//! Guides to OAuth 2: access to an API, a server that issues tokens, and the threat model of both.

#[doc = include_str!("../docs/protecting.md")]
pub mod protecting {}

#[doc = include_str!("../docs/issuing.md")]
pub mod issuing {}

#[doc = include_str!("../docs/threats.md")]
pub mod threats {}
