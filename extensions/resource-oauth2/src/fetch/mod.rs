//! What is asked of others: discovery documents and key sets of issuers, and what a token is.

mod address;
mod client;
mod discovery;

pub(super) use address::checked;
pub(super) use client::{Client, ClientSettings};
pub(super) use discovery::Publication;
