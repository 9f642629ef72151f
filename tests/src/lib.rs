//! The harness of the tests: a real server on a real database, and clients that check every response.
//!
//! [`Service`] serves an API on a port of its own and stops when it is dropped, [`InProcessApi`] is one
//! without a port, [`Client`] speaks to either, or to any server, and checks on every response what the
//! contract promises of every response, and [`raw`] sends what no HTTP client would. [`watch`] reads every
//! line of the log.

mod answer;
mod assertions;
mod client;
mod databases;
mod documented;
mod in_process;
pub mod lines;
pub mod models;
pub mod polling;
pub mod raw;
mod recording;
mod runtime;
mod service;
mod streamed_response;
pub mod watch;

pub use answer::Answer;
pub use assertions::{Description, assert_created, assert_error, assert_no_content};
pub use client::{Client, Request};
pub use databases::{Backend, Cluster, OtherProgram, Pooler, Refusal, TestDatabase, free_port};
pub use in_process::InProcessApi;
pub use macro_rules_attribute::apply;
pub use recording::responses_differ;
pub use runtime::block_on;
pub use service::{Service, address_book};
pub use streamed_response::StreamedResponse;

/// The problems of an error, each with its remedy.
pub fn problems(error: &resource_runtime::Error) -> Vec<String> {
    error.problems().iter().map(ToString::to_string).collect()
}

/// The example of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
