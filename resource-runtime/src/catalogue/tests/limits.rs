//! Lengths, ranges and names.

use resource_model::schema::Bound;

use super::{compared, fatal, needed, stored, with};

#[test]
fn a_length_names_the_version_that_allows_more() {
    assert_eq!(
        with("name", |it| it.max_length = Some(50)),
        fatal(
            "`cars.name` holds at most 50 characters, but `Car` 2.0 allows 80; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        with("name", |it| it.min_length = Some(2)),
        fatal(
            "`cars.name` holds at least 2 characters, but `Car` 2.0 allows 1; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        with("plate", |it| it.max_length = Some(10)),
        fatal(
            "`cars.plate` holds at most 10 characters, but `Car` 1.0 allows any number; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    let both = |it: &mut super::StoredColumn| {
        (it.min_length, it.max_length) = (Some(3), Some(3));
    };
    assert_eq!(with("name", both).len(), 2);
}

#[test]
fn a_range_names_the_version_that_allows_more() {
    assert_eq!(
        with("seats", |it| it.min = Some(Bound::Integer(1))),
        fatal(
            "`cars.seats` holds only values from 1 on, but `Car` 2.0 allows 0; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        with("seats", |it| it.max = Some(Bound::Integer(32767))),
        fatal(
            "`cars.seats` holds only values up to 32767, but `Car` 2.0 allows 2147483647; \
             rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        with("weight", |it| it.min = Some(Bound::Real(0.5))),
        fatal(
            "`cars.weight` holds only values from 0.5 on, but `Car` 2.0 allows any number; \
             rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
}

#[test]
fn a_bound_that_the_table_excludes_is_that_of_the_model() {
    let range = |min, max| {
        let (mut needed, mut stored) = (needed(), stored());
        let mut columns = needed.columns.iter_mut();
        let weight = columns.find(|it| it.name.as_str() == "weight").unwrap();
        (weight.min, weight.max) = (Some(Bound::Real(0.0)), Some(Bound::Real(100.0)));
        let mut columns = stored.columns.iter_mut();
        let weight = columns.find(|it| it.name == "weight").unwrap();
        (weight.min, weight.max) = (Some(Bound::Real(min)), Some(Bound::Real(max)));
        compared(&needed, Some(&stored)).len()
    };
    assert_eq!(range(0.0_f64.next_up(), 100.0_f64.next_down()), 0);
    assert_eq!(range(0.001, 99.999), 2);
}

#[test]
fn bounds_of_the_kind_are_no_difference() {
    let ends = |least, greatest| {
        move |it: &mut super::StoredColumn| {
            (it.min, it.max) = (Some(Bound::Integer(least)), Some(Bound::Integer(greatest)));
        }
    };
    assert_eq!(with("sold", ends(0, 1)), []);
    assert_eq!(with("sold", ends(1, 1)).len(), 1);
    assert_eq!(with("seats", ends(0, i32::MAX.into())), []);
    assert_eq!(with("seats", ends(-1, i64::MAX)), []);
    assert_eq!(with("id", ends(i64::MIN, i64::MAX)), []);
    assert_eq!(with("id", ends(1, i64::MAX)).len(), 1);
}

/// The differences of a column that needs these names and stores those.
fn named(needed_names: &[&'static str], stored_names: &[&str]) -> Vec<super::Difference> {
    let (mut needed, mut stored) = (needed(), stored());
    let mut columns = needed.columns.iter_mut();
    columns
        .find(|it| it.name.as_str() == "plate")
        .unwrap()
        .names = needed_names.to_vec();
    let mut columns = stored.columns.iter_mut();
    let names = stored_names.iter().map(|it| (*it).to_owned()).collect();
    columns.find(|it| it.name == "plate").unwrap().names = Some(names);
    compared(&needed, Some(&stored))
}

#[test]
fn refused_names_are_listed() {
    assert_eq!(named(&["red", "green"], &["green", "blue", "red"]), []);
    assert_eq!(
        named(&["red", "blue", "pink"], &["red", "green"]),
        fatal(
            "`cars.plate` holds only `red`, `green`, but a registered version allows `blue`, \
             `pink`; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        named(&[], &["red", "green"]),
        fatal(
            "`cars.plate` holds only `red`, `green`, but `Car` 1.0 allows any text; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
}
