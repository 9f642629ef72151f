//! The figures as text: a block for each database and concurrency.

use std::fmt::Write as _;

use super::floor::FLOOR;
use super::rows::Row;
use crate::subjects::Subject;

/// A heading and its figure, which is `None` for a server where there is none.
type Figure = (&'static str, fn(&Row) -> Option<f64>);

const FIGURES: [Figure; 7] = [
    ("CPU µs", |row| Some(row.figures.cpu_us)),
    ("server µs", |row| row.figures.server_cpu_us),
    ("with server", |row| row.figures.whole_cpu()),
    ("requests/s", |row| of_service(row, row.figures.rps)),
    ("p50 µs", |row| of_service(row, row.figures.p50_us)),
    ("p99 µs", |row| of_service(row, row.figures.p99_us)),
    ("peak KiB", |row| of_service(row, kibibytes(row))),
];

/// Divisors of the ratios behind each figure.
const DIVISORS: [(&str, &[&str]); 3] = [
    ("÷fix", &[Subject::Fixed.name()]),
    ("÷hand", &[Subject::ByHand.name()]),
    ("÷floor", &[FLOOR, Subject::ByHandRusqlite.name()]),
];

/// The figure, unless it is of no service, which has CPU times alone.
fn of_service(row: &Row, figure: f64) -> Option<f64> {
    (row.subject != FLOOR).then_some(figure)
}

#[allow(clippy::cast_precision_loss, reason = "memory is less than 2^52 KiB")]
const fn kibibytes(row: &Row) -> f64 {
    row.figures.peak_rss_kb as f64
}

pub(super) fn of(rows: &[Row]) -> String {
    let mut blocks: Vec<(&str, usize)> = Vec::new();
    for row in rows {
        let block = (row.database, row.concurrency);
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    let blocks = blocks.into_iter().map(|(database, concurrency)| {
        let of_block = |row: &&Row| (row.database, row.concurrency) == (database, concurrency);
        block(&rows.iter().filter(of_block).collect::<Vec<_>>())
    });
    blocks.collect::<Vec<_>>().join("\n")
}

fn block(rows: &[&Row]) -> String {
    let has = |(_, figure): &Figure| rows.iter().any(|row| figure(row).is_some());
    let figures: Vec<Figure> = FIGURES.into_iter().filter(has).collect();
    let mut text = heading(rows, &figures);
    let mut operation = "";
    for row in rows {
        let name = if row.operation == operation {
            ""
        } else {
            row.operation
        };
        operation = row.operation;
        let _ = write!(text, "{name:9} {:16}", row.subject);
        for (_, figure) in &figures {
            write_figure(&mut text, rows, row, *figure);
        }
        text.push('\n');
    }
    text
}

fn heading(rows: &[&Row], figures: &[Figure]) -> String {
    let mut text = rows.first().map_or_else(String::new, |row| {
        format!("{}, connections: {}\n", row.database, row.concurrency)
    });
    let _ = write!(text, "{:9} {:16}", "operation", "subject");
    for (heading, _) in figures {
        let _ = write!(text, " {heading:>11}");
        for (divisor, _) in DIVISORS {
            let _ = write!(text, " {divisor:>6}");
        }
    }
    text.push('\n');
    text
}

fn write_figure(text: &mut String, rows: &[&Row], row: &Row, figure: fn(&Row) -> Option<f64>) {
    let own = figure(row);
    let shown = own.map_or_else(String::new, |own| format!("{own:.1}"));
    let _ = write!(text, " {shown:>11}");
    for (_, subjects) in DIVISORS {
        let of_subject = |other: &&&Row| other.is_beside(row) && subjects.contains(&other.subject);
        let divisor = rows.iter().find(of_subject).and_then(|row| figure(row));
        let ratio = own
            .zip(divisor)
            .map(|(own, divisor)| format!("{:.2}", own / divisor));
        let _ = write!(text, " {:>6}", ratio.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Figures;

    fn row(subject: &'static str, cpu_us: f64) -> Row {
        Row {
            database: "sqlite",
            operation: "retrieve",
            concurrency: 1,
            subject,
            figures: Figures {
                cpu_us,
                server_cpu_us: None,
                rps: 100.0,
                p50_us: 10.0,
                p99_us: 20.0,
                peak_rss_kb: 5000,
            },
        }
    }

    #[test]
    fn every_figure_stands_beside_its_ratios() {
        let table = of(&[row("fixed", 5.0), row("by_hand", 20.0), row("derive", 10.0)]);
        let derive = table.lines().last().unwrap();
        let words: Vec<&str> = derive.split_whitespace().collect();
        assert_eq!(words[..4], ["derive", "10.0", "2.00", "0.50"]);
        assert!(!table.contains("with server"), "{table}");
    }

    #[test]
    fn what_is_not_measured_has_no_ratio() {
        let table = of(&[row("derive", 10.0)]);
        let words: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(
            words,
            [
                "retrieve", "derive", "10.0", "100.0", "10.0", "20.0", "5000.0"
            ]
        );
    }

    #[test]
    fn each_concurrency_has_a_block() {
        let many = Row {
            concurrency: 32,
            ..row("fixed", 5.0)
        };
        let table = of(&[row("fixed", 5.0), many]);
        assert_eq!(table.matches("connections: ").count(), 2);
    }
}
