//! Tests of the names of tables, columns, attributes and constants.

use super::{assert_errors, assert_field_errors, assert_struct_errors};

const COLUMN_FORM: &str = "letters, digits and `_`, no digit first, at most 63 bytes";
const NAME_FORM: &str = "the query language has letters, digits and `_`, no digit first";

#[test]
fn a_table_that_sql_could_not_name_is_refused() {
    for table in ["my-table", "1st", "", "t.x", &"t".repeat(64)] {
        let underlined = format!("\"{table}\"");
        let message = format!(
            "`{table}` cannot be the name of a table: {COLUMN_FORM}; choose another `table = \"…\"`"
        );
        assert_struct_errors(&format!("table = \"{table}\""), &[(&underlined, &message)]);
    }
}

#[test]
fn the_tables_of_sqlite_itself_are_refused() {
    let message = "`SQLite_x` cannot be the name of a table: `sqlite_` belongs to SQLite; \
                   choose another `table = \"…\"`";
    assert_struct_errors("table = \"SQLite_x\"", &[("\"SQLite_x\"", message)]);
}

#[test]
fn a_url_that_gives_no_table_asks_for_one() {
    let message =
        format!("`1st_things` cannot be the name of a table: {COLUMN_FORM}; add `table = \"…\"`");
    let keys = r#"name = "Thing", url = "/1st-things", version = "1.0""#;
    assert_errors(
        &format!("#[resource({keys})] struct Thing {{ id: i64 }}"),
        &[("\"/1st-things\"", &message)],
    );
    assert_errors(
        &format!("#[resource({keys}, table = \"things\")] struct Thing {{ id: i64 }}"),
        &[],
    );
}

#[test]
fn a_column_that_sql_could_not_name_is_refused() {
    let message =
        format!("`a b` cannot be the name of a column: {COLUMN_FORM}; write `column = \"…\"`");
    assert_field_errors(
        "#[resource(column = \"a b\")] a: i64",
        &[("\"a b\"", &message)],
    );
}

#[test]
fn field_name_invalid_in_json_and_sql_is_one_error() {
    let message = format!(
        "`größe` cannot be the name of an attribute: {NAME_FORM}; \
         add `rename = \"…\"` and `column = \"…\"`"
    );
    assert_field_errors("größe: i64", &[("größe", &message)]);
    let message =
        format!("`größe` cannot be the name of a column: {COLUMN_FORM}; write `column = \"…\"`");
    assert_field_errors(
        "#[resource(rename = \"size\")] größe: i64",
        &[("größe", &message)],
    );
    assert_field_errors(
        "#[resource(rename = \"size\", column = \"size\")] größe: i64",
        &[],
    );
}

#[test]
fn values_of_the_query_language_are_no_names() {
    let rule = "it is a value in the query language";
    let message =
        format!("`true` cannot be the name of an attribute: {rule}; add `rename = \"…\"`");
    assert_field_errors("r#true: bool", &[("r#true", &message)]);
    let message = format!(
        "`null` cannot be the name of an attribute: {rule}; choose another `rename = \"…\"`"
    );
    assert_field_errors(
        "#[resource(rename = \"null\")] a: bool",
        &[("\"null\"", &message)],
    );
}

#[test]
fn a_raw_identifier_is_the_word_behind_it() {
    assert_field_errors("r#type: String", &[]);
}

#[test]
fn two_attributes_of_one_name_are_refused_at_the_second() {
    assert_field_errors(
        "a: i64, #[resource(rename = \"a\")] b: i64",
        &[(
            "\"a\"",
            "two attributes are named `a`; give one another `rename = \"…\"`",
        )],
    );
}

#[test]
fn two_attributes_in_one_column_are_refused_whatever_the_case() {
    assert_field_errors(
        "first: i64, #[resource(column = \"FIRST\")] b: i64",
        &[(
            "\"FIRST\"",
            "two attributes are stored in the column `FIRST`; give one another `column = \"…\"`",
        )],
    );
}

#[test]
fn two_fields_of_one_constant_are_refused_at_the_second() {
    let message = "`line` and `Line` would both be `Thing::LINE`; \
                   give a field `constant = OTHER_NAME`";
    let columns = "#[resource(column = \"other\")]";
    assert_field_errors(
        &format!("line: i64, {columns} Line: i64"),
        &[("Line", message)],
    );
    assert_field_errors(
        "line: i64, #[resource(column = \"other\", constant = OTHER)] Line: i64",
        &[],
    );
}

#[test]
fn odd_field_names_have_constants() {
    assert_field_errors("self_: i64, _1: i64, __: i64, _2_x: i64, a1_b2: i64", &[]);
}
