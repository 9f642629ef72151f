//! Queries and changes meet the database: the only stage that waits for anything outside the process.

mod check;
mod database;
mod driver;
mod index;
mod options;
#[cfg(feature = "postgres")]
mod postgres;
mod recent;
mod row;
#[cfg(feature = "sqlite")]
mod sqlite;
mod state;
mod transaction;
mod unit_of_work;
#[cfg(feature = "metrics")]
mod usage;

use std::error::Error as StdError;
use std::sync::{Mutex, MutexGuard, PoisonError};

use resource_model::error::Error;

pub use database::Database;
pub(crate) use driver::{Diverting, Isolation};
pub use options::{DatabaseOptions, Durability};
pub(crate) use row::{RecordCollector, Row, RowVisitor};
pub use transaction::Transaction;
pub(crate) use transaction::passing;
pub(crate) use unit_of_work::UnitOfWork;
#[cfg(feature = "metrics")]
pub(crate) use usage::PoolUse;

#[cfg(not(any(feature = "postgres", feature = "sqlite")))]
compile_error!("enable a database of `resource-runtime`: the feature `sqlite` or `postgres`");

/// The mistake of a configuration that shows itself by an error.
fn misconfigured(problem: &str, error: impl StdError + Send + Sync + 'static) -> Error {
    Error::configuration(format!("{problem}: {error}")).with_source(error)
}

/// Locks what nobody leaves half-changed by a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
