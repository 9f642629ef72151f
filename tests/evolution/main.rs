//! Versions that keep their promises: a file for each topic.

#![allow(
    clippy::large_types_passed_by_value,
    reason = "definitions are made by methods that take them"
)]

mod chains;
mod compiled;
mod deprecation;
mod described;
mod edits;
mod merges;
mod published;
mod published_rules;
mod random;
mod remedies;
mod rich;
mod rules;
mod shared_tables;
mod shown;
mod sound;
mod told;
