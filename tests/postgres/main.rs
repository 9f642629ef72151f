//! PostgreSQL alone: what has no like on SQLite.

#![cfg(unix)]

mod abandoned;
mod altered;
mod away;
mod converted;
mod counted;
mod diverted;
mod encoded;
mod encrypted;
mod ended;
mod given_up;
mod indexes;
mod literals;
mod pooled;
mod poolers;
mod ready;
mod remembered;
mod replaced;
mod schema;
mod streamed;
mod totals;
