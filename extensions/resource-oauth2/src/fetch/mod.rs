//! Requests to issuers: the only module that sends any.

mod address;
mod client;
mod discovery;

pub(super) use address::permitted;
pub(super) use client::{Client, ClientSettings};
pub(super) use discovery::JwksFetch;
