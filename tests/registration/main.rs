//! Mistakes that show before the first request: an `Err` that explains itself, never a panic.

mod databases;
mod resources;
