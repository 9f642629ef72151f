//! The execution of commands: their output, and their work on the database.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use resource_model::error::did_you_mean;
use serde::Serialize;

use super::{Command, OpenapiCommand, Options, Server, check, routes};
use crate::boxed::BoxFuture;
use crate::store::Database;
use crate::{Api, ApiBuilder, Dialect, Error};

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
        let builder = options.configure(builder).default_title(name);
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
            Command::Check(command) => return check::run(options, builder, &command).await,
            Command::Routes(command) if command.json => {
                let api = described(builder)?;
                print_json(&routes::routes(&api).collect::<Vec<_>>())?;
            }
            Command::Routes(_) => print(&routes::table(&described(builder)?))?,
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn serve(name: &str, options: &Options, builder: ApiBuilder) -> Result<(), Error> {
    // A port in use ends the start before it makes a file or a table. A port that is bound refuses clients until the
    // service listens, so that one which can connect finds every table.
    let server = Server::bind(options).await?;
    let database = Database::connect(options.database_url()).await?;
    let api = builder.build(database)?;
    if !options.no_create() {
        api.create_missing_tables().await?;
    }
    // An older database is refused here, with what it lacks, instead of at the first request.
    api.check_schema().await?;
    server.serve(name, &api, api.router()).await
}

/// The exit code of a program; an error is printed behind its name, and makes it fail.
pub fn exit<E: Display>(name: &str, outcome: Result<ExitCode, E>) -> ExitCode {
    outcome.unwrap_or_else(|error| {
        eprintln!("{name}: {error}");
        ExitCode::FAILURE
    })
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

/// Prints a value as JSON that people can read, too.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Error> {
    // Texts, flags and lists of them always are JSON.
    let json = serde_json::to_string_pretty(value).unwrap_or_default();
    print(&(json + "\n"))
}

/// Prints a text. A reader that closes the pipe before its end, like `head`, is no error.
pub(super) fn print(text: &str) -> Result<(), Error> {
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
