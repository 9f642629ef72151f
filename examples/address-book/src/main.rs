//! An address book as a REST service: run it and send requests to what it prints.

mod models;
mod notes;
mod users;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use resource_runtime::{Api, Database};
use tokio::net::TcpListener;

use models::{Address, Person, Setting, SettingV2};
use notes::Note;
use users::User;

/// Serves settings, addresses, persons, users and notes as a REST API.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The address to listen on; port 0 takes a free one.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:8080")]
    listen: String,

    /// `sqlite://<path>`, a file that is created where it is missing, or
    /// `postgres://<user>@<host>/<database>`.
    #[arg(long, env = "DATABASE_URL", default_value = "sqlite://address-book.db")]
    database_url: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    // Set RUST_LOG=info to see a line for each request.
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    match serve(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("address-book: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let database = Database::connect(&arguments.database_url).await?;
    let api = Api::builder()
        .title("Address book")
        .description(
            "Settings, addresses, persons, users and notes: an example of what annotated structs become.",
        )
        .resource::<Setting>()
        .resource::<SettingV2>()
        .resource::<Address>()
        .resource::<Person>()
        .resource::<User>()
        .resource::<Note>()
        .build(database)?;
    api.create_missing_tables().await?;
    // An older file is refused here, with what it lacks, instead of at the first request.
    api.check_schema().await?;

    let listen = &arguments.listen;
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    println!("address-book listens on http://{}", listener.local_addr()?);
    resource_runtime::serve(listener, api.router()).await?;
    Ok(())
}
