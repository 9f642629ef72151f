//! Entry points of the fuzz targets to the parsers, built only with `--cfg fuzzing`.

use crate::ApiResource as _;
use crate::query::{fuzz_fields, fuzz_filter, fuzz_order};
use crate::samples::Person;

/// Parses `text` as a filter; a parsed filter must print as a text that parses to the same filter.
pub fn filter(text: &str) {
    fuzz_filter(Person::DEFINITION, text);
}

/// Parses `text` as an order; a parsed order must print as a text that parses to the same order.
pub fn order(text: &str) {
    fuzz_order(Person::DEFINITION, text);
}

/// Parses `text` as fields; parsed fields must print as a text that parses to the same fields.
pub fn fields(text: &str) {
    fuzz_fields(Person::DEFINITION, text);
}
