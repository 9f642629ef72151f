//! The derive's code breaks none of the rules that a strict crate sets itself.

#![deny(
    warnings,
    missing_docs,
    unused,
    nonstandard_style,
    future_incompatible,
    rust_2018_idioms
)]
#![deny(
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    unused_lifetimes
)]
#![deny(
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    variant_size_differences,
    let_underscore_drop
)]
#![deny(
    private_bounds,
    private_interfaces,
    unsafe_code,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements
)]
#![deny(
    unused_import_braces,
    unused_macro_rules,
    non_ascii_idents,
    meta_variable_misuse,
    unit_bindings
)]

use resource_runtime::ApiResource;

/// A setting.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Setting",
    url = "/settings",
    version = "1.0",
    unique(name, value),
    limit(default = 5)
)]
#[resource(subresource(parent = "parent_id"))]
pub struct Setting {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[resource(max_length = 50, default = "none")]
    pub name: String,
    /// What nobody should use.
    #[deprecated]
    pub old: Option<i32>,
    /// Its value.
    #[resource(min = 0, max = 9)]
    pub value: i32,
    /// What it belongs to.
    #[resource(references = Setting)]
    pub parent_id: Option<i64>,
}

mod inner {
    use resource_runtime::ApiResource;

    #[derive(Debug, ApiResource)]
    #[resource(name = "Secret", url = "/secrets", version = "1.0", operations(create))]
    pub(crate) struct Secret {
        pub(crate) id: i64,
    }
}

fn main() {
    assert_eq!(
        Setting::COLUMNS,
        r#""id", "name", "old", "value", "parent_id""#
    );
    assert_eq!(inner::Secret { id: 1 }.id, 1);
}
