//! Mistakes that show before the first request: an `Err` that explains itself, never a panic.

mod building;
mod databases;
mod defaults;
mod migrated;
mod migrations;
mod rebuilt;
mod resources;
mod stored;
mod tables;
