//! What operators and their tools ask of a service, and how its answers travel.

mod caching;
mod compression;
mod cors;
mod health;
mod metrics;
mod read_only;
mod timeouts;
