//! The execution of commands: their output, and their work on the database.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use resource_model::error::did_you_mean;

use super::server::past_sunsets;
use super::{CheckCommand, Command, OpenapiCommand, Options, Server, routes};
use crate::api::Comparison;
use crate::boxed::BoxFuture;
use crate::store::Database;
use crate::{Api, ApiBuilder, Dialect, Error};
use resource_sql::Statement;

/// Runs a command on the API that `builder` describes. [`Command::Serve`] connects to the database,
/// makes the tables and indexes that are missing, refuses tables that do not fit, and serves.
///
/// The commands that describe need no database, and make none. [`Command::Openapi`], [`Command::Schema`],
/// [`Command::Check`] and [`Command::Routes`] need no [`authorization`](ApiBuilder::authorization), either:
/// access rules count as enforced.
///
/// # Errors
///
/// The obstacle to the command, in words for the user who gave it.
pub async fn run(
    name: &str,
    command: Command,
    options: &Options,
    builder: ApiBuilder,
) -> Result<ExitCode, Error> {
    // The boxed future is compiled in this crate, and not again in each service.
    run_boxed(name, command, options, builder).await
}

fn run_boxed<'run>(
    name: &'run str,
    command: Command,
    options: &'run Options,
    builder: ApiBuilder,
) -> BoxFuture<'run, Result<ExitCode, Error>> {
    Box::pin(async move {
        let builder = options.configure(builder);
        // Each arm prints its whole result, so that a command that fails prints none of it.
        match command {
            Command::Serve => serve(name, options, builder).await?,
            Command::Openapi(command) => {
                let document = openapi(&described(builder)?, &command)?;
                // The output ends in exactly one line feed, so that it can be redirected to a file.
                print(&format!("{}\n", document.trim_end()))?;
            }
            Command::Schema(command) => {
                // The URL alone names the dialect; the database is not opened.
                let of_url = || Dialect::of_url(options.database_url());
                print(&builder.schema_sql(command.dialect.unwrap_or_else(of_url))?)?;
            }
            // Differences are a result and no error, so the command chooses its exit code itself.
            Command::Check(command) => return check(options, builder, &command).await,
            Command::Routes => print(&routes::table(&described(builder)?))?,
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn serve(name: &str, options: &Options, builder: ApiBuilder) -> Result<(), Error> {
    // The database comes first: an API cannot be built without one.
    let database = Database::connect(options.database_url()).await?;
    let api = builder.build(database)?;
    // The port is bound last, so that a client which can connect finds every table.
    api.create_missing_tables().await?;
    // An older database is refused here, with what it lacks, instead of at the first request.
    api.check_schema().await?;
    let server = Server::bind(options).await?;
    server.serve(name, &api, api.router()).await
}

/// The exit code of a program; an error is printed behind its name, and makes it fail.
pub fn exit<E: Display>(name: &str, outcome: Result<ExitCode, E>) -> ExitCode {
    outcome.unwrap_or_else(|error| {
        eprintln!("{name}: {error}");
        ExitCode::FAILURE
    })
}

/// Prints the differences between the database and the needs of the API, and the statements that add what
/// is missing.
async fn check(
    options: &Options,
    builder: ApiBuilder,
    command: &CheckCommand,
) -> Result<ExitCode, Error> {
    let database = options.existing_database().await?;
    let api = builder.described(database)?;
    let mut comparison = api.compare_schema().await?;
    if command.sql {
        print(&statements(&comparison.expansions))?;
        return Ok(ExitCode::SUCCESS);
    }
    if command.data {
        api.compare_values(&mut comparison).await?;
    }
    let sunsets = past_sunsets(&api).map(|it| format!("{it}\n"));
    print(&(report(&comparison) + &sunsets.collect::<String>()))?;
    // A service also runs with tolerable differences, so these do not make the command fail.
    let is_whole = comparison.fatal.is_empty() && comparison.additions.is_empty();
    Ok(ExitCode::from(u8::from(!is_whole)))
}

fn report(comparison: &Comparison) -> String {
    // The differences that keep a service from starting come first.
    let fatal = comparison.fatal.iter().map(|(_, sentence)| sentence);
    let differences = fatal.chain(&comparison.tolerable);
    let lines = differences.map(|it| format!("{it}\n"));
    let mut report: String = lines.collect();
    if report.is_empty() {
        return String::from("the database has everything that the API needs\n");
    }
    if !comparison.additions.is_empty() {
        report += "\nThese statements add what is missing:\n\n";
    }
    report + &statements(&comparison.additions)
}

fn statements(statements: &[Statement]) -> String {
    let lines = statements.iter().map(|it| format!("{};\n", it.text()));
    lines.collect()
}

fn described(builder: ApiBuilder) -> Result<Api, Error> {
    // No command that describes opens a connection, so an absent database is enough.
    builder.described(Database::absent())
}

fn openapi(api: &Api, command: &OpenapiCommand) -> Result<String, Error> {
    let version = &command.version;
    let document = if command.client {
        api.openapi_for_clients(version, command.form)
    } else {
        api.openapi(version, command.form)
    };
    document.ok_or_else(|| {
        let known = api.versions();
        // The list is short, so all versions are named even where one is suggested.
        let suggestion = did_you_mean(version, known.iter().map(String::as_str));
        let known = known.join("`, `");
        Error::configuration(format!(
            "there is no version `{version}`{suggestion}; there are `{known}`"
        ))
    })
}

/// Prints a text. A reader that closes the pipe before its end, like `head`, is no error.
fn print(text: &str) -> Result<(), Error> {
    // One lock for the whole text keeps other output from getting in between.
    let mut output = io::stdout().lock();
    let printed = output.write_all(text.as_bytes());
    // An error of the last bytes shows only in the flush; at the end of the process it would be lost.
    match printed.and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::configuration(format!(
            "cannot write to the standard output: {error}"
        ))),
        _ => Ok(()),
    }
}
