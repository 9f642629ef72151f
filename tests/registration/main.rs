//! Errors before the first request, of `build` and of the schema: an `Err` with a remedy, never a panic.

mod building;
mod collections;
mod database_urls;
mod defaults;
mod examples;
mod migration_guide;
mod resources;
mod schema_sql;
mod sqlite_table_rebuild;
mod stored;
mod tables;
