//! Sound structs of every kind: the compiler is silent about what the derive makes of each, and it says what the struct does.

// Heeded of a whole crate alone.
#![deny(future_incompatible, non_ascii_idents)]
#![allow(
    clippy::enum_variant_names,
    clippy::float_cmp,
    clippy::redundant_closure_for_method_calls,
    clippy::struct_field_names,
    clippy::type_complexity,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    reason = "the structs are such as users write; a file denies the lints that it is about"
)]

// The name that one of them uses.
extern crate resource_runtime as my_api;

// Public, since lints about what others see look at what they can reach.
pub mod approved_breaks;
pub mod denied_lints;
pub mod each_others_subresources;
pub mod field_named_columns;
pub mod guarded;
pub mod inside_a_function;
pub mod made_by_a_macro;
pub mod names_of_the_runtime;
pub mod new_items;
pub mod no_implicit_prelude;
pub mod primary_keys;
pub mod private_fields;
pub mod private_types;
pub mod raw_identifiers;
pub mod renamed_crate;
pub mod renamed_extern_crate;
pub mod serde_beside_own_keys;
pub mod shadowed_prelude;
pub mod transaction_in_a_handler;
pub mod types_of_fields;
pub mod validators;
pub mod visibility;
