//! An address book as a REST service: run it, and send requests to the address that it prints.

mod labels;
mod models;
mod notes;
mod users;

use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, Parser, Subcommand};
use resource_runtime::cli::{self, Options};
use resource_runtime::{Api, ApiBuilder};

use labels::Label;
use models::{Address, Person, Setting, SettingV2};
use notes::Note;
use users::User;

/// Allocator of the binary, chosen for many small allocations on all processors.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NAME: &str = "address-book";

const ENVIRONMENT: &str = "\
Environment:
  RUST_LOG  what is logged, `warn` by default; `info` for a line for each request
  NO_COLOR  a log without colours, which it has in a terminal alone";

/// Serves settings, addresses, persons, labels, users and notes as a REST API.
#[derive(Parser)]
#[command(version, after_help = ENVIRONMENT)]
struct Arguments {
    #[command(flatten)]
    options: Options,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Api(cli::Command),

    #[command(flatten)]
    Versions(resource_lock::Command),

    /// Prints the script by which a shell completes commands and flags
    #[command(args(Options::hidden_all()))]
    Completions { shell: cli::Shell },
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { options, command } = Arguments::parse();
    options.start_log("warn");
    let outcome = match command {
        None => cli::run(NAME, cli::Command::Serve, &options, api()).await,
        Some(Command::Api(command)) => cli::run(NAME, command, &options, api()).await,
        Some(Command::Versions(command)) => resource_lock::run(command, api()),
        Some(Command::Completions { shell }) => cli::completions(shell, Arguments::command()),
    };
    cli::exit(NAME, outcome)
}

fn api() -> ApiBuilder {
    let builder = Api::builder()
        .title("Address book")
        .description(
            "Settings, addresses, persons, labels, users and notes: an example of what annotated structs become.",
        )
        .contact("Support", "https://example.com/address-book")
        .license("MIT OR Apache-2.0", "https://spdx.org/licenses/")
        .idempotency_keys(Duration::from_hours(24))
        .resource::<Setting>()
        .resource::<SettingV2>()
        .resource::<Address>()
        .resource::<Person>()
        .resource::<Label>()
        .resource::<User>()
        .resource::<Note>()
        .routes(resource_browse::Browse::new().routes());
    resource_lock::show_changes(builder, include_str!("../api.lock"))
}

#[test]
fn published_versions_are_kept() -> Result<(), resource_runtime::Error> {
    resource_lock::check(api(), "api.lock")
}
