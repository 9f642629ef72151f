//! Commands for the keys that sign tokens.

use chrono::{DateTime, Utc};
use clap::Subcommand;
use resource_authorization_server::AuthorizationServer;

use crate::Outcome;

#[derive(Subcommand)]
pub enum Command {
    /// Adds a key that signs after 24 hours; tokens signed by the old one stay valid.
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
