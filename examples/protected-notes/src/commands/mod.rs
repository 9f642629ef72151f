//! What is done beside the running service, which learns of it within 5 seconds.

mod client;
mod key;

use std::sync::Arc;

use clap::Subcommand;
use resource_runtime::Database;

use crate::people::People;
use crate::{Outcome, service};

/// Nothing that commands do depends on where the service is found.
const BASE_URL: &str = "http://127.0.0.1";

#[derive(Subcommand)]
pub enum Command {
    /// Adds, lists and disables the applications that may ask for tokens.
    #[command(subcommand)]
    Client(client::Command),

    /// Changes the key with which tokens are signed.
    #[command(subcommand)]
    Key(key::Command),
}

pub async fn run(command: Command, database_url: &str) -> Outcome {
    let database = Database::connect(database_url).await?;
    let people = Arc::new(People::open(database.clone()).await?);
    let server = service::authorization_server(&database, &people, BASE_URL)?;
    let server = server.build().await?;
    match command {
        Command::Client(command) => client::run(command, &server).await,
        Command::Key(command) => key::run(&command, &server).await,
    }
}
