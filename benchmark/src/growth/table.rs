//! The figures as text: a block for each database and measurement.

use std::fmt::Write as _;

use super::rows::{Measured, Row};

pub(super) fn of(rows: &[Row]) -> String {
    let mut databases: Vec<&str> = rows.iter().map(|row| row.database).collect();
    databases.dedup();
    let mut text = String::new();
    for database in databases {
        for measured in Measured::ALL {
            let of_block = |row: &&Row| (row.database, row.measured) == (database, measured);
            let mut block = rows.iter().filter(of_block).peekable();
            if block.peek().is_some() {
                let _ = writeln!(text, "{database}, {}", measured.heading());
            }
            for row in block {
                write_row(&mut text, row);
            }
        }
    }
    text
}

fn write_row(text: &mut String, row: &Row) {
    let _ = write!(text, "{:>9} {:16}", row.size, row.subject);
    if let Some(cpu) = row.cpu_us {
        let _ = write!(text, " {cpu:>9.1} CPU µs");
    }
    if let Some(server) = row.server_cpu_us {
        let _ = write!(text, " {server:>9.1} of the server");
    }
    if let Some(ratio) = row.ratio.filter(|_| row.measured != Measured::Page) {
        let _ = write!(text, " {ratio:>6.2} {}", row.measured.compared());
    }
    if let Some(memory) = row.memory_kb {
        let _ = write!(text, " {memory:>9} KiB above idle");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(measured: Measured, cpu_us: Option<f64>, ratio: Option<f64>) -> Row {
        Row {
            database: "sqlite",
            measured,
            size: 10,
            subject: "derive",
            cpu_us,
            server_cpu_us: None,
            ratio,
            memory_kb: cpu_us.is_none().then_some(99),
        }
    }

    #[test]
    fn each_figure_stands_under_what_it_is_of() {
        let table = of(&[
            row(Measured::Retrieve, Some(20.0), Some(1.0)),
            row(Measured::Retrieve, Some(25.0), Some(1.2501)),
            row(Measured::Memory, None, None),
            row(Measured::ChangedTotal, Some(14.0), Some(1.4)),
        ]);
        let lines: Vec<String> = table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(
            lines,
            [
                "sqlite, retrieve",
                "10 derive 20.0 CPU µs 1.00 of the smallest table's",
                "10 derive 25.0 CPU µs 1.25 of the smallest table's",
                "sqlite, total after a change",
                "10 derive 14.0 CPU µs 1.40 of the quiet one",
                "sqlite, peak of 32 clients, 1,000 rows each",
                "10 derive 99 KiB above idle",
            ]
        );
    }
}
