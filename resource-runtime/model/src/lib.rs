//! The model of `resource-runtime`: resources, values, access rules, errors, and the query language.
//!
//! This package does no I/O and knows no web framework. It is a part of `resource-runtime`, which exports its
//! stable parts again; anything else here may change with every release.

#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "the callers are the other parts of the service"
)]

extern crate self as resource_runtime;

pub mod authorization;
pub mod checks;
pub mod error;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub mod query;
pub mod registry;
#[cfg(any(test, fuzzing, feature = "samples"))]
#[doc(hidden)]
pub mod samples;
pub mod schema;
pub mod value;

pub use resource_macros::ApiResource;
pub use resource_macros::FieldValue;

pub use error::Error;
pub use error::ErrorKind;
pub use error::Problem;
pub use query::QueryLimits;
pub use schema::ApiResource;
pub use schema::Field;
pub use value::AssignedKey;
pub use value::FieldValue;
pub use value::Length;
pub use value::Number;
pub use value::Owner;
pub use value::PrimaryKey;
pub use value::Record;
pub use value::RecordError;
pub use value::Value;
pub use value::Values;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
