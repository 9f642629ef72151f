//! Mistakes that show before the first request: an `Err` that explains itself, never a panic.

mod building;
mod database_urls;
mod defaults;
mod migration_guide;
mod resources;
mod schema_sql;
mod sqlite_table_rebuild;
mod stored;
mod tables;
