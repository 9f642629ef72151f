//! The statements of `resource-runtime` for SQLite and PostgreSQL, written from definitions and resolved queries.
//!
//! This package does no I/O: no database is needed to read what is sent to it. It is a part of `resource-runtime`,
//! which hands on what is stable of it; anything else here may change with every release.

#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "the callers are the other parts of the service"
)]

mod alias;
mod alter;
mod column;
mod dialect;
mod expanded;
mod expired;
mod filter;
mod index;
mod item;
mod join;
mod lock;
mod lookup;
mod missing;
mod page;
mod pattern;
mod ping;
mod rows;
mod sequence;
mod short_name;
mod statement;
mod stored_form;
mod table;
mod total;
mod write;
mod writer;

use alias::Alias;
pub use alter::{add_column, change_null, convert_column, convert_instant, widen_column};
pub use dialect::{DECIMAL, Dialect};
pub use expired::{delete_below, delete_beyond};
pub use index::{create_index, create_unique_index};
pub use item::{item_stored_here, select};
pub use lock::lock_table;
pub use lookup::exists;
pub use missing::{begin_creation, create_missing, create_missing_now, limits, schema_sql};
pub use page::{Matching, PageQuery, page};
pub use pattern::{ILIKE, LIKE, PIECE_SEPARATOR};
pub use ping::ping;
pub use sequence::{is_behind, set_on};
pub use statement::{Bind, Statement};
pub use stored_form::stored_form;
pub use table::add_foreign_key;
pub use total::CachedTotal;
pub use write::change;
use writer::Writer;

#[cfg(test)]
mod owner_tests;
#[cfg(test)]
mod tests;
