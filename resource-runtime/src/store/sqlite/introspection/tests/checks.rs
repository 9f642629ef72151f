//! Tests of the checks that are parsed, and of those that are ignored.

use resource_model::schema::{Bound, StoredColumn};

use super::stored;

/// The column `x` of a type under a check.
fn column(declared_type: &str, check: &str) -> StoredColumn {
    let statement = format!("CREATE TABLE things (x {declared_type} CHECK ({check}), y, z)");
    let stored = stored(&statement, &["x"]);
    stored.columns.into_iter().next().unwrap()
}

#[track_caller]
fn assert_lengths(check: &str, expected: (Option<u32>, Option<u32>)) {
    let column = column("TEXT", check);
    assert_eq!((column.min_length, column.max_length), expected, "{check}");
    assert_eq!(
        (column.min, column.max, column.names),
        (None, None, None),
        "{check}"
    );
}

#[track_caller]
fn assert_range(declared_type: &str, check: &str, expected: (Option<Bound>, Option<Bound>)) {
    let column = column(declared_type, check);
    assert_eq!((column.min, column.max), expected, "{check}");
    assert_eq!(
        (column.min_length, column.max_length),
        (None, None),
        "{check}"
    );
}

#[track_caller]
fn assert_names(check: &str, expected: Option<&[&str]>) {
    let names = column("TEXT", check).names;
    let names: Option<Vec<&str>> = names
        .as_ref()
        .map(|names| names.iter().map(String::as_str).collect());
    assert_eq!(names.as_deref(), expected, "{check}");
}

#[test]
fn a_length_is_understood_however_it_is_written() {
    for check in [
        "length(x) <= 50",
        "LENGTH ( \"X\" )<=50",
        "((length([x])) <= (50))",
        "length(`x`) < 51",
        "50 >= length(x)",
        "51 > length(things.x)",
        "x IS NULL OR length(x) <= 50",
        "length(x) <= 50 OR x ISNULL",
        "length(x) <= 90 AND length(x) <= 50 AND length(x) <= 70",
        "x <> 'a AND b' AND (length(x) /* ) */ <= 50) AND y > 7",
        "length(x) <= 0x32",
    ] {
        assert_lengths(check, (None, Some(50)));
    }
    for check in [
        "length(x) BETWEEN 2 AND 9",
        "length(x) >= 2 AND length(x) <= 9",
        "length(x) > 1 AND length(x) <10",
        "1 < length(x) AND (y = 1 OR z = 2) AND length(x) BETWEEN 0 AND 9",
        "x IS NULL OR (length(x) <= 9 AND 2 <= length(x))",
    ] {
        assert_lengths(check, (Some(2), Some(9)));
    }
    assert_lengths("length(x) = 3", (Some(3), Some(3)));
    assert_lengths("length(x) == 3", (Some(3), Some(3)));
}

#[test]
fn length_without_effect_is_ignored() {
    assert_lengths("length(x) >= 0", (None, None));
    assert_lengths("length(x) > -1", (None, None));
    assert_lengths("length(x) <= 5000000000", (None, None));
    assert_lengths("length(x) < 0", (None, Some(0)));
}

#[test]
fn range_depends_on_the_numbers_of_the_column() {
    let integer = |value| Some(Bound::Integer(value));
    let real = |value| Some(Bound::Real(value));
    for (declared_type, check, expected) in [
        (
            "INT",
            "x BETWEEN -32768 AND +32767",
            (integer(-32768), integer(32767)),
        ),
        ("INTEGER", "x >= 0 AND x <= 150", (integer(0), integer(150))),
        ("SMALLINT", "x > 0 AND 10 > x", (integer(1), integer(9))),
        (
            "BIGINT",
            "x >= -9223372036854775808",
            (integer(i64::MIN), None),
        ),
        ("INT", "x < 9.5 AND x > -2.5", (integer(-2), integer(9))),
        ("INT", "x <= 9.5 AND x >= -2.5", (integer(-2), integer(9))),
        ("INT", "x < 9.0 AND x > -2.0", (integer(-1), integer(8))),
        (
            "INT",
            "x < 9223372036854775808 AND x >= -9223372036854775808.0",
            (integer(i64::MIN), integer(i64::MAX)),
        ),
        (
            "INT",
            "x BETWEEN -1e999 AND 1e999",
            (integer(i64::MIN), integer(i64::MAX)),
        ),
        ("INT", "x > 9223372036854775807", (integer(i64::MAX), None)),
        ("INT", "x >= 1 AND x >= 3 AND x >= 2", (integer(3), None)),
        ("REAL", "x BETWEEN 0.0 AND 1", (real(0.0), integer(1))),
        ("DOUBLE", "x > 0", (real(0.0_f64.next_up()), None)),
        ("REAL", "x <= -1.5e-3", (None, real(-0.0015))),
        (
            "NUMERIC(10,2)",
            "x > 0 AND x <= 9.5",
            (real(0.0_f64.next_up()), real(9.5)),
        ),
        ("BOOLEAN", "x = 1", (integer(1), integer(1))),
        ("INT", "x IS NULL OR x <= 7", (None, integer(7))),
        ("INTEGER", "x IN (3, 1, 2, 1)", (integer(1), integer(3))),
        ("INTEGER", "x IN (10, 20)", (None, None)),
    ] {
        assert_range(declared_type, check, expected);
    }
}

#[test]
fn a_text_has_no_range() {
    assert_range("TEXT", "x >= 1 AND x <= 9", (None, None));
    assert_range("BLOB", "x >= 1", (None, None));
}

#[test]
fn a_list_of_texts_is_understood() {
    assert_names(
        "x IN ('red', 'o''range', '')",
        Some(&["red", "o'range", ""]),
    );
    assert_names("\"X\" in('a') ", Some(&["a"]));
    assert_names(
        "x IN ('a', 'b', 'c') AND x IN ('c', 'd', 'b')",
        Some(&["b", "c"]),
    );
    assert_names("x IS NULL OR x IN ('a')", Some(&["a"]));
}

#[test]
fn a_text_is_a_list_of_one() {
    for check in ["x = 'D'", "'D' == (things.x)", "x IS NULL OR (x) = ('D')"] {
        assert_names(check, Some(&["D"]));
    }
    assert_names("x IN ('C', 'D') AND x = 'D'", Some(&["D"]));
}

#[test]
fn a_text_has_the_range_of_its_number() {
    let real = |value| Some(Bound::Real(value));
    for (check, expected) in [
        ("CAST(x AS REAL) <= 10.0", (None, real(10.0))),
        (
            "cast((\"X\") as real) BETWEEN -1.5 AND 2.5",
            (real(-1.5), real(2.5)),
        ),
        ("10.5 > CAST(x AS REAL)", (None, real(10.5_f64.next_down()))),
        ("x IS NULL OR CAST(x AS REAL) >= 0.0", (real(0.0), None)),
    ] {
        assert_range("TEXT", check, expected);
    }
}

#[test]
fn other_checks_are_ignored() {
    for check in [
        "NOT length(x) <= 5",
        "length(x) <= 5 OR y = 1",
        "y IS NULL OR length(x) <= 5",
        "x IS NOT NULL OR length(x) <= 5",
        "length(x) <= 5 + 1",
        "length(x) <= y",
        "length(y) <= 5",
        "length(x || y) <= 5",
        "lower(x) <= 5",
        "length(x) <= 5.5",
        "length(x) <> 5",
        "(length(x) <= 5) = 0",
        "length(x) NOT BETWEEN 1 AND 5",
        "length(x) BETWEEN 1 AND y",
        "CASE WHEN y THEN z AND length(x) <= 5 AND z END",
        "CASE WHEN y THEN length(x) <= 5 END",
        "x >= 'a' AND x <= 'z'",
        "x BETWEEN 'a' AND 'z'",
        "x NOT IN ('a')",
        "x IN ('a', y)",
        "x IN ('a') = 0",
        "x IN ('a' || 'b')",
        "x = 'a' || 'b'",
        "x = 'a' COLLATE NOCASE",
        "x <> 'a'",
        "x < 'a'",
        "x = y",
        "'a' = 'b'",
        "x = 'a' = 1",
        "CAST(x AS TEXT) <= 9",
        "CAST(x AS REAL) + 1 <= 9",
        "CAST(x + 1 AS REAL) <= 9",
        "x GLOB 'length(x) <= 5'",
        "1",
    ] {
        assert_lengths(check, (None, None));
    }
    for check in [
        "-x <= 5",
        "x + 1 <= 5",
        "x <= 5 IS TRUE",
        "x IN (1, y)",
        "x IN (1, 2.5)",
        "x NOT IN (1, 2)",
        "x <= 1 <= 1",
    ] {
        assert_range("INT", check, (None, None));
    }
}

#[test]
fn check_applies_to_the_column_that_it_names() {
    let stored = stored(
        "CREATE TABLE things (
             x TEXT CHECK (length(y) <= 5), -- CHECK (length(x) <= 1)
             \"CHECK\" INT DEFAULT ('CHECK (length(x) <= 2)'),
             y TEXT,
             CONSTRAINT \"own\" CHECK (length(x) <= 7) CHECK (length(y) >= 3)
         )",
        &["x"],
    );
    let found: Vec<_> = stored
        .columns
        .iter()
        .map(|it| (it.min_length, it.max_length))
        .collect();
    assert_eq!(found, [(None, Some(7)), (None, None), (Some(3), Some(5))]);
}
