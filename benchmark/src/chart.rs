//! Figures as a picture: bars of what a request computes, in groups, for each database.

use std::fmt::Write as _;

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

/// A figure, to be drawn to the scale of its group.
pub(crate) struct Bar<'a> {
    pub(crate) database: &'a str,
    /// The heading of the bars with which it is compared, which stand beside it.
    pub(crate) group: &'a str,
    pub(crate) label: String,
    /// The name of its colour in the style sheet.
    pub(crate) class: &'a str,
    /// CPU time of the service, and of its server.
    pub(crate) own: f64,
    pub(crate) server: Option<f64>,
}

pub(crate) fn of(title: &str, bars: &[Bar<'_>]) -> String {
    let mut databases: Vec<&str> = bars.iter().map(|bar| bar.database).collect();
    databases.dedup();
    let (mut panels, mut width, mut height) = (String::new(), 0.0, TOP);
    for database in databases {
        let of_panel = |bar: &&Bar<'_>| bar.database == database;
        let bars: Vec<&Bar<'_>> = bars.iter().filter(of_panel).collect();
        height = panel(&mut panels, width, database, &bars).max(height);
        width += PANEL;
    }
    frame(title, &panels, width, height)
}

fn frame(title: &str, panels: &str, width: f64, height: f64) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description"
 width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title id="title">{title}</title>
<desc id="description">Bars of the microseconds that a request computes; each group of bars has a scale of its own.</desc>
<style>
{STYLE}</style>
<rect class="ground" width="100%" height="100%"/>
<text class="title" x="12" y="24">{title}, to a scale for each group</text>
{panels}</svg>
"#
    )
}

/// Writes the bars of a database; returns the height at which they end.
fn panel(text: &mut String, left: f64, database: &str, bars: &[&Bar<'_>]) -> f64 {
    let heading = left + 12.0;
    let name = if database == "sqlite" {
        "SQLite"
    } else {
        "PostgreSQL"
    };
    let of_server = if bars.iter().any(|bar| bar.server.is_some()) {
        "; pale: of its server"
    } else {
        ""
    };
    let _ = writeln!(
        text,
        r#"<text class="heading" x="{heading}" y="50">{name}{of_server}</text>"#
    );
    let mut y = TOP;
    for group in bars.chunk_by(|one, other| one.group == other.group) {
        let longest = group
            .iter()
            .map(|bar| bar.whole())
            .fold(f64::EPSILON, f64::max);
        let name = group.first().map_or("", |bar| bar.group);
        let _ = writeln!(
            text,
            r#"<text x="{heading}" y="{}">{name}</text>"#,
            y + 10.0
        );
        for bar in group {
            write_bar(text, left, y, bar, BARS / longest);
            y += LINE;
        }
        y += GAP;
    }
    y
}

impl Bar<'_> {
    fn whole(&self) -> f64 {
        self.own + self.server.unwrap_or_default()
    }
}

/// Writes a bar: the part of the service, that of the server, and the figure behind them.
fn write_bar(text: &mut String, left: f64, top: f64, bar: &Bar<'_>, scale: f64) {
    let (start, base, class) = (left + LABELS, top + 10.0, bar.class);
    let own = bar.own * scale;
    let _ = writeln!(
        text,
        r#"<text class="subject" x="{:.1}" y="{base}">{}</text>"#,
        start - 6.0,
        bar.label
    );
    let _ = writeln!(
        text,
        r#"<rect class="{class}" x="{start}" y="{top}" width="{own:.1}" height="11"/>"#
    );
    if let Some(server) = bar.server {
        let (start, length) = (start + own, server * scale);
        let _ = writeln!(
            text,
            r#"<rect class="{class} server" x="{start:.1}" y="{top}" width="{length:.1}" height="11"/>"#
        );
    }
    let (figure, end) = (bar.whole(), start + bar.whole() * scale + 5.0);
    let _ = writeln!(
        text,
        r#"<text class="figure" x="{end:.1}" y="{base}">{figure:.0}</text>"#
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    fn bar(
        database: &'static str,
        class: &'static str,
        own: f64,
        server: Option<f64>,
    ) -> Bar<'static> {
        Bar {
            database,
            group: "retrieve",
            label: class.to_owned(),
            class,
            own,
            server,
        }
    }

    #[test]
    fn the_longest_bar_of_an_operation_fills_its_panel() {
        let chart = of(
            "",
            &[
                bar("sqlite", "by_hand", 40.0, None),
                bar("sqlite", "derive", 10.0, None),
            ],
        );
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
        let chart = of(
            "",
            &[
                bar("sqlite", "derive", 10.0, None),
                bar("postgres", "derive", 60.0, Some(30.0)),
            ],
        );
        assert!(
            chart.contains(r#"class="derive server" x="696.7" y="66" width="63.3""#),
            "{chart}"
        );
        assert_eq!(chart.matches(" server\"").count(), 1);
    }
}
