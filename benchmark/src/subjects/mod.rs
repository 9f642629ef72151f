//! The services that are measured, each in a process of its own.

pub(crate) mod attacked;
mod authorization;
mod by_hand;
mod by_hand_rusqlite;
pub(crate) mod derive;
pub(crate) mod fixed;
mod host;
mod models;

use std::io::Read as _;
use std::thread;

use clap::ValueEnum;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::service::Service;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Subject {
    /// axum answering bytes that it has: what HTTP alone costs.
    Fixed,
    /// Handlers as one writes them with axum, sqlx and serde.
    ByHand,
    /// Rows stepped into bytes right in the handler: what SQLite alone costs.
    ByHandRusqlite,
    /// The same service through the derive.
    Derive,
    /// The service through the derive, with the durability of SQLite that costs less: everybody may do
    /// everything.
    Open,
    /// The same as `open`, but callers need an access token.
    Guarded,
    /// The service through the derive, with documents of any length and an import beside requests.
    Attacked,
}

impl Subject {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::ByHand => "by_hand",
            Self::ByHandRusqlite => "by_hand_rusqlite",
            Self::Derive => "derive",
            Self::Open => "open",
            Self::Guarded => "guarded",
            Self::Attacked => "attacked",
        }
    }
}

/// Serves what is at `source` until the process that started this one ends or kills it.
pub(crate) fn serve(subject: Subject, source: &str) -> Outcome {
    thread::spawn(end_with_the_input);
    Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?.to_string();
        let (router, introduction) = match subject {
            Subject::Fixed => (fixed::router(source)?, Vec::new()),
            Subject::ByHand => (by_hand::router(source).await?, Vec::new()),
            Subject::ByHandRusqlite => (by_hand_rusqlite::router(source)?, Vec::new()),
            Subject::Derive => (derive::router(source).await?, Vec::new()),
            Subject::Open => (authorization::open(source).await?, Vec::new()),
            Subject::Guarded => authorization::guarded(source, &address).await?,
            Subject::Attacked => (attacked::router(source).await?, Vec::new()),
        };
        Service::introduce(&address, introduction)?;
        if subject.is_derived() {
            return Ok(resource_runtime::serve(listener, router).await?);
        }
        Ok(axum::serve(listener, router).await?)
    })
}

impl Subject {
    const fn is_derived(self) -> bool {
        matches!(
            self,
            Self::Derive | Self::Open | Self::Guarded | Self::Attacked
        )
    }
}

/// Ends this process with its input, which ends with the process that holds its other end, however that one
/// ends.
fn end_with_the_input() {
    let mut nothing = Vec::new();
    let _ = std::io::stdin().read_to_end(&mut nothing);
    std::process::exit(0);
}
