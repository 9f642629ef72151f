//! PostgreSQL alone: what has no like on SQLite.
#![cfg(unix)]

mod altered;
mod indexes;
mod literals;
mod poolers;
