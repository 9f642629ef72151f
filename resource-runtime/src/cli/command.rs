//! The commands of a service, and their options.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::Options;
use crate::{Dialect, OpenApiVersion};

/// A command of a service.
#[derive(Debug, Clone, Default, Subcommand)]
// Of a service that has no description, this one would become the one.
#[command(about = None, long_about = None)]
#[non_exhaustive]
pub enum Command {
    /// Serves the API until SIGTERM or Ctrl-C; the default
    #[default]
    Serve,

    /// Prints the description of a version, an OpenAPI document
    #[command(args(Options::hidden_all()))]
    Openapi(OpenapiCommand),

    /// Prints the statements that make the tables
    #[command(args(Options::hidden()))]
    Schema(SchemaCommand),

    /// Compares the database with what the API needs, and prints what would add it
    #[command(args(Options::hidden()))]
    Check(CheckCommand),

    /// Lists the routes of the resources with versions and scopes: a line for each operation
    #[command(args(Options::hidden_all()))]
    Routes(RoutesCommand),
}

/// The options of the command `openapi`.
#[derive(Debug, Clone, Args)]
pub struct OpenapiCommand {
    /// The version that is described, like `1.0`
    #[arg(long = "version", value_name = "VERSION", default_value = "latest")]
    pub(super) version: String,

    /// The form of OpenAPI
    #[arg(long, value_name = "FORM", default_value = "3.1", value_parser = form())]
    pub(super) form: OpenApiVersion,

    /// Describes complete items, without the parameter `fields`, for generators of clients
    #[arg(long)]
    pub(super) client: bool,
}

/// The options of the command `schema`.
#[derive(Debug, Clone, Args)]
pub struct SchemaCommand {
    /// The database that they are for; that of `--database-url` by default
    #[arg(long, value_name = "DATABASE", value_parser = dialect())]
    pub(super) dialect: Option<Dialect>,
}

/// The options of the command `check`.
#[derive(Debug, Clone, Default, Args)]
pub struct CheckCommand {
    /// Reads every served value once, too, and tells which do not fit
    #[arg(long, conflicts_with = "sql")]
    pub(super) data: bool,

    /// Prints the statements alone that add tables, columns and indexes, for `sqlite3` or `psql`, and to the standard error what
    /// they leave
    #[arg(long)]
    pub(super) sql: bool,

    /// Prints the statements that rebuild this table of SQLite, for the program `sqlite3`
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["data", "sql", "json"])]
    pub(super) rebuild: Option<String>,

    /// Prints a JSON object, for programs
    #[arg(long, conflicts_with = "sql")]
    pub(super) json: bool,
}

/// The options of the command `routes`.
#[derive(Debug, Clone, Default, Args)]
pub struct RoutesCommand {
    /// Prints a JSON array, for programs
    #[arg(long)]
    pub(super) json: bool,
}

/// The parser of the form of OpenAPI by its version.
fn form() -> impl TypedValueParser<Value = OpenApiVersion> {
    PossibleValuesParser::new(["3.1", "3.0"]).map(|name| match &*name {
        // Clap lets only the listed names pass, so the default arm is for the other one.
        "3.0" => OpenApiVersion::V30,
        _ => OpenApiVersion::V31,
    })
}

/// The parser of the database by its name.
fn dialect() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(["sqlite", "postgres"]).map(|name| match &*name {
        // Clap lets only the listed names pass, so the default arm is for the other one.
        "postgres" => Dialect::Postgres,
        _ => Dialect::Sqlite,
    })
}
