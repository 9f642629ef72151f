//! Sound structs of every kind: the compiler is silent about what the derive makes of each.

// Lints that are heeded at the root of a crate alone.
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

// For `renamed_extern_crate`: a name that is known everywhere comes from the root.
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

#[test]
fn every_file_is_compiled() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sound");
    for entry in std::fs::read_dir(folder).expect("the folder of this file") {
        let name = entry.expect("an entry").file_name();
        let module = name.to_str().and_then(|it| it.strip_suffix(".rs"));
        let module = module.expect("a source file");
        let is_named = include_str!("main.rs").contains(&format!("pub mod {module};"));
        assert!(is_named || module == "main", "{module} is in no `mod`");
    }
}
