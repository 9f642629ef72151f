//! PostgreSQL alone: what has no like on SQLite.
#![cfg(unix)]

mod altered;
mod encrypted;
mod indexes;
mod literals;
mod poolers;
mod schema;
