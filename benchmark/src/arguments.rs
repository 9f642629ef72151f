use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::subject::Subject;

/// Measures what requests cost, side by side in one run.
#[derive(Parser)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// The same requests with a valid access token, and without authorization.
    Authorization(Settings),

    /// One of the services that are measured; it is started by the other commands.
    #[command(hide = true)]
    Serve { subject: Subject, folder: PathBuf },
}

#[derive(Args)]
pub(crate) struct Settings {
    /// How often the subjects are started anew.
    #[arg(long, default_value_t = 15)]
    pub(crate) starts: usize,

    /// How often each subject has its turn, each time that it was started.
    #[arg(long, default_value_t = 15)]
    pub(crate) rounds: usize,

    /// How many connections send requests at the same time.
    #[arg(long, default_value_t = 8)]
    pub(crate) connections: usize,

    /// How many requests a turn has.
    #[arg(long, default_value_t = 2_000)]
    pub(crate) requests: usize,
}
