//! The program `cargo resource`.

use std::process::ExitCode;

use cargo_resource::{Scaffold, scaffold};
use clap::{Parser, Subcommand};

/// `cargo resource` calls `cargo-resource resource`.
#[derive(Parser)]
#[command(name = "cargo", bin_name = "cargo", styles = clap::builder::Styles::styled())]
enum Cargo {
    /// Models of `resource-runtime`
    #[command(version)]
    Resource {
        #[command(subcommand)]
        command: Command,
    },
}

#[derive(Subcommand)]
enum Command {
    /// Writes models of the tables and views of a database, and changes nothing in it
    Scaffold(Scaffold),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Cargo::Resource { command } = Cargo::parse();
    let Command::Scaffold(options) = command;
    match scaffold(&options).await {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cargo resource: {error}");
            ExitCode::FAILURE
        }
    }
}
