//! A service of the models that were written of a database of Django.

mod models;

use std::process::ExitCode;

use clap::Parser;
use resource_runtime::Api;
use resource_runtime::cli::{self, Command, Options};

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,

    #[command(subcommand)]
    command: Option<Command>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { options, command } = Arguments::parse();
    let api = models::v1_0::register(Api::builder());
    let command = command.unwrap_or_default();
    cli::exit("library", cli::run("library", command, &options, api).await)
}
