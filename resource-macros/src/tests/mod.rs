//! Tests of `#[derive(ApiResource)]` without a compiler: token streams in, text and errors out.

mod budget;
mod evolution;
mod existing;
mod fallback;
pub(crate) mod golden;

mod field_scopes;
mod fields;
mod forms;
mod guard;
mod keys;
mod limits;
mod names;
mod owner;
mod primary_key;
mod redacts;
mod scopes;
mod shapes;
mod subresources;
mod url_and_version;
mod withheld;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::api_resource::{model, rules};
use crate::attributes;
use crate::diagnostics::Diagnostics;

pub(crate) fn parse(item: &str) -> DeriveInput {
    syn::parse_str(item).unwrap_or_else(|error| panic!("{error} in {item}"))
}

/// Every error of `item` as (the text that it underlines, its message).
fn errors(item: &str) -> Vec<(String, String)> {
    let input = parse(item);
    let resource = model::resolve(attributes::read(&input));
    described(&rules::check(&resource))
}

/// Every error as (the text that it underlines, its message).
pub(crate) fn described(diagnostics: &Diagnostics) -> Vec<(String, String)> {
    let errors = diagnostics.errors().iter();
    errors
        .map(|error| {
            let underlined = error.span().source_text().unwrap_or_default();
            (underlined, error.to_string())
        })
        .collect()
}

/// Asserts that `item` has exactly the errors `expected`.
#[track_caller]
fn assert_errors(item: &str, expected: &[(&str, &str)]) {
    assert_found(&errors(item), item, expected);
}

/// Asserts that the errors that were `found` in `item` are exactly those `expected`.
#[track_caller]
pub(crate) fn assert_found(found: &[(String, String)], item: &str, expected: &[(&str, &str)]) {
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(underlined, message)| (underlined.as_str(), message.as_str()))
        .collect();
    assert_eq!(found, expected, "in {item}");
}

/// Asserts the errors of a struct that is correct but for the keys `extra` of its own.
#[track_caller]
fn assert_struct_errors(extra: &str, expected: &[(&str, &str)]) {
    assert_errors(&with_struct_keys(extra), expected);
}

/// Asserts the errors of a struct that is correct but for its last field.
#[track_caller]
fn assert_field_errors(field: &str, expected: &[(&str, &str)]) {
    assert_errors(&with_field(field), expected);
}

fn with_struct_keys(extra: &str) -> String {
    format!(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0", {extra})]
        struct Thing {{
            id: i64,
            label: String,
            #[resource(references = Place)]
            place_id: i64,
        }}"#
    )
}

fn with_field(field: &str) -> String {
    format!(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0")]
        struct Thing {{
            id: i64,
            {field},
        }}"#
    )
}

/// The text of a token stream, formatted as by `rustfmt`.
pub(crate) fn pretty(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens).unwrap_or_else(|error| panic!("the expansion: {error}"));
    prettyplease::unparse(&file)
}
