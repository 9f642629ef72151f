//! Rules for the keys of storage: `digits` and `stored`.

use super::attribute_keys::check_keys;
use crate::api_resource::model::{Attribute, Resource};
use crate::attributes::{FieldKeys, SqliteForm};
use crate::diagnostics::Diagnostics;

/// The most digits that every decimal holds.
const MAX_DIGITS: u8 = 28;

/// The most digits that each number of SQLite holds.
const MAX_DIGITS_OF_NUMBERS: u8 = 15;

/// The digits are some, and the forms have those that they need. The compiler judges the types.
pub(super) fn check_storage(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for keys in resource.attributes.iter().map(Attribute::keys) {
        check_digits(keys, diagnostics);
        check_forms(keys, diagnostics);
    }
}

fn check_digits(keys: &FieldKeys, diagnostics: &mut Diagnostics) {
    let Some(digits) = keys.digits.value() else {
        return;
    };
    let (precision, scale) = (digits.precision, digits.scale);
    if !(1..=MAX_DIGITS).contains(&precision) || scale > precision {
        diagnostics.report(
            keys.digits.source(),
            format!(
                "`digits` takes 1 to {MAX_DIGITS} digits in all, and how many of them are behind the point: \
                 `digits(10, 2)`"
            ),
        );
    }
}

fn check_forms(keys: &FieldKeys, diagnostics: &mut Diagnostics) {
    let Some(stored) = keys.stored.value() else {
        return;
    };
    check_keys(stored, "`stored`", diagnostics);
    if !matches!(stored.sqlite.value(), Some(SqliteForm::Number)) {
        return;
    }
    match keys.digits.value() {
        // A malformed one has its error already.
        None if keys.digits.is_written() => {}
        None => diagnostics.report(
            stored.sqlite.source(),
            "`number` needs the digits that are stored; add `digits(10, 2)` with those of the column",
        ),
        Some(digits) if digits.precision > MAX_DIGITS_OF_NUMBERS => diagnostics.report(
            keys.digits.source(),
            format!(
                "a number of SQLite holds {MAX_DIGITS_OF_NUMBERS} digits; write at most \
                 `digits({MAX_DIGITS_OF_NUMBERS}, …)`, or leave `number` out, where the column holds texts"
            ),
        ),
        Some(_) => {}
    }
}
