//! Longer texts: how the parts are used together.

#[doc = include_str!("../docs/databases.md")]
pub mod databases {}

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
