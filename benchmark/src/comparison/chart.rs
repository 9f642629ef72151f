//! The figures as a picture: bars of what a request computes, for each operation and subject.

use std::fmt::Write as _;

use super::rows::Row;
use crate::subjects::Subject;

const STYLE: &str = include_str!("chart.css");

/// Widths in pixels: of a panel, which shows a database, of the labels left of its bars, and of its bars.
const PANEL: f64 = 410.0;
const LABELS: f64 = 160.0;
const BARS: f64 = 190.0;

/// Height of the title and the headings of the panels.
const TOP: f64 = 66.0;

/// Heights of a bar, and of the gap behind an operation.
const LINE: f64 = 14.0;
const GAP: f64 = 8.0;

/// The bars of the first concurrency that was measured.
pub(super) fn of(rows: &[Row]) -> String {
    let concurrency = rows.first().map_or(0, |row| row.concurrency);
    let shown: Vec<&Row> = rows
        .iter()
        .filter(|row| row.concurrency == concurrency)
        .collect();
    let mut databases: Vec<&str> = shown.iter().map(|row| row.database).collect();
    databases.dedup();
    let (mut panels, mut width, mut height) = (String::new(), 0.0, TOP);
    for database in databases {
        let of_panel = |row: &&Row| row.database == database;
        let rows: Vec<&Row> = shown.iter().copied().filter(of_panel).collect();
        height = panel(&mut panels, width, database, &rows).max(height);
        width += PANEL;
    }
    frame(&panels, width, height, concurrency)
}

fn frame(panels: &str, width: f64, height: f64, concurrency: usize) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description"
 width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title id="title">CPU time of a request</title>
<desc id="description">Bars of the microseconds that a request computes, by operation and subject;
the bars of an operation have a scale of their own. Connections: {concurrency}.</desc>
<style>
{STYLE}</style>
<rect class="ground" width="100%" height="100%"/>
<text class="title" x="12" y="24">CPU µs of a request, to a scale for each operation</text>
{panels}</svg>
"#
    )
}

/// Writes the bars of a database; returns the height at which they end.
fn panel(text: &mut String, left: f64, database: &str, rows: &[&Row]) -> f64 {
    let heading = left + 12.0;
    let name = if database == "sqlite" {
        "SQLite"
    } else {
        "PostgreSQL"
    };
    let of_server = if rows.iter().any(|row| row.figures.server_cpu_us.is_some()) {
        "; pale: of its server"
    } else {
        ""
    };
    let _ = writeln!(
        text,
        r#"<text class="heading" x="{heading}" y="50">{name}{of_server}</text>"#
    );
    let mut y = TOP;
    for group in rows.chunk_by(|one, other| one.is_beside(other)) {
        let longest = group
            .iter()
            .map(|row| whole(row))
            .fold(f64::EPSILON, f64::max);
        let operation = group.first().map_or("", |row| row.operation);
        let _ = writeln!(
            text,
            r#"<text x="{heading}" y="{}">{operation}</text>"#,
            y + 10.0
        );
        for row in group {
            bar(text, left, y, row, BARS / longest);
            y += LINE;
        }
        y += GAP;
    }
    y
}

fn whole(row: &Row) -> f64 {
    row.figures.whole_cpu().unwrap_or(row.figures.cpu_us)
}

/// Writes a bar: the part of the service, that of the server, and the figure behind them.
fn bar(text: &mut String, left: f64, top: f64, row: &Row, scale: f64) {
    let (start, base, subject) = (left + LABELS, top + 10.0, row.subject);
    let own = row.figures.cpu_us * scale;
    let _ = writeln!(
        text,
        r#"<text class="subject" x="{:.1}" y="{base}">{}</text>"#,
        start - 6.0,
        label(subject)
    );
    let _ = writeln!(
        text,
        r#"<rect class="{subject}" x="{start}" y="{top}" width="{own:.1}" height="11"/>"#
    );
    if let Some(server) = row.figures.server_cpu_us {
        let (start, length) = (start + own, server * scale);
        let _ = writeln!(
            text,
            r#"<rect class="{subject} server" x="{start:.1}" y="{top}" width="{length:.1}" height="11"/>"#
        );
    }
    let (figure, end) = (whole(row), start + whole(row) * scale + 5.0);
    let _ = writeln!(
        text,
        r#"<text class="figure" x="{end:.1}" y="{base}">{figure:.0}</text>"#
    );
}

fn label(subject: &str) -> &str {
    [
        (Subject::Fixed, "fixed bytes"),
        (Subject::ByHand, "by hand"),
        (Subject::ByHandRusqlite, "SQLite alone"),
        (Subject::Derive, "derive"),
    ]
    .into_iter()
    .find(|(of, _)| of.name() == subject)
    .map_or(subject, |(_, label)| label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Figures;

    fn row(database: &'static str, subject: &'static str, cpu_us: f64, server: Option<f64>) -> Row {
        Row {
            database,
            operation: "retrieve",
            concurrency: 1,
            subject,
            figures: Figures {
                cpu_us,
                server_cpu_us: server,
                rps: 1.0,
                p50_us: 1.0,
                p99_us: 1.0,
                peak_rss_kb: 1,
            },
        }
    }

    #[test]
    fn the_longest_bar_of_an_operation_fills_its_panel() {
        let chart = of(&[
            row("sqlite", "by_hand", 40.0, None),
            row("sqlite", "derive", 10.0, None),
        ]);
        assert!(
            chart.contains(r#"class="by_hand" x="160" y="66" width="190.0""#),
            "{chart}"
        );
        assert!(
            chart.contains(r#"class="derive" x="160" y="80" width="47.5""#),
            "{chart}"
        );
    }

    #[test]
    fn what_a_server_computes_stands_behind_what_the_service_does() {
        let chart = of(&[
            row("sqlite", "derive", 10.0, None),
            row("postgres", "derive", 60.0, Some(30.0)),
        ]);
        assert!(
            chart.contains(r#"class="derive server" x="696.7" y="66" width="63.3""#),
            "{chart}"
        );
        assert_eq!(chart.matches(" server\"").count(), 1);
    }

    #[test]
    fn other_concurrencies_are_not_shown() {
        let mut many = row("sqlite", "derive", 77.0, None);
        many.concurrency = 32;
        let chart = of(&[row("sqlite", "derive", 10.0, None), many]);
        assert!(!chart.contains(">77<"), "{chart}");
    }
}
