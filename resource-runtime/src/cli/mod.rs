//! The command line of a service: commands that serve it, describe it, and check its database.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use clap::Parser;
//! use resource_runtime::cli::{self, Command, Options};
//! use resource_runtime::{Api, ApiBuilder, ApiResource};
//!
//! #[derive(ApiResource)]
//! #[resource(name = "Setting", url = "/settings", version = "1.0")]
//! struct Setting {
//!     id: i64,
//!     name: String,
//! }
//!
//! /// Serves settings as a REST API.
//! #[derive(Parser)]
//! #[command(name = "settings", version)]
//! struct Arguments {
//!     #[command(flatten)]
//!     options: Options,
//!
//!     #[command(subcommand)]
//!     command: Option<Command>,
//! }
//!
//! fn api() -> ApiBuilder {
//!     Api::builder().title("Settings").resource::<Setting>()
//! }
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     let Arguments { options, command } = Arguments::parse();
//!     options.start_log("warn");
//!     let command = command.unwrap_or_default();
//!     cli::exit("settings", cli::run("settings", command, &options, api()).await)
//! }
//! ```
//!
//! A service without options and commands of its own needs none of this: its `main` is [`main`], or that of a
//! [`Program`], which takes commands of other packages. One with commands of its own lists them beside these, in an
//! enum with a variant `#[command(flatten)] Api(Command)`; [`Options::hidden`] keeps their help short. One that puts more
//! together than an API takes care of [`Command::Serve`] itself, by a [`Server`], and leaves the other
//! commands to [`run`]. The scripts by which shells complete all of them are printed by [`completions`].

mod check;
mod command;
mod completions;
mod log;
mod options;
mod port;
mod program;
mod routes;
mod run;
mod server;

pub use clap_complete::Shell;
pub use command::{CheckCommand, Command, OpenapiCommand, RoutesCommand, SchemaCommand};
pub use completions::completions;
pub use options::Options;
pub use program::{NoCommand, Program, main};
pub use run::{exit, run};
pub use server::Server;
