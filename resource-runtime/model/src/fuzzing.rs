//! The parsers as fuzz targets call them: built only with `--cfg fuzzing`.

use crate::ApiResource as _;
use crate::query::{QueryLimits, fuzz_fields, fuzz_filter, fuzz_order};
use crate::samples::Person;

/// Reads `text` as a filter; what is read prints as a text that is read as the same.
pub fn filter(text: &str) {
    fuzz_filter(Person::DEFINITION, text, QueryLimits::new());
}

/// Reads `text` as an order; what is read prints as a text that is read as the same.
pub fn order(text: &str) {
    fuzz_order(Person::DEFINITION, text, QueryLimits::new());
}

/// Reads `text` as fields; what is read prints as a text that is read as the same.
pub fn fields(text: &str) {
    fuzz_fields(Person::DEFINITION, text, QueryLimits::new());
}
