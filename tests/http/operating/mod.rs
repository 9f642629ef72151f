//! Operation of a service: health, metrics, timeouts, CORS, caching and compression.

mod caching;
mod compression;
mod cors;
mod health;
mod metrics;
mod read_only;
mod timeouts;
