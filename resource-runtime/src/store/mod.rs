//! The storage layer: the only stage that does I/O with a database.

mod check_constraint;
mod database;
mod driver;
mod index;
mod neighbours;
mod options;
#[cfg(feature = "metrics")]
mod pool_stats;
#[cfg(feature = "postgres")]
mod postgres;
mod row;
#[cfg(feature = "sqlite")]
mod sqlite;
mod transaction;
mod transaction_state;

use std::error::Error as StdError;

use resource_model::error::Error;

pub use database::Database;
pub use driver::Isolation;
pub(crate) use driver::ReadKind;
pub(crate) use driver::{
    BatchFailure, DivertedWrites, READ_COMMITTED, TransactionKind, Visited, Visitors,
};
pub(crate) use neighbours::Neighbours;
pub use options::{DatabaseOptions, Durability};
#[cfg(feature = "metrics")]
pub(crate) use pool_stats::PoolStats;
pub(crate) use row::{RecordCollector, Row, RowVisitor, misfit, restored};
pub(crate) use transaction::{DatabaseTransaction, transient_failure};

#[cfg(not(any(feature = "postgres", feature = "sqlite")))]
compile_error!("enable a database of `resource-runtime`: the feature `sqlite` or `postgres`");

/// A configuration error that another error caused.
fn misconfigured(problem: &str, error: impl StdError + Send + Sync + 'static) -> Error {
    Error::configuration(format!("{problem}: {error}")).with_source(error)
}
