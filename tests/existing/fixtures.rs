//! Databases that others made, from the statements beside this file.

use resource_tests::{Backend, TestDatabase};

use crate::of_backend;

/// The collections of the music shop, each with its table on PostgreSQL.
pub(crate) const SHOP: [(&str, &str); 11] = [
    ("albums", "album"),
    ("artists", "artist"),
    ("customers", "customer"),
    ("employees", "employee"),
    ("genres", "genre"),
    ("invoices", "invoice"),
    ("invoice-lines", "invoice_line"),
    ("media-types", "media_type"),
    ("playlists", "playlist"),
    ("playlist-tracks", "playlist_track"),
    ("tracks", "track"),
];

/// A music shop with rows.
pub(crate) fn shop() -> TestDatabase {
    let database = TestDatabase::default();
    let mut program = database.other_program();
    let rows = include_str!("chinook/rows.sql");
    match Backend::under_test() {
        Backend::Sqlite => {
            program.execute(include_str!("chinook/sqlite.sql"));
            program.execute(&rows.replace('{', "[").replace('}', "]"));
        }
        Backend::Postgres => {
            program.execute(include_str!("chinook/postgres.sql"));
            program.execute(&snake(rows));
            // The rows have named their keys, so the sequences go on behind them.
            for (_, table) in SHOP.iter().filter(|(_, it)| *it != "playlist_track") {
                program.text(&format!(
                    "SELECT setval(pg_get_serial_sequence('{table}', '{table}_id'), max({table}_id))::text
                     FROM {table}"
                ));
            }
        }
    }
    database
}

/// The rows with the names of PostgreSQL's tables: `{MediaType}` is `media_type` there.
fn snake(rows: &str) -> String {
    let parts = rows.split(['{', '}']).enumerate();
    let parts = parts.map(|(index, part)| {
        // Names are between braces.
        if index % 2 == 0 {
            return part.to_owned();
        }
        let mut name = String::new();
        for character in part.chars() {
            if character.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(character.to_ascii_lowercase());
        }
        name
    });
    parts.collect()
}

/// Tables with names, types and constraints of every kind.
pub(crate) fn oddities() -> TestDatabase {
    let database = TestDatabase::default();
    let statements = of_backend(
        include_str!("oddities/sqlite.sql"),
        include_str!("oddities/postgres.sql"),
    );
    database.other_program().execute(statements);
    database
}

/// A wholesaler of food, with rows.
pub(crate) fn northwind() -> TestDatabase {
    let database = TestDatabase::default();
    let mut program = database.other_program();
    program.execute(of_backend(
        include_str!("northwind/sqlite.sql"),
        include_str!("northwind/postgres.sql"),
    ));
    program.execute(of_backend(
        include_str!("northwind/sqlite.rows.sql"),
        include_str!("northwind/postgres.rows.sql"),
    ));
    database
}

/// A shop that lends films, with rows, where there is a PostgreSQL server.
pub(crate) fn pagila() -> Option<TestDatabase> {
    let database = TestDatabase::postgres()?;
    let mut program = database.other_program();
    program.execute(include_str!("pagila/postgres.sql"));
    program.execute(include_str!("pagila/rows.sql"));
    Some(database)
}

/// The tables that Django makes on PostgreSQL, where there is one.
pub(crate) fn django() -> Option<TestDatabase> {
    let database = TestDatabase::postgres()?;
    let mut program = database.other_program();
    program.execute(include_str!("django/postgres.sql"));
    Some(database)
}
