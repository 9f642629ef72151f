//! Tests of PostgreSQL alone: plans, poolers, timeouts and shared counts, without a counterpart on SQLite.

#![cfg(unix)]

mod altered_tables;
mod bound_literals;
mod cached_totals;
mod connection_permits;
mod database_encoding;
mod disconnected_clients;
mod diverting_triggers;
mod failover;
mod hosts;
mod index_use;
mod pipelines;
mod pooler_detection;
mod pooler_timeouts;
mod readiness;
mod schema;
mod shared_counts;
mod statement_timeout;
mod streaming;
mod three_servers;
mod tls;
mod totals;
mod type_conversions;
mod unreachable_server;
