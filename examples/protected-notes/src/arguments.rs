use std::net::SocketAddr;

use clap::{Args, Parser};

use crate::Outcome;
use crate::commands::Command;

const ENVIRONMENT: &str = "\
Environment:
  SEALING_KEY         32 bytes in base64url that seal the keys with which tokens are signed
  DEMO_PASSWORD       the password of `ann` and `ben`, when the first start makes them
  DEMO_CLIENT_ID      the id of a client for demonstrations, put at every start,
  DEMO_CLIENT_SECRET  and its secret
  RUST_LOG            what is logged, `info` for instance";

/// Serves notes that belong to users, and issues the tokens that open them.
#[derive(Parser)]
#[command(version, after_help = ENVIRONMENT)]
pub struct Arguments {
    #[command(flatten)]
    pub serving: Serving,

    /// `sqlite://<path>`, a file that is created where it is missing, or
    /// `postgres://<user>@<host>/<database>`.
    #[arg(
        long,
        global = true,
        env = "DATABASE_URL",
        hide_env_values = true,
        default_value = "sqlite://protected-notes.db"
    )]
    pub database_url: String,

    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Where the service is found.
#[derive(Args)]
pub struct Serving {
    /// The address to listen on; port 0 takes a free one.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:8080")]
    pub listen: String,

    /// Where clients find the service, like `https://notes.example.com`; by default where it
    /// listens.
    #[arg(long, env = "BASE_URL")]
    pub base_url: Option<String>,
}

impl Serving {
    /// What tokens name as their issuer, and all addresses begin with.
    pub fn base_url(&self, address: SocketAddr) -> Outcome<String> {
        match &self.base_url {
            Some(base_url) => Ok(base_url.trim_end_matches('/').to_owned()),
            None if address.ip().is_unspecified() => Err(format!(
                "nobody can send requests to {address}; name where clients find the service, \
                 like `--base-url https://notes.example.com`"
            )
            .into()),
            None => Ok(format!("http://{address}")),
        }
    }
}
