//! A service for notes that belong to users, with an authorization server for its access tokens.
//!
//! Start reading at `notes.rs`, which declares the resources and their access rules, and at `service.rs`,
//! which combines the API and the authorization server. `people.rs` and `pages/` are the part that every
//! service implements itself: its users and their login. A copy needs no `demonstration.rs`.

mod commands;
mod demonstration;
mod notes;
mod pages;
mod people;
mod service;

use std::env::{self, VarError};
use std::error::Error;
use std::process::ExitCode;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clap::{CommandFactory, Parser};
use commands::Command;
use resource_runtime::cli::{self, Options};

const NAME: &str = "protected-notes";

/// The result of a command, whose error is a message for the person who started it.
type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// Serves notes that belong to users, and issues access tokens for them.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
Environment:
  SEALING_KEY         32 bytes in base64url that seal the keys with which tokens are signed
  DEMO_PASSWORD       the password of `ann` and `ben`, when the first start makes them
  DEMO_CLIENT_ID      the id of a client for demonstrations, put at every start,
  DEMO_CLIENT_SECRET  and its secret
  RUST_LOG            what is logged, `warn` by default; `info` for a line for each request
  NO_COLOR            a log without colours, which it has in a terminal alone"
)]
struct Arguments {
    #[command(flatten)]
    options: Options,

    #[command(subcommand)]
    command: Option<Command>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Cookies of expired sessions are normal, and no reason for a warning.
    arguments
        .options
        .start_log("warn,tower_sessions_core=error");
    cli::exit(NAME, run(arguments).await)
}

async fn run(arguments: Arguments) -> Outcome<ExitCode> {
    let options = arguments.options;
    match arguments.command {
        None | Some(Command::Api(cli::Command::Serve)) => {
            service::serve(&options).await?;
        }
        Some(Command::Api(command)) => {
            return Ok(cli::run(NAME, command, &options, service::resources()).await?);
        }
        Some(Command::Versions(command)) => {
            return Ok(resource_lock::run(command, service::resources())?);
        }
        Some(Command::Completions { shell }) => {
            return Ok(cli::completions(shell, Arguments::command())?);
        }
        Some(Command::Client(command)) => commands::client(command, &options).await?,
        Some(Command::Key(command)) => commands::key(&command, &options).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The value of an environment variable; an empty one counts as not set. Secrets are read only from there,
/// because every user of the machine can see arguments.
fn from_environment(name: &str) -> Outcome<Option<String>> {
    match env::var(name) {
        Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(format!("`{name}` is not UTF-8").into()),
    }
}

/// Random bytes as text that needs no escaping in a form, a cookie or a shell.
fn random_text<const BYTES: usize>() -> Outcome<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
