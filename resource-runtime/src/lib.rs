#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../docs/overview.md")]

extern crate self as resource_runtime;

mod api;
pub mod authorization;
mod boxed;
mod catalogue;
pub mod checks;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "docs")]
mod docs;
mod error;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub mod guides;
mod hooks;
mod http;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "openapi")]
mod openapi;
mod operation;
mod query;
mod registry;
#[cfg(any(test, fuzzing))]
mod samples;
pub mod schema;
pub mod seam;
mod serve;
mod sql;
mod store;
mod value;

pub use api::{Api, ApiBuilder};
pub use authorization::Principal;
pub use catalogue::SchemaReport;
pub use error::{Error, ErrorKind, Problem};
pub use hooks::{
    Change, HookError, HookResult, Item, Messages, RequestContext, Transaction, Validator,
    WriteContext,
};
#[cfg(feature = "openapi")]
pub use openapi::Form as OpenApiForm;
pub use query::QueryLimits;
#[doc = include_str!("../docs/derive.md")]
pub use resource_macros::ApiResource;
pub use resource_macros::FieldValue;
pub use schema::{ApiResource, Field};
pub use serve::{ApiErrors, ServeOptions, serve, serve_until};
pub use sql::Dialect;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use sqlx;
pub use store::{Database, DatabaseOptions, Durability};
pub use value::{
    AssignedKey, FieldValue, Length, Number, Owner, PrimaryKey, Record, RecordError, Value, Values,
};

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

/// The example of the package's README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
