//! A service for notes that belong to users, with an authorization server for its access tokens.
//!
//! Start reading at `notes.rs`, which declares the resources and their access rules, and at `service.rs`,
//! which combines the API and the authorization server. `people/` and `pages/` are the part that every
//! service implements itself: its users and their login.

mod arguments;
mod commands;
mod demonstration;
mod environment;
mod notes;
mod pages;
mod people;
mod random;
mod service;

use std::error::Error;
use std::process::ExitCode;

use arguments::Arguments;
use clap::Parser as _;
use commands::Command;
use resource_runtime::cli;

const NAME: &str = "protected-notes";

/// The result of a command, whose error is a message for the person who started it.
type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt()
        .with_env_filter(environment::log_filter())
        .with_writer(std::io::stderr)
        .init();
    cli::exit(NAME, run(arguments).await)
}

async fn run(mut arguments: Arguments) -> Outcome<ExitCode> {
    match arguments.command.take().unwrap_or_default() {
        Command::Api(cli::Command::Serve) => service::serve(&arguments).await?,
        Command::Api(command) => {
            let api = service::resources(arguments.base_url.as_deref());
            return Ok(cli::run(NAME, command, &arguments.options, api).await?);
        }
        Command::Beside(command) => {
            commands::run(command, arguments.options.database_url()).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
