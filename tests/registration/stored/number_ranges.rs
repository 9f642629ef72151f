//! Ranges of every kind of number in `CHECK` constraints, in the forms of tools and people.

use resource_runtime::{Api, ApiBuilder, ApiResource, FieldValue};
use resource_tests::{TestDatabase, problems};
use rust_decimal::Decimal;

use super::creation::create;
use super::{assert_fits, made_by, refusals};

const REMEDY: &str =
    "rebuild the table by the statements that the command `check --rebuild ores` prints";

#[derive(Debug, Clone, Copy, FieldValue)]
enum Grade {
    C,
    D,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Ore", url = "/ores", version = "1.0")]
struct Ore {
    id: i64,
    #[resource(min = 0, max = 100)]
    price: Option<Decimal>,
    tax: Option<Decimal>,
    #[resource(min = 0, max = 0.3)]
    share: Option<f32>,
    part: Option<f32>,
    #[resource(min = 0, max = 1.5)]
    density: Option<f64>,
    weight: Option<f64>,
    count: Option<i64>,
    grade: Option<Grade>,
    note: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Ore", url = "/ores", version = "0.9")]
struct OlderOre {
    id: i64,
    #[resource(min = 1, max = 50)]
    price: Option<Decimal>,
    #[resource(min = 0.1, max = 0.2)]
    share: Option<f32>,
    grade: Option<Grade>,
}

/// Two versions, of which the newer one is not checked first.
fn ores() -> ApiBuilder {
    Api::builder().resource::<OlderOre>().resource::<Ore>()
}

/// The statement of a table of ores with these checks.
fn with(checks: &str) -> String {
    format!(
        "CREATE TABLE ores (
             id INTEGER PRIMARY KEY AUTOINCREMENT, price TEXT, tax TEXT, share REAL, part REAL,
             density REAL, weight REAL, count INTEGER, grade TEXT, note TEXT, {checks}
         )"
    )
}

#[track_caller]
fn assert_narrower(check: &str, expected: &str) {
    let found = refusals(ores(), &with(&format!("CHECK ({check})")));
    assert_eq!(found, [format!("`ores.{expected}; {REMEDY}")], "{check}");
}

#[test]
fn created_tables_have_no_differences() {
    let file = TestDatabase::default();
    create(ores(), &file);
    assert_fits(ores(), &file);
}

#[test]
fn narrower_decimal_range_is_reported_for_the_version_that_allows_more() {
    let file = TestDatabase::default();
    create(Api::builder().resource::<OlderOre>(), &file);
    let error = super::checked(ores(), &file).unwrap_err();
    let expected = [
        "from 1.0 on, but `Ore` 1.0 allows 0",
        "up to 50.0, but `Ore` 1.0 allows 100",
    ]
    .map(|limit| format!("`ores.price` holds only values {limit}; {REMEDY}"));
    assert_eq!(problems(&error)[..2], expected);
    for (check, most) in [
        ("CAST(\"tax\" AS REAL) <= 10.0", "10.0"),
        ("cast ( [TAX] as real ) < 10.000000000000002", "10.0"),
        ("tax IS NULL OR 10 >= CAST(tax AS REAL)", "10"),
    ] {
        let expected = "but `Ore` 1.0 allows any number";
        assert_narrower(
            check,
            &format!("tax` holds only values up to {most}, {expected}"),
        );
    }
    // The cast of a text attribute to a number is ignored.
    assert_fits(ores(), &made_by(&with("CHECK (CAST(note AS REAL) <= 10)")));
}

#[test]
fn bounds_are_reported_as_written() {
    assert_narrower(
        "share <= 0.25",
        "share` holds only values up to 0.25, but `Ore` 1.0 allows 0.3",
    );
    assert_narrower(
        "share > 0.5 OR share IS NULL",
        "share` holds only values from 0.5000000000000001 on, but `Ore` 1.0 allows 0",
    );
    assert_narrower(
        "density >= 1",
        "density` holds only values from 1 on, but `Ore` 1.0 allows 0",
    );
    assert_narrower(
        "density <= 1",
        "density` holds only values up to 1, but `Ore` 1.0 allows 1.5",
    );
}

/// The `f32` nearest to 0.3 is greater than the nearest `f64`.
#[test]
fn bound_of_a_single_is_compared_as_the_stored_double() {
    assert_narrower(
        "share <= 0.3",
        "share` holds only values up to 0.3, but `Ore` 1.0 allows 0.3, which is stored as \
         0.30000001192092896",
    );
    assert_fits(
        ores(),
        &made_by(&with("CHECK (share <= 0.30000001192092896)")),
    );
}

#[test]
fn bound_beyond_the_range_of_the_type_is_ignored() {
    for check in [
        "count < 9223372036854775808",
        "count <= 9223372036854775807",
        "count BETWEEN -9223372036854775808 AND 1e30",
        "count BETWEEN -1.8e308 AND 1.8e308",
        "weight BETWEEN -1.8e308 AND 1.8e308",
        "weight BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308",
        "part >= -3.4028234663852886e38 AND part < 3.5e38",
        "CAST(tax AS REAL) BETWEEN -79228162514264337593543950335 AND 1e29",
        "share < 9e999 AND share > -9e999",
    ] {
        assert_fits(ores(), &made_by(&with(&format!("CHECK ({check})"))));
    }
    assert_narrower(
        "count < 9223372036854775807",
        "count` holds only values up to 9223372036854775806, but `Ore` 1.0 allows \
         9223372036854775807",
    );
    assert_narrower(
        "weight <= 1.7e308",
        "weight` holds only values up to 1.7e308, but `Ore` 1.0 allows any number",
    );
    assert_narrower(
        "part >= -3.4e38",
        "part` holds only values from -3.4e38 on, but `Ore` 1.0 allows any number",
    );
}

#[test]
fn equality_with_a_text_is_a_list_of_one_name() {
    let remedy =
        "rebuild the table by the statements that the command `check --rebuild ores` prints";
    for check in ["grade = 'D'", "'D' == grade", "grade IN ('D')"] {
        let found = refusals(ores(), &with(&format!("CHECK ({check})")));
        let expected = "`ores.grade` holds only `D`, but `Ore` 0.9 allows `C`";
        assert_eq!(found, [format!("{expected}; {remedy}")], "{check}");
    }
    let found = refusals(ores(), &with("CHECK (note = 'x')"));
    let expected = "`ores.note` holds only `x`, but `Ore` 1.0 allows any text";
    assert_eq!(found, [format!("{expected}; {remedy}")]);
    assert_fits(ores(), &made_by(&with("CHECK (grade IN ('C', 'D'))")));
}
