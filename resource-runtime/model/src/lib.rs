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
pub mod column;
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

pub use resource_macros::{ApiResource, FieldValue};

pub use column::{Column, Draft, KeyOperand, Operand, Own, Reached, Related};
pub use error::{Error, ErrorKind, Problem};
pub use query::{Filter, Order, QueryLimits};
pub use schema::ApiResource;
pub use value::{
    AssignedKey, FieldValue, ItemKey, Length, Number, Owner, PrimaryKey, Record, RecordError, Text,
    Value, Values,
};

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
