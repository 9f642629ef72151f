//! Tests of the introspection, with tables of others and with our own.

mod checks;
mod tables;

use resource_model::schema::{Column, Identifier, Kind, Storage, StoredTable, Table};
use rusqlite::Connection;

/// The stored table for `Things` with these columns, after these statements.
fn stored(statements: &str, columns: &[&'static str]) -> StoredTable {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(statements).unwrap();
    let needed = table("Things", columns);
    let all = [needed.clone(), table("others", &["Id", "code"])];
    super::read(&connection, &needed, &all).unwrap().unwrap()
}

fn table(name: &'static str, columns: &[&'static str]) -> Table {
    Table {
        name: Identifier::new(name),
        columns: columns.iter().map(|name| column(name)).collect(),
        unique: Vec::new(),
        foreign_keys: Vec::new(),
        indexes: Vec::new(),
        ..Table::new(Identifier::new(""), Vec::new())
    }
}

fn column(name: &'static str) -> Column {
    Column {
        name: Identifier::new(name),
        kind: Kind::Text,
        storage: Storage::OURS,
        nullable: false,
        primary_key: false,
        assigned_by_database: false,
        default: None,
        constant_default: None,
        min_length: None,
        max_length: None,
        min: None,
        max: None,
        names: Vec::new(),
    }
}
