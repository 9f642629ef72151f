use std::fmt::Display;
use std::process::ExitCode;

use super::print::print;
use super::{Command, Options, Server, check, described, routes};
use crate::boxed::Boxed;
use crate::store::Database;
use crate::{ApiBuilder, Error};

/// Runs a command on the API that `builder` describes. [`Command::Serve`] connects to the database,
/// makes the tables and indexes that are missing, refuses tables that do not fit, and serves.
///
/// The commands that describe need no database, and make none. [`Command::Openapi`],
/// [`Command::Schema`], [`Command::Check`] and [`Command::Routes`] need no
/// [`authorization`](ApiBuilder::authorization), either: what says who may use it is taken for kept to.
///
/// # Errors
///
/// What keeps the command from being done, in words for whoever gave it.
pub async fn run(
    name: &str,
    command: Command,
    options: &Options,
    builder: ApiBuilder,
) -> Result<ExitCode, Error> {
    run_boxed(name, command, options, builder).await
}

fn run_boxed<'run>(
    name: &'run str,
    command: Command,
    options: &'run Options,
    builder: ApiBuilder,
) -> Boxed<'run, Result<ExitCode, Error>> {
    Box::pin(async move {
        match command {
            Command::Serve => serve(name, options, builder).await?,
            Command::Openapi(asked) => {
                let api = described::api(builder)?;
                let document = described::openapi(&api, &asked)?;
                print(&format!("{}\n", document.trim_end()))?;
            }
            Command::Schema(asked) => {
                let dialect = asked.dialect(options.database_url());
                print(&builder.schema_sql(dialect)?)?;
            }
            Command::Check => return check::check(options, builder).await,
            Command::Routes => print(&routes::table(&described::api(builder)?))?,
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn serve(name: &str, options: &Options, builder: ApiBuilder) -> Result<(), Error> {
    let database = Database::connect(options.database_url()).await?;
    let api = options.configure(builder).build(database)?;
    api.create_missing_tables().await?;
    // An older database is refused here, with what it lacks, instead of at the first request.
    api.check_schema().await?;
    let server = Server::bind(options).await?;
    server.serve(name, &api, api.router()).await
}

/// Ends a program: an error is printed behind its name, and makes it fail.
pub fn exit<E: Display>(name: &str, outcome: Result<ExitCode, E>) -> ExitCode {
    outcome.unwrap_or_else(|error| {
        eprintln!("{name}: {error}");
        ExitCode::FAILURE
    })
}
