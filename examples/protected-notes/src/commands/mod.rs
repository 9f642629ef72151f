//! Commands that run beside the service; their changes take effect in it within 5 seconds.

mod client;
mod key;

use std::sync::Arc;

use clap::Subcommand;
use resource_runtime::Database;
use resource_runtime::cli::{self, Options};

use crate::people::People;
use crate::{Outcome, service};

/// Placeholder: no command depends on the address of the service.
const BASE_URL: &str = "http://127.0.0.1";

#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Api(cli::Command),
    #[command(flatten)]
    Beside(Beside),
}

impl Default for Command {
    fn default() -> Self {
        Self::Api(cli::Command::default())
    }
}

#[derive(Subcommand)]
pub enum Beside {
    /// Adds, lists and disables the applications that may request tokens
    #[command(subcommand, args(Options::hidden()))]
    Client(client::Command),

    /// Changes the key that signs tokens
    #[command(subcommand, args(Options::hidden()))]
    Key(key::Command),
}

pub async fn run(command: Beside, database_url: &str) -> Outcome {
    let database = Database::connect(database_url).await?;
    let people = Arc::new(People::open(database.clone()).await?);
    let server = service::authorization_server(&database, &people, BASE_URL)?;
    let server = server.build().await?;
    match command {
        Beside::Client(command) => client::run(command, &server).await,
        Beside::Key(command) => key::run(&command, &server).await,
    }
}
