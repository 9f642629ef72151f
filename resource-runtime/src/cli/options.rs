//! The options of a service, given as flags or by the environment.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, value_parser};

use super::log::{self, LogFormat};
use crate::store::Database;
use crate::{ApiBuilder, Error, ServeOptions};

/// The addresses at which a service listens and stores, given as flags or by the environment.
///
/// By default, a service listens on `127.0.0.1:8080`, or where the variable `PORT` is set, as container platforms do,
/// on that port of all addresses. It stores in the file `<name of the program>.db`, a SQLite database. The flags may
/// stand before and after the name of a command.
///
/// ```
/// use clap::Parser;
/// use resource_runtime::cli::Options;
///
/// #[derive(Parser)]
/// #[command(name = "settings")]
/// struct Arguments {
///     #[command(flatten)]
///     options: Options,
/// }
///
/// let Arguments { options } = Arguments::parse_from(["settings", "--listen", "[::1]:80"]);
/// assert_eq!(options.listen(), "[::1]:80");
/// # if std::env::var_os("DATABASE_URL").is_none() {
/// assert_eq!(options.database_url(), "sqlite://settings.db");
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    given: Given,
}

#[derive(Debug, Clone, Args)]
struct Given {
    /// The address to listen on, by default all at `PORT` where that is set; port 0 takes a free one
    #[arg(
        long,
        global = true,
        env = "LISTEN_ADDR",
        // The options of the service itself come first in its help.
        display_order = 900,
        value_name = "ADDRESS",
        default_value = default_address()
    )]
    listen: String,

    /// The URL of the database: `sqlite://<path>`, or `postgres://<user>@<host>/<database>`
    #[arg(
        long,
        global = true,
        env = "DATABASE_URL",
        display_order = 901,
        value_name = "URL",
        // The URL may hold a password, which the help would show.
        hide_env_values = true,
        // A default is added once the name of the program is known, so the flag is not required.
        required = false
    )]
    database_url: String,

    /// The URL at which clients find the service, like `https://api.example.com`; by default the host of each request
    #[arg(
        long,
        global = true,
        env = "BASE_URL",
        display_order = 902,
        value_name = "URL"
    )]
    base_url: Option<String>,

    /// The address that serves metrics; none by default
    #[cfg(feature = "metrics")]
    #[arg(
        long,
        global = true,
        env = "METRICS_LISTEN",
        display_order = 903,
        value_name = "ADDRESS"
    )]
    metrics_listen: Option<String>,

    /// Seconds to keep serving after SIGTERM, while `/readyz` tells load balancers to send no more
    #[arg(
        long,
        global = true,
        env = "DRAIN_SECONDS",
        display_order = 904,
        value_name = "SECONDS",
        default_value_t = 0
    )]
    drain: u16,

    /// Offer the operations alone that read, as on a standby
    #[arg(long, global = true, env = "READ_ONLY", display_order = 905)]
    read_only: bool,

    /// Create no tables and indexes, but serve those that are there if they fit
    #[arg(long, global = true, env = "NO_CREATE", display_order = 906)]
    no_create: bool,

    /// The form of the log on the standard error
    #[arg(
        long,
        global = true,
        env = "LOG_FORMAT",
        display_order = 907,
        value_name = "FORM",
        value_enum,
        default_value = "text"
    )]
    log_format: LogFormat,
}

impl Options {
    /// The address to listen on.
    #[must_use]
    pub fn listen(&self) -> &str {
        &self.given.listen
    }

    /// The URL of the database.
    #[must_use]
    pub fn database_url(&self) -> &str {
        &self.given.database_url
    }

    /// The URL at which clients find the service, where one is named; an empty variable names none.
    #[must_use]
    pub fn base_url(&self) -> Option<&str> {
        self.given.base_url.as_deref().filter(|url| !url.is_empty())
    }

    /// The settings of the server: the defaults, but for those that the command line sets.
    #[must_use]
    pub fn serving(&self) -> ServeOptions {
        let drain = Duration::from_secs(self.given.drain.into());
        ServeOptions::new().drain(drain)
    }

    /// True where the service leaves tables and indexes to others: then `main` need not call
    /// [`create_missing_tables`](crate::Api::create_missing_tables).
    #[must_use]
    pub const fn no_create(&self) -> bool {
        self.given.no_create
    }

    /// Begins to log to the standard error: what `RUST_LOG` wants, or else what passes `filter`, such as `warn`, in the
    /// form of `--log-format`. A program that installed a subscriber of its own before keeps it.
    /// [`main`](super::main) does this with `info`, which has a line for each request.
    pub fn start_log(&self, filter: &str) {
        log::start(self.given.log_format, filter);
    }

    /// The address to serve metrics at, where one is named.
    #[cfg(feature = "metrics")]
    #[must_use]
    pub fn metrics_listen(&self) -> Option<&str> {
        self.given.metrics_listen.as_deref()
    }

    /// An API with the settings of the command line: [`base_url`](ApiBuilder::base_url) and
    /// [`read_only`](ApiBuilder::read_only) where it says so, and with the feature `metrics` and an address for them,
    /// metrics are served there alone, wherever the builder has them. [`run`](super::run) sees to that by itself.
    pub fn configure(&self, mut builder: ApiBuilder) -> ApiBuilder {
        if let Some(url) = self.base_url() {
            builder = builder.base_url(url);
        }
        if self.given.read_only {
            builder = builder.read_only();
        }
        #[cfg(feature = "metrics")]
        if self.metrics_listen().is_some() {
            return builder.separate_metrics();
        }
        builder
    }

    /// The flags that only serving needs, hidden: another command accepts them, as they may stand anywhere,
    /// but its help does not explain them.
    ///
    /// ```
    /// use resource_runtime::cli::Options;
    ///
    /// #[derive(clap::Subcommand)]
    /// enum Command {
    ///     /// Removes what nobody asked for in a year
    ///     #[command(args(Options::hidden()))]
    ///     Tidy,
    /// }
    /// ```
    #[must_use]
    pub fn hidden() -> impl IntoIterator<Item = Arg> {
        // The names are the ids of the arguments, which clap derives from the fields above.
        let names = [
            "listen",
            "base_url",
            "drain",
            "read_only",
            "no_create",
            "log_format",
            #[cfg(feature = "metrics")]
            "metrics_listen",
        ];
        names.into_iter().map(unneeded)
    }

    /// The flags that a command needs not that opens no database, hidden as [`hidden`](Self::hidden) hides them.
    #[must_use]
    pub fn hidden_all() -> impl IntoIterator<Item = Arg> {
        Self::hidden().into_iter().chain([unneeded("database_url")])
    }

    /// Opens the database for a command that must not create one, and whose reads may take as long as they do.
    pub(super) async fn existing_database(&self) -> Result<Database, Error> {
        let url = self.database_url();
        let options = Database::options().statement_timeout(Duration::ZERO);
        #[cfg(feature = "sqlite")]
        let options = if url.starts_with("sqlite:") {
            // To connect would create the file.
            let file = Database::sqlite_file(url)?;
            if !file.exists() {
                let file = file.display();
                return Err(Error::configuration(format!(
                    "there is no SQLite file `{file}`; name another by `--database-url`, or create \
                     it with the command `serve`"
                )));
            }
            // In a file, the wait for a connection and the read on it have one limit.
            options.acquire_timeout(Duration::from_hours(24))
        } else {
            options
        };
        // A PostgreSQL server creates no database for a connection.
        options.connect(url).await
    }
}

// Not derived, because the default file has the name of the program, known only here.
impl Args for Options {
    fn augment_args(command: clap::Command) -> clap::Command {
        with_default_file(command, Given::augment_args)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        with_default_file(command, Given::augment_args_for_update)
    }
}

/// Adds the arguments, with a default file that is named after the program.
fn with_default_file(
    command: clap::Command,
    augment: impl Fn(clap::Command) -> clap::Command,
) -> clap::Command {
    // Options are flattened into the top-level parser, so the name of the command is that of the program.
    let url = format!("sqlite://{}.db", command.get_name());
    augment(command).mut_arg("database_url", |argument| argument.default_value(url))
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Given::from_arg_matches(matches).map(|given| Self { given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.given.update_from_arg_matches(matches)
    }
}

/// The address to listen on where none is named. A container platform names the port alone, and sends requests from
/// outside.
fn default_address() -> String {
    log::variable("PORT").map_or_else(
        || String::from("127.0.0.1:8080"),
        |port| format!("0.0.0.0:{port}"),
    )
}

fn unneeded(name: &'static str) -> Arg {
    // The same id, and `global`, pass a value given here on to the definition that explains the flag.
    let argument = Arg::new(name).long(name.replace('_', "-"));
    let argument = argument.global(true).hide(true);
    // The value is read by the definition that explains the flag, so both must have the same type.
    match name {
        "drain" => argument.value_parser(value_parser!(u16)),
        "log_format" => argument.value_parser(value_parser!(LogFormat)),
        "read_only" | "no_create" => argument.action(ArgAction::SetTrue),
        _ => argument,
    }
}
