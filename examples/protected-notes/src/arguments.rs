//! Command-line arguments of the service.

use std::net::SocketAddr;

use clap::Parser;
use resource_runtime::cli::Options;

use crate::Outcome;
use crate::commands::Command;

const ENVIRONMENT: &str = "\
Environment:
  SEALING_KEY         32 bytes in base64url that seal the keys with which tokens are signed
  DEMO_PASSWORD       the password of `ann` and `ben`, when the first start makes them
  DEMO_CLIENT_ID      the id of a client for demonstrations, put at every start,
  DEMO_CLIENT_SECRET  and its secret
  RUST_LOG            what is logged, `warn` by default; `info` for a line for each request";

/// Serves notes that belong to users, and issues access tokens for them.
#[derive(Parser)]
#[command(version, after_help = ENVIRONMENT)]
pub struct Arguments {
    #[command(flatten)]
    pub options: Options,

    /// The URL of the service for clients, like `https://notes.example.com`; by default where it listens
    #[arg(
        long,
        global = true,
        env = "BASE_URL",
        display_order = 904,
        value_name = "URL"
    )]
    pub base_url: Option<String>,

    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Arguments {
    /// The base URL: the issuer of the tokens, and the beginning of all addresses.
    pub fn base_url(&self, address: SocketAddr) -> Outcome<String> {
        match &self.base_url {
            Some(base_url) => Ok(base_url.trim_end_matches('/').to_owned()),
            // `0.0.0.0` listens on all addresses, but no client can connect to it.
            None if address.ip().is_unspecified() => Err(format!(
                "nobody can send requests to {address}; name where clients find the service, \
                 like `--base-url https://notes.example.com`"
            )
            .into()),
            None => Ok(format!("http://{address}")),
        }
    }
}
