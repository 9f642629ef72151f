//! The command `check`: the differences between a database and the definitions, as text and as JSON.

use std::process::ExitCode;

use resource_model::schema::Identifier;
use resource_sql::Statement;
use serde::Serialize;

use super::run::{print, print_json};
use super::server::past_sunsets;
use super::{CheckCommand, Options};
use crate::{ApiBuilder, Dialect, Error};

/// The report of the command, in the order and by the names of its JSON.
#[derive(Debug, Serialize)]
struct Report {
    /// The answer of the exit code.
    fits: bool,
    differences: Vec<ReportedDifference>,
    /// The statements that add what is missing.
    additions: Vec<String>,
    past_sunsets: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ReportedDifference {
    kind: &'static str,
    table: String,
    text: String,
}

/// Prints the differences between the database and the needs of the API, and the statements that add what
/// is missing.
pub(super) async fn run(
    options: &Options,
    builder: ApiBuilder,
    command: &CheckCommand,
) -> Result<ExitCode, Error> {
    let dialect = Dialect::of_url(options.database_url());
    // Mistakes of the models are told where there is no database, too.
    builder.schema_sql(dialect)?;
    let database = options.existing_database().await?;
    let api = builder.described(database)?;
    if let Some(table) = &command.rebuild {
        let statements = api.rebuild_sql(table).await?;
        drop(api);
        // The program `sqlite3` would go on after an error, without the transaction that undoes the whole.
        print(&format!(".bail on\n{statements}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut comparison = api.compare_schema().await?;
    if command.data {
        api.compare_values(&mut comparison).await?;
    }
    let past_sunsets = past_sunsets(&api).collect();
    // The program behind a pipe finds the database closed: SQLite locks a file while the last connection closes.
    drop(api);
    if command.sql {
        return print_expansions(dialect, &comparison.expansions, &comparison.remaining);
    }
    // The differences that keep a service from starting come first.
    let kinds = [
        ("fatal", comparison.fatal),
        ("values", comparison.values),
        ("tolerable", comparison.tolerable),
    ];
    let differences = kinds.into_iter().flat_map(|(kind, told)| {
        let told = told.into_iter();
        told.map(move |(table, text)| ReportedDifference {
            kind,
            table: named(table),
            text,
        })
    });
    let differences: Vec<_> = differences.collect();
    let additions = texts(&comparison.additions);
    let report = Report {
        // A service also runs with tolerable differences, so these do not make the command fail.
        fits: additions.is_empty() && differences.iter().all(|it| it.kind == "tolerable"),
        differences,
        additions,
        past_sunsets,
    };
    if command.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    Ok(ExitCode::from(u8::from(!report.fits)))
}

/// Prints statements alone to the standard output, for the program of the database, and what they leave to the standard error.
fn print_expansions(
    dialect: Dialect,
    expansions: &[Statement],
    remaining: &[String],
) -> Result<ExitCode, Error> {
    let statements = terminated(&texts(expansions));
    // Beside a service that writes, `sqlite3` would find the file locked, and go on: an index on a column that is not
    // there yet is one on a text to SQLite.
    let printed = match dialect {
        Dialect::Sqlite if !statements.is_empty() => {
            format!(".bail on\n.timeout 5000\nBEGIN IMMEDIATE;\n{statements}COMMIT;\n")
        }
        _ => statements,
    };
    print(&printed)?;
    if !remaining.is_empty() {
        eprintln!("this remains to be done after the statements:");
    }
    for sentence in remaining {
        eprintln!("- {sentence}");
    }
    Ok(ExitCode::from(u8::from(!remaining.is_empty())))
}

impl Report {
    fn text(&self) -> String {
        let lines = self.differences.iter().map(|it| format!("{}\n", it.text));
        let mut text: String = lines.collect();
        if text.is_empty() {
            text += "the database has everything that the API needs\n";
        }
        if !self.additions.is_empty() {
            text += "\nThese statements add what is missing:\n\n";
        }
        text += &terminated(&self.additions);
        let sunsets = self.past_sunsets.iter().map(|it| format!("{it}\n"));
        text.extend(sunsets);
        text
    }
}

/// A table by the name that stands in the database, behind its schema where the definition names one.
fn named(table: Identifier) -> String {
    let parts = table.schema().into_iter().chain([table.as_str()]);
    parts.collect::<Vec<_>>().join(".")
}

fn texts(statements: &[Statement]) -> Vec<String> {
    let texts = statements.iter().map(|it| it.text().to_owned());
    texts.collect()
}

fn terminated(statements: &[String]) -> String {
    let lines = statements.iter().map(|it| format!("{it};\n"));
    lines.collect()
}
