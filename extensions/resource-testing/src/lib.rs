#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod callers;
mod client;
mod clock;
mod database;
mod response;
mod test_api;

use std::fmt::Display;

pub use client::Client;
pub use clock::TestClock;
pub use database::TestDatabase;
pub use response::TestResponse;
pub use test_api::TestApi;

/// The value of a step without which the test cannot go on.
fn must<T>(step: &str, result: Result<T, impl Display>) -> T {
    result.unwrap_or_else(|error| panic!("{step}: {error}"))
}

#[doc = include_str!("../docs/guide.md")]
pub mod guide {}
