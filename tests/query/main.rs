//! The query language over HTTP: filter, order, fields, expansion and paging.
//!
//! A file for each part of the language; `guide` runs every request of the user's guide, and
//! `differential` compares random queries with a plain evaluation of the same tree.

#[allow(
    unreachable_pub,
    reason = "the models of the example, as they stand there"
)]
#[path = "../../examples/address-book/src/models.rs"]
mod models;
mod patterns;
mod people;
mod regions;
mod requests;
mod samples;

mod guide;

mod boolean_operators;
mod collections;
mod comparisons;
mod filter_errors;
mod ilike;
mod in_lists;
mod lexical;
mod like;
mod literals;
mod nulls;

mod order_errors;
mod ordering;

mod cursors;
mod limit_and_offset;
mod pages;
mod parameters;
mod totals;

mod expansion;
mod fields;
mod paths;
mod self_reference;

mod composite_key_registration;
mod composite_key_updates;
mod composite_key_writes;
mod composite_keys;

mod hidden_attributes;
mod primary_keys;
mod reserved_words;
mod shared_tables;

mod long_patterns;
mod long_strings;
mod query_limits;
mod timeouts;

mod differential;
