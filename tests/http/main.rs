//! The specification and the contract over HTTP: a file for each of their sections.
//!
//! Every test serves its own API on its own database file, so all of them run at once.

mod accept;
mod assigned_keys;
mod attributes;
mod bodies;
mod body_limit;
mod builder_settings;
mod collections;
mod concurrency;
mod connections;
mod creating;
mod custom_field_values;
#[cfg(unix)]
mod deleted_files;
mod deleting;
mod derived_field_values;
mod documentation;
mod entity_tags;
mod error_pages;
mod errors;
mod existing_tables;
mod failures;
#[cfg(unix)]
mod file_modes;
mod floating_point;
mod formats;
mod headers;
mod hostile_requests;
mod idempotency_keys;
mod index;
mod invalid_defaults;
mod invalid_json;
mod malformed_requests;
mod messages;
mod methods;
mod model_validation;
mod nested_router;
mod numbers;
mod openapi;
mod openapi_rules;
mod openapi_values;
mod operating;
mod own_routes;
mod paging;
mod patching;
mod preconditions;
mod preferring;
mod problem_details;
mod references;
mod retrieving;
mod routing;
mod sequences;
mod shared_tables;
mod storage;
mod streaming;
mod subresources;
mod table_constraints;
mod texts;
mod triggers;
mod unique_constraints;
mod updating;
mod upserting;
mod value_limits;
mod versions;
