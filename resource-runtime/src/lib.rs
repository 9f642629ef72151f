#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../docs/overview.md")]

// The derive's code names this crate by its path, also within the crate itself.
extern crate self as resource_runtime;

mod api;
pub mod authorization;
mod boxed;
mod catalogue;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "docs")]
mod docs;
mod failure;
pub mod guides;
mod hooks;
mod http;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "openapi")]
mod openapi;
mod operation;
pub mod seam;
mod serve;
mod store;
mod unnamed_file;

pub use api::Api;
pub use api::ApiBuilder;
pub use authorization::Principal;
pub use catalogue::SchemaReport;
pub use hooks::Change;
pub use hooks::HookError;
pub use hooks::HookResult;
pub use hooks::Item;
pub use hooks::Messages;
pub use hooks::RequestContext;
pub use hooks::Transaction;
pub use hooks::Validator;
pub use hooks::WriteContext;
#[cfg(feature = "openapi")]
pub use openapi::Form as OpenApiForm;
#[doc = include_str!("../docs/derive.md")]
pub use resource_macros::ApiResource;
pub use resource_macros::FieldValue;
pub use resource_model::checks;
pub use resource_model::error::Error;
pub use resource_model::error::ErrorKind;
pub use resource_model::error::Problem;
#[cfg(fuzzing)]
#[doc(hidden)]
pub use resource_model::fuzzing;
pub use resource_model::query::QueryLimits;
pub use resource_model::schema::ApiResource;
pub use resource_model::schema::Field;
pub use resource_model::value::AssignedKey;
pub use resource_model::value::FieldValue;
pub use resource_model::value::Length;
pub use resource_model::value::Number;
pub use resource_model::value::Owner;
pub use resource_model::value::PrimaryKey;
pub use resource_model::value::Record;
pub use resource_model::value::RecordError;
pub use resource_model::value::Value;
pub use resource_model::value::Values;
pub use resource_sql::Dialect;
pub use serve::ApiErrors;
pub use serve::ServeOptions;
pub use serve::serve;
pub use serve::serve_until;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use sqlx;
pub use store::Database;
pub use store::DatabaseOptions;
pub use store::Durability;

/// Resources as data: the definitions that the derive makes of structs.
pub mod schema {
    pub use resource_model::schema::Access;
    pub use resource_model::schema::ApiResource;
    pub use resource_model::schema::Attribute;
    pub use resource_model::schema::DefinitionOf;
    pub use resource_model::schema::ErasedValidator;
    pub use resource_model::schema::Field;
    pub use resource_model::schema::Guard;
    pub use resource_model::schema::Kind;
    pub use resource_model::schema::Operation;
    pub use resource_model::schema::Ownership;
    pub use resource_model::schema::Requirement;
    pub use resource_model::schema::ResourceDefinition;
    pub use resource_model::schema::Routes;
    pub use resource_model::schema::Subresource;
    pub use resource_model::schema::Version;
}

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

/// The example of the package's README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
