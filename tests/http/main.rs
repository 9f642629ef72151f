//! The specification and the contract over HTTP: a file for each of their sections.
//!
//! Every test serves its own API on its own database file, so all of them run at once.

mod accept;
mod assigned_keys;
mod attributes;
mod bodies;
mod broken_json;
mod collections;
mod concurrency;
mod connections;
mod constraints;
mod creating;
mod deleting;
mod derived_types;
mod described_values;
mod documentation;
mod documented;
mod doubles;
mod error_pages;
mod errors;
mod failing_defaults;
mod failures;
#[cfg(unix)]
mod file_modes;
mod headers;
mod index;
mod limits;
#[cfg(unix)]
mod lost_files;
mod malformed;
mod messages;
mod methods;
mod model_checks;
mod nasty;
mod nested;
mod numbers;
mod older_tables;
mod operating;
mod own_types;
mod paging;
mod persons;
mod problems;
mod references;
mod retrieving;
mod routing;
mod sequences;
mod settings;
mod shared_tables;
mod sizes;
mod sound_documents;
mod storage;
mod stored_constraints;
mod streaming;
mod texts;
mod triggers;
mod updating;
mod versions;
