//! The figures as text: a block for each database and measurement.

use std::fmt::Write as _;

use super::rows::{Measured, Row};

const MEASURED: [Measured; 6] = [
    Measured::Page,
    Measured::Cursor,
    Measured::NamedCursor,
    Measured::Total,
    Measured::ChangedTotal,
    Measured::Memory,
];

pub(super) fn of(rows: &[Row]) -> String {
    let mut databases: Vec<&str> = rows.iter().map(|row| row.database).collect();
    databases.dedup();
    let mut text = String::new();
    for database in databases {
        for measured in MEASURED {
            let of_block = |row: &&Row| (row.database, row.measured) == (database, measured);
            let _ = writeln!(text, "{database}, {}", measured.heading());
            for row in rows.iter().filter(of_block) {
                write_row(&mut text, row, rows);
            }
        }
    }
    text
}

fn write_row(text: &mut String, row: &Row, rows: &[Row]) {
    let _ = write!(text, "{:>9} {:16}", row.size, row.subject);
    if let Some(cpu) = row.cpu_us {
        let _ = write!(text, " {cpu:>9.1} CPU µs");
    }
    if let Some(server) = row.server_cpu_us {
        let _ = write!(text, " {server:>9.1} of the server");
    }
    if let Some(ratio) = row.of_first(rows) {
        let _ = write!(text, " {ratio:>6.2} of the first");
    }
    if let Some(memory) = row.memory_kb {
        let _ = write!(text, " {memory:>9} KiB above idle");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(measured: Measured, cpu_us: Option<f64>, memory_kb: Option<u64>) -> Row {
        Row {
            database: "sqlite",
            measured,
            size: 1000,
            subject: "derive",
            cpu_us,
            server_cpu_us: None,
            memory_kb,
        }
    }

    #[test]
    fn each_figure_stands_under_what_it_is_of() {
        let table = of(&[
            row(Measured::Page, Some(20.0), None),
            row(Measured::Cursor, Some(20.0), None),
            row(Measured::Cursor, Some(25.0), None),
            row(Measured::Memory, None, Some(99)),
        ]);
        let lines: Vec<String> = table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(
            lines,
            [
                "sqlite, page of 10 at the offset",
                "1000 derive 20.0 CPU µs",
                "sqlite, page of 10 by cursor, so many rows before it",
                "1000 derive 20.0 CPU µs 1.00 of the first",
                "1000 derive 25.0 CPU µs 1.25 of the first",
                "sqlite, page of 10 by cursor in the order of an index, so many rows before it",
                "sqlite, total of so many rows",
                "sqlite, total of so many rows, every other request a change of one",
                "sqlite, peak of 32 clients at once, of each page",
                "1000 derive 99 KiB above idle",
            ]
        );
    }
}
