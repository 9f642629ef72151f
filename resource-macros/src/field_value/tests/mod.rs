//! Tests of `#[derive(FieldValue)]`: the code that it emits, and the mistakes that it refuses.

mod enums;
mod expansions;
mod names;
mod newtypes;
mod shapes;

use super::{attributes, model, rules};
use crate::tests::{assert_found, described, parse};

/// Asserts that `item` has exactly the errors `expected`, each as (the text that it underlines, its
/// message).
#[track_caller]
fn assert_errors(item: &str, expected: &[(&str, &str)]) {
    let input = parse(item);
    let field_type = model::resolve(attributes::read(&input));
    let found = described(&rules::check(&field_type));
    assert_found(&found, item, expected);
}
