//! Authorization: admission of requests, and the items and attributes that each caller sees.

mod access_matrix;
mod admission;
mod caller_in_hooks;
mod challenges;
mod collections;
mod cors;
mod entity_tags;
mod field_scopes;
mod guarded_service;
mod guide;
mod handwritten_definitions;
mod hidden_items;
mod hooks;
mod models;
mod multiple_issuers;
mod owner_kinds;
mod owners;
mod random_queries;
mod references;
mod registration;
mod shared_tables;
mod upserting;
mod warnings;
