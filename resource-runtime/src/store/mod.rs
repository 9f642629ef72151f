//! Queries and changes meet the database: the only stage that waits for anything outside the process.

mod check;
mod database;
mod diverting;
mod driver;
mod open;
mod options;
mod passing;
#[cfg(feature = "postgres")]
mod postgres;
mod recent;
mod record_collector;
mod row;
#[cfg(feature = "sqlite")]
mod sqlite;
mod state;
mod transaction;
mod unit_of_work;
#[cfg(feature = "metrics")]
mod usage;
mod visitor;

pub use database::Database;
pub(crate) use diverting::Diverting;
use driver::Driver;
pub(crate) use driver::Isolation;
pub use options::{DatabaseOptions, Durability};
pub(crate) use passing::passing;
pub(crate) use record_collector::RecordCollector;
pub(crate) use row::Row;
pub use transaction::Transaction;
pub(crate) use unit_of_work::UnitOfWork;
#[cfg(feature = "metrics")]
pub(crate) use usage::PoolUse;
pub(crate) use visitor::RowVisitor;

#[cfg(not(any(feature = "postgres", feature = "sqlite")))]
compile_error!("enable a database of `resource-runtime`: the feature `sqlite` or `postgres`");
