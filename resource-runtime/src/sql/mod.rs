//! Definitions and queries become statements. Pure: no database is needed to read what is sent.

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
#[cfg(feature = "postgres")]
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
#[cfg(any(feature = "postgres", test))]
mod total;
mod write;
mod writer;

use alias::Alias;
pub(crate) use alter::{add_column, change_null, convert_column, convert_instant, widen_column};
#[cfg(feature = "sqlite")]
pub(crate) use dialect::DECIMAL;
pub use dialect::Dialect;
pub(crate) use expired::{delete_below, delete_beyond};
pub(crate) use index::{create_index, create_unique_index};
#[cfg(feature = "postgres")]
pub(crate) use item::item_stored_here;
pub(crate) use item::select;
#[cfg(feature = "postgres")]
pub(crate) use lock::lock_table;
pub(crate) use lookup::exists;
#[cfg(feature = "cli")]
pub(crate) use missing::create_missing_now;
#[cfg(feature = "postgres")]
pub(crate) use missing::limits;
pub(crate) use missing::{begin_creation, create_missing, schema_sql};
#[cfg(feature = "postgres")]
pub(crate) use page::Matching;
pub(crate) use page::{PageQuery, page};
#[cfg(feature = "sqlite")]
pub(crate) use pattern::{ILIKE, LIKE, PIECE_SEPARATOR};
pub(crate) use ping::ping;
#[cfg(feature = "postgres")]
pub(crate) use sequence::is_behind;
pub(crate) use sequence::set_on;
pub(crate) use statement::{Bind, Statement};
pub(crate) use stored_form::stored_form;
pub(crate) use table::add_foreign_key;
#[cfg(feature = "postgres")]
pub(crate) use total::CachedTotal;
pub(crate) use write::change;
use writer::Writer;

#[cfg(test)]
mod owner_tests;
#[cfg(test)]
mod tests;
