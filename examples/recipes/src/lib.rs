//! Recipes: short program parts for tasks that many services have, each with the tests that prove it.
//!
//! - [`import`] stores the rows of a long file beside clients, and resumes after a failure.
//! - [`background_job`] works through a table of jobs, with several workers and later attempts after failures.
//! - [`outbox`] publishes an event for each new order, in order and at least once.
//! - [`multi_tenancy`] shows each tenant its own items alone, and counts the items of each tenant.
//! - [`soft_delete`] keeps deleted notes in a trash, from which their owner restores them.

pub mod background_job;
pub mod import;
pub mod multi_tenancy;
pub mod outbox;
pub mod soft_delete;
