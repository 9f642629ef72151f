//! Tests of the amount of emitted code: a cost for every reader of an expansion, and for every build.

use super::golden::{ASSIGNED_KEY, EVERY_KEY, FORMS, GUARDED, SMALL, SUBRESOURCE, VERSIONED};
use super::{parse, pretty};
use crate::api_resource::derive;

/// The lines of an expansion without fields: the impl of the constants, the head of the
/// resource's impl, its bounds, constants, a description of three lines, routes and conversions.
const FRAME: usize = 46;
const PER_FIELD: usize = 4;

fn lines(item: &str) -> usize {
    pretty(derive(&parse(item))).lines().count()
}

fn fields(item: &str) -> usize {
    item.matches("pub ").count() - 1
}

#[test]
fn a_plain_field_adds_four_lines() {
    for item in [SMALL, VERSIONED] {
        let wider = item.replace("pub value: String,", "pub value: String, pub note: String,");
        assert_eq!(lines(&wider) - lines(item), PER_FIELD, "in {wider}");
    }
}

#[test]
fn twelve_plain_fields_add_four_lines_each() {
    let notes: Vec<String> = (0..12)
        .map(|index| format!("pub note_{index}: String,"))
        .collect();
    let notes = notes.concat();
    let wider = SMALL.replace("pub value: String,", &format!("pub value: String, {notes}"));
    assert_eq!(lines(&wider) - lines(SMALL), 12 * PER_FIELD);
}

#[test]
fn the_frame_keeps_its_budget() {
    for item in [SMALL, VERSIONED] {
        let found = lines(item);
        let budget = FRAME + PER_FIELD * fields(item);
        assert!(
            found <= budget,
            "{found} lines, {budget} allowed, in {item}"
        );
    }
}

/// A bound of a new type, a subresource, a validator, an example, operations that are not all, the scopes of a
/// group of them and the owner are a line each; the rest are lines that prettyplease wraps, above all
/// those of a default.
#[test]
fn keys_add_few_lines_beside_their_attribute() {
    for (item, fields, keys) in [
        (SUBRESOURCE, 6, 9),
        (EVERY_KEY, 8, 36),
        (ASSIGNED_KEY, 6, 18),
        (GUARDED, 5, 12),
        (FORMS, 4, 45),
    ] {
        let found = lines(item);
        let budget = FRAME + PER_FIELD * fields + keys;
        assert!(
            found <= budget,
            "{found} lines, {budget} allowed, in {item}"
        );
    }
}
