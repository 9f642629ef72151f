//! The commands of a service, and their options.

use clap::{Args, Subcommand, ValueEnum};

use super::options::{of_opening, of_serving};
use crate::{Dialect, OpenApiForm};

/// A command of a service.
#[derive(Debug, Clone, Default, Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// Serves the API until SIGTERM or Ctrl-C; the default
    #[default]
    Serve,

    /// Prints the description of a version, an OpenAPI document
    #[command(args(of_opening()))]
    Openapi(OpenapiCommand),

    /// Prints the statements that make the tables
    #[command(args(of_serving()))]
    Schema(SchemaCommand),

    /// Compares the database with what the API needs, and prints what would add it
    #[command(args(of_serving()))]
    Check,

    /// Lists routes with versions and scopes: a line for each operation
    #[command(args(of_opening()))]
    Routes,
}

/// The options of the command `openapi`.
#[derive(Debug, Clone, Args)]
pub struct OpenapiCommand {
    /// The version that is described, like `1.0`
    #[arg(long = "version", value_name = "VERSION", default_value = "latest")]
    pub(super) version: String,

    /// The form of OpenAPI
    #[arg(long, value_name = "FORM", default_value = "3.1")]
    form: Form,
}

impl OpenapiCommand {
    pub(super) const fn form(&self) -> OpenApiForm {
        match self.form {
            Form::V31 => OpenApiForm::V31,
            Form::V30 => OpenApiForm::V30,
        }
    }
}

/// The options of the command `schema`.
#[derive(Debug, Clone, Args)]
pub struct SchemaCommand {
    /// The database that they are for; that of `--database-url` by default
    #[arg(long, value_name = "DATABASE")]
    dialect: Option<DialectName>,
}

impl SchemaCommand {
    pub(super) fn dialect(&self, database_url: &str) -> Dialect {
        match self.dialect {
            Some(DialectName::Postgres) => Dialect::Postgres,
            Some(DialectName::Sqlite) => Dialect::Sqlite,
            None => Dialect::of_url(database_url),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    #[value(name = "3.1")]
    V31,
    #[value(name = "3.0")]
    V30,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum DialectName {
    Sqlite,
    Postgres,
}
