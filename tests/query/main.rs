//! The query language over HTTP: filter, order, fields, expansion and paging.
//!
//! A file for each part of the language; `guide` runs every request of the user's guide, and
//! `differential` compares random queries with a plain evaluation of the same tree.

mod asking;
#[allow(
    unreachable_pub,
    reason = "the models of the example, as they stand there"
)]
#[path = "../../examples/address-book/src/models.rs"]
mod models;
mod patterns;
mod people;
mod regions;
mod samples;

mod guide;

mod combining;
mod comparing;
mod ilike;
mod lexical;
mod listing;
mod literals;
mod matching;
mod mistakes;
mod nulls;

mod order_mistakes;
mod ordering;

mod limits;
mod pages;
mod parameters;
mod totals;

mod expansion;
mod fields;
mod folders;
mod paths;

mod composite;
mod composite_referred;
mod composite_writes;
mod registration;

mod hidden;
mod keys;
mod names;
mod sharing;

mod caps;
mod long_patterns;
mod long_strings;
mod slow;

mod differential;
