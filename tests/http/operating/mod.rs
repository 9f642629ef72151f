//! Operation of a service: health, metrics, quotas, timeouts, CORS, caching and compression.

mod caching;
mod compression;
mod cors;
mod health;
mod metrics;
mod quota;
mod read_only;
mod timeouts;
