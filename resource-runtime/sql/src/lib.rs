//! The statements of `resource-runtime` for SQLite and PostgreSQL, written from definitions and resolved
//! queries.
//!
//! This package does no I/O: no database is needed to read what is sent to it. It is a part of
//! `resource-runtime`, which re-exports its stable part; anything else here may change with every release.

#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "the callers are the other parts of the service"
)]

mod alter;
mod column;
mod create_tables;
mod dialect;
mod expanded;
mod filter;
mod item;
mod join;
mod lookup;
mod page;
mod pattern;
mod retention;
mod sequence;
mod statement;
mod stored_form;
mod table;
mod total;
mod write;
mod writer;

pub use alter::add_column;
pub use alter::change_null;
pub use alter::convert_column;
pub use alter::convert_instant;
pub use alter::widen_column;
pub use create_tables::begin_creation;
pub use create_tables::create_missing;
pub use create_tables::create_missing_now;
pub use create_tables::limits;
pub use create_tables::schema_sql;
pub use dialect::DECIMAL;
pub use dialect::Dialect;
pub use item::item_stored_here;
pub use item::select;
use join::Alias;
pub use lookup::exists;
pub use lookup::ping;
pub use page::Matching;
pub use page::PageQuery;
pub use page::page;
pub use pattern::ILIKE;
pub use pattern::LIKE;
pub use pattern::PIECE_SEPARATOR;
pub use retention::delete_below;
pub use retention::delete_beyond;
pub use sequence::is_behind;
pub use sequence::set_on;
pub use statement::Bind;
pub use statement::Statement;
pub use stored_form::stored_form;
pub use table::add_foreign_key;
pub use table::create_index;
pub use table::create_unique_index;
pub use total::CachedTotal;
pub use write::change;
pub use write::lock_table;
use writer::SqlWriter;

#[cfg(test)]
mod tests;
