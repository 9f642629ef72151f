//! The harness of the tests: a real server on a real file, and clients that look closely.
//!
//! [`Service`] serves an API on a port of its own and stops when it is dropped, [`Client`]
//! speaks to any server and checks on every answer what the contract promises of every
//! answer, and [`raw`] sends what no HTTP client would.

mod answer;
mod assertions;
mod client;
mod file;
pub mod models;
pub mod patience;
pub mod raw;
mod runtime;
mod service;

pub use answer::Answer;
pub use assertions::{Description, assert_created, assert_error, assert_no_content};
pub use client::{Client, Request};
pub use file::DatabaseFile;
pub use runtime::block_on;
pub use service::{Service, address_book};
