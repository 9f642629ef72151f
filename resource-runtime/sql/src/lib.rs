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
mod bulk;
mod collection;
mod column;
mod create_tables;
mod dialect;
mod expanded;
mod filter;
mod form;
mod item;
mod join;
mod keys;
mod lookup;
mod misfit;
mod names;
mod page;
mod pattern;
mod rebuild;
mod sequence;
mod statement;
mod stored_form;
mod table;
mod target;
mod total;
mod write;
mod writer;

pub use alter::{add_column, change_null, convert_column, convert_instant, widen_column};
pub use bulk::{Batch, change_where, insert_many, left_to_database};
pub use column::default_of_rows;
pub use create_tables::{begin_creation, create_missing, create_missing_now, limits, schema_sql};
pub use dialect::{DECIMAL, Dialect};
pub use form::column_type;
pub use item::{item_stored_by_this_transaction, select, select_default, select_values};
use join::Alias;
pub use keys::has_few_keys;
pub use lookup::{exists, has_null, ping, probe_write, two_rows, unidentified_row};
pub use misfit::{Misfit, find_misfits, find_shared_keys};
pub use names::name_problems;
pub use page::{Matching, PageQuery, page, page_without_functions};
pub use pattern::{ILIKE, LIKE, PIECE_SEPARATOR};
pub use rebuild::rebuild_table;
pub use sequence::{is_behind, set_on};
pub use statement::{Bind, Statement};
pub use table::{add_foreign_key, create_index, create_ordered_index, create_unique_index};
pub use total::{CachedTotal, process_and_snapshot};
pub use write::{change, check_keys_at_once, lock_table};
use writer::SqlWriter;

#[cfg(test)]
mod tests;
