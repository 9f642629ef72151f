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
mod clock;
mod conventions;
#[cfg(feature = "docs")]
mod docs;
mod failure;
pub mod guides;
pub mod handlers;
mod hooks;
mod http;
pub mod items;
mod json;
mod locked;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "openapi")]
mod openapi;
mod operation;
mod serve;
pub mod shared;
mod store;

#[doc(hidden)]
pub use api::ApiPromises;
#[cfg(feature = "testing")]
pub use api::testing;
pub use api::{Api, ApiBuilder};
pub use authorization::Principal;
pub use catalogue::SchemaReport;
pub use clock::{Clock, SystemClock};
pub use hooks::{
    Change, HookError, HookResult, Item, Messages, Quota, QuotaRequest, RequestContext, Validator,
    WriteContext,
};
pub use items::{Committed, Items, Page, ReadTransaction, Transaction};
#[cfg(feature = "openapi")]
pub use openapi::OpenApiVersion;
#[doc = guides::links!()]
#[doc = include_str!("../docs/derive.md")]
pub use resource_macros::ApiResource;
pub use resource_macros::FieldValue;
pub use resource_model::checks;
pub use resource_model::column::{Column, Draft, KeyOperand, Operand, Related};
pub use resource_model::error::{CustomError, Error, ErrorKind, Problem};
#[cfg(fuzzing)]
#[doc(hidden)]
pub use resource_model::fuzzing;
pub use resource_model::new;
pub use resource_model::query::{Filter, Order, QueryLimits};
pub use resource_model::schema::ApiResource;
pub use resource_model::value::{
    AssignedKey, FieldValue, ItemKey, Length, Number, Owner, PrimaryKey, Record, RecordError, Text,
    Value, Values,
};
pub use resource_sql::Dialect;
pub use serve::{ApiErrors, ServeOptions, serve, serve_until};
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use sqlx;
pub use store::{Database, DatabaseOptions, Durability, Isolation};

/// Resources as data: the definitions that the derive makes of structs.
pub mod schema {
    pub use resource_model::schema::{
        Access, ApiResource, Attribute, DefinitionOf, ErasedValidator, Example, Guard, Kind,
        Operation, Ownership, Requirement, ResourceDefinition, Routes, Subresource, Version,
    };
    #[cfg(feature = "catalogue")]
    pub use resource_model::schema::{
        Bound, Privilege, ReferentialAction, StoredColumn, StoredConflict, StoredForeignKey,
        StoredSequence, StoredTable, StoredType, StoredUnique,
    };
}

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

/// The example of the package's README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
