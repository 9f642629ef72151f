#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod callers;
mod client;
mod clock;
mod database;
mod response;
mod test_api;

pub use client::Client;
pub use clock::TestClock;
pub use database::TestDatabase;
pub use response::TestResponse;
pub use test_api::TestApi;

#[doc = include_str!("../docs/guide.md")]
pub mod guide {}
