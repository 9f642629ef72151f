//! The guide's table of what is stored, on both databases.

use resource_runtime::ApiBuilder;
use resource_tests::{Backend, apply, every_database};

use crate::records::{RECORDS, Record, records};
use crate::round_trip::create;

const GUIDE: &str = include_str!("../../resource-runtime/docs/databases.md");

/// The columns of a record that each row of the guide is about.
const COLUMNS: [&[&str]; 12] = [
    &["small", "medium", "large"],
    &["single", "double"],
    &["flag"],
    &["text"],
    &["decimal"],
    &["uuid"],
    &["date"],
    &["time"],
    &["local"],
    &["at"],
    &["json"],
    &["bytes"],
];

/// The rows of the guide's table: a type in JSON, on SQLite and on PostgreSQL.
fn rows() -> Vec<[&'static str; 3]> {
    let (_, table) = GUIDE.split_once("| attribute | in JSON |").unwrap();
    let lines = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let row = |line: &'static str| {
        let mut cells = line
            .split(" | ")
            .map(|cell| cell.trim_matches(['|', ' ', '`']));
        cells.next();
        [(); 3].map(|()| cells.next().unwrap())
    };
    lines.map(row).collect()
}

#[apply(every_database)]
fn values_are_stored_as_the_guide_says() {
    let rows = rows();
    assert_eq!(rows.len(), COLUMNS.len());
    let service = records(ApiBuilder::resource::<Record>);
    let mut other = service.database().other_program();
    if Backend::under_test() == Backend::Postgres {
        other.execute("SET TimeZone = 'UTC'");
    }
    for ([json, sqlite, postgres], columns) in rows.into_iter().zip(COLUMNS) {
        for column in columns {
            create(&service, RECORDS, &format!(r#"{{"{column}":{json}}}"#));
            let (value, expected) = match Backend::under_test() {
                Backend::Sqlite => (format!("quote({column})"), sqlite),
                Backend::Postgres => (format!("{column}::text"), postgres),
            };
            let newest = format!("SELECT {value} FROM records ORDER BY id DESC LIMIT 1");
            assert_eq!(other.text(&newest), expected, "{column}");
        }
    }
}
