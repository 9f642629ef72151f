//! A service of the models that were written of a database of Django.
#![deny(warnings, missing_docs)]

mod chinook_postgres;
mod chinook_sqlite;
mod models;
mod oddities_postgres;
mod oddities_sqlite;

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
    // These are compiled alone.
    let _others = [
        chinook_postgres::v1_0::register,
        chinook_sqlite::v1_0::register,
        oddities_postgres::v1_0::register,
        oddities_sqlite::v1_0::register,
    ];
    let api = models::v1_0::register(Api::builder());
    let command = command.unwrap_or_default();
    cli::exit("library", cli::run("library", command, &options, api).await)
}
