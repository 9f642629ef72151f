//! The script by which a shell completes the commands and flags of a service.

use std::process::ExitCode;

use clap_complete::{Shell, generate};

use super::run::print;
use crate::Error;

/// Prints the script by which a shell completes the commands and flags of `program`, to be sourced by the shell. Only the
/// service knows them all, so it lists the command itself.
///
/// ```
/// use std::process::ExitCode;
///
/// use clap::{CommandFactory, Parser, Subcommand};
/// use resource_runtime::Error;
/// use resource_runtime::cli::{self, Options};
///
/// #[derive(Parser)]
/// #[command(name = "settings")]
/// struct Arguments {
///     #[command(flatten)]
///     options: Options,
///
///     #[command(subcommand)]
///     command: Command,
/// }
///
/// #[derive(Subcommand)]
/// enum Command {
///     #[command(flatten)]
///     Api(cli::Command),
///
///     /// Prints the script by which a shell completes commands and flags
///     #[command(args(Options::hidden_all()))]
///     Completions { shell: cli::Shell },
/// }
///
/// # fn main() -> Result<(), Error> {
/// let arguments = Arguments::parse_from(["settings", "completions", "fish"]);
/// if let Command::Completions { shell } = arguments.command {
///     cli::completions(shell, Arguments::command())?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The standard output cannot be written.
pub fn completions(shell: Shell, mut program: clap::Command) -> Result<ExitCode, Error> {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    generate(shell, &mut program, name, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
