//! Longer texts: how the parts are used together.

#[doc = include_str!("../docs/databases.md")]
pub mod databases {}

#[cfg_attr(
    feature = "oauth2-server",
    doc = include_str!("../docs/oauth2.md")
)]
#[cfg_attr(
    not(feature = "oauth2-server"),
    doc = "The guide to OAuth 2 is there with the feature `oauth2-server`."
)]
pub mod oauth2 {}

#[cfg_attr(
    all(feature = "cli", feature = "compression", feature = "cors", feature = "metrics"),
    doc = include_str!("../docs/operation.md")
)]
#[cfg_attr(
    not(all(
        feature = "cli",
        feature = "compression",
        feature = "cors",
        feature = "metrics"
    )),
    doc = "The guide to operation is there with the features `cli`, `compression`, `cors` and `metrics`."
)]
pub mod operation {}

#[doc = include_str!("../docs/query-language.md")]
pub mod query_language {}

#[doc = include_str!("../docs/resources.md")]
pub mod resources {}

#[doc = include_str!("../docs/validation.md")]
pub mod validation {}
