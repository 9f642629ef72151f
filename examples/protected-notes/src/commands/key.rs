//! Commands for the keys with which tokens are signed.

use chrono::{DateTime, Utc};
use clap::Subcommand;
use resource_authorization_server::AuthorizationServer;

use crate::Outcome;

#[derive(Subcommand)]
pub enum Command {
    /// Adds a key, which signs from tomorrow on; tokens that the old one signed stay good.
    Rotate,
}

pub async fn run(command: &Command, server: &AuthorizationServer) -> Outcome {
    match command {
        Command::Rotate => {
            let key = server.rotate_key().await?;
            let from = DateTime::<Utc>::from(key.active_from());
            println!("key {} signs from {}", key.id(), from.format("%F %R UTC"));
            Ok(())
        }
    }
}
