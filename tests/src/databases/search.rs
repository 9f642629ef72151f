//! Search for a text in every column of a database: for tests that no secret is stored.

use super::{Backend, OtherProgram};

impl OtherProgram {
    /// Columns, behind their tables, that hold `text`, alone or within a longer value, whatever their type
    /// is.
    pub fn columns_with(&mut self, text: &str) -> Vec<String> {
        let columns = self.columns();
        let found = columns
            .lines()
            .filter(|column| self.is_in(column, text))
            .map(str::to_owned);
        found.collect()
    }

    /// All columns, one a line, quoted for a query.
    fn columns(&mut self) -> String {
        self.text(match Backend::under_test() {
            Backend::Sqlite => {
                "SELECT group_concat('\"' || tables.name || '\".\"' || columns.name || '\"', char(10)) \
                 FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns \
                 WHERE tables.type = 'table'"
            }
            Backend::Postgres => {
                "SELECT string_agg(format('%I.%I', table_name, column_name), chr(10)) \
                 FROM information_schema.columns WHERE table_schema = current_schema()"
            }
        })
    }

    fn is_in(&mut self, column: &str, text: &str) -> bool {
        let (table, _) = column.split_once('.').expect("a table before each column");
        let text = text.replace('\'', "''");
        let condition = match Backend::under_test() {
            Backend::Sqlite => {
                format!("instr(CAST({column} AS BLOB), CAST('{text}' AS BLOB)) > 0")
            }
            // The cast writes bytes as hexadecimal digits.
            Backend::Postgres => format!(
                "position('{text}' IN CAST({column} AS text)) > 0 OR \
                 position(encode(convert_to('{text}', 'UTF8'), 'hex') IN CAST({column} AS text)) > 0"
            ),
        };
        let count = format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table} WHERE {condition}");
        self.text(&count) != "0"
    }
}
