//! What is read of tables that others have made, and of those that the service makes.

mod checks;
mod tables;

use resource_model::schema::{Column, Identifier, Kind, StoredTable, Table};
use rusqlite::Connection;

/// The table `Things`, with these columns, as it is read from a file in which these statements have
/// been carried out.
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
    }
}

fn column(name: &'static str) -> Column {
    Column {
        name: Identifier::new(name),
        kind: Kind::Text,
        nullable: false,
        primary_key: false,
        assigned_by_database: false,
        min_length: None,
        max_length: None,
        min: None,
        max: None,
        names: Vec::new(),
    }
}
