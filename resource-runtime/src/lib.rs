#![warn(unreachable_pub)]
#![doc = include_str!("../docs/overview.md")]

extern crate self as resource_runtime;

mod api;
mod boxed;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "docs")]
mod documentation;
mod encode;
mod error;
mod execute;
mod extract;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
pub mod guides;
mod http;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "oauth2")]
pub mod oauth2;
#[cfg(feature = "openapi")]
mod openapi;
mod operation;
mod plan;
mod query;
mod registry;
mod routing;
#[cfg(any(test, fuzzing))]
mod samples;
pub mod schema;
mod schema_check;
mod serve;
mod validate;
mod validator;
mod value;

pub use api::{Api, ApiBuilder};
pub use error::Error;
pub use execute::{Database, DatabaseOptions, Durability};
pub use guard::Principal;
#[cfg(feature = "openapi")]
pub use openapi::Form as OpenApiForm;
pub use plan::Dialect;
pub use query::QueryLimits;
#[doc = include_str!("../docs/derive.md")]
pub use resource_macros::ApiResource;
pub use resource_macros::FieldValue;
pub use schema::{ApiResource, Field};
pub use schema_check::SchemaReport;
pub use serve::{ServeOptions, serve, serve_until};
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use sqlx;
pub use validator::checks;
pub use validator::{
    Change, HookError, HookResult, Item, Messages, RequestContext, Transaction, Validator,
    WriteContext,
};
pub use value::{
    AssignedKey, FieldValue, Length, Number, Owner, PrimaryKey, Record, RecordError, Value, Values,
};

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

/// The example of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
