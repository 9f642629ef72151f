//! Names that a database cannot hold or tell apart, whatever the definitions say.

use resource_model::schema::{Identifier, Table};

use crate::Dialect;

/// The problems of the names of tables and columns.
pub fn name_problems(dialect: Dialect, tables: &[Table]) -> Vec<String> {
    let longest = dialect.max_identifier_length();
    let columns = |table: &Table| table.columns.iter().map(|it| it.name).collect::<Vec<_>>();
    let mut problems = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        for name in columns(table).into_iter().chain([table.name]) {
            let parts = [Some(name.as_str()), name.schema()];
            let long = parts.into_iter().flatten().filter(|it| it.len() > longest);
            problems.extend(long.map(|name| {
                format!(
                    "`{name}` is longer than the {longest} bytes that PostgreSQL keeps of a name; write the name that \
                     it has there"
                )
            }));
        }
        let mut earlier = tables.iter().take(index).map(|it| it.name);
        let is_same = |it: &Identifier| it.as_str().eq_ignore_ascii_case(table.name.as_str());
        // PostgreSQL keeps schemas apart, and names that differ in case alone.
        if let (Dialect::Sqlite, Some(other)) = (dialect, earlier.find(is_same)) {
            problems.push(format!(
                "the tables {} and {} are one on SQLite, which has no schemas; give one another `table`",
                other.quoted(),
                table.name.quoted()
            ));
        }
    }
    problems
}
