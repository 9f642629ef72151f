//! Notes that belong to users, and the tokens that open them: run it and follow what it prints.
//!
//! Start reading at `notes.rs`, which says who may do what, and at `service.rs`, which puts the API
//! and the authorization server together. `people/` and `pages/` are what the library leaves to
//! every service: who its users are, and how they log in.

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

/// What ends a command, in words for whoever started it.
type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Set RUST_LOG=info to see a line for each request.
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    match run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("protected-notes: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Outcome {
    match arguments.command {
        None => service::serve(&arguments.serving, &arguments.database_url).await,
        Some(command) => commands::run(command, &arguments.database_url).await,
    }
}
