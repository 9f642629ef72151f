//! The `main` of a service whose command line is the one of [`cli`](super), perhaps with commands of other packages.

use std::fmt;
use std::process::ExitCode;

use clap::{Args, FromArgMatches as _, Subcommand};
use clap_complete::Shell;

use super::log::ENVIRONMENT;
use super::{Command, Options, completions, exit, run};
use crate::boxed::BoxFuture;
use crate::{ApiBuilder, Error};

type RunOwn<C> = Box<dyn FnOnce(C, ApiBuilder) -> Result<ExitCode, Error>>;
type Prepare = Box<dyn FnOnce(ApiBuilder) -> BoxFuture<'static, Result<ApiBuilder, Error>>>;

/// The whole `main` of a service without commands and options of its own: reads the command line, begins to
/// [log](Options::start_log), runs the command, and prints an error. `name` is that of the program; the SQLite file is
/// named after it by default.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use resource_runtime::{Api, ApiResource, cli};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Setting", url = "/settings", version = "1.0")]
/// struct Setting {
///     id: i64,
///     name: String,
/// }
///
/// #[tokio::main]
/// async fn main() -> ExitCode {
///     cli::main("settings", Api::builder().resource::<Setting>()).await
/// }
/// ```
pub async fn main(name: &'static str, builder: ApiBuilder) -> ExitCode {
    Program::new(name, builder).main().await
}

/// The program of a service that needs more than [`main`]: commands of other packages, or a step before it serves.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use resource_runtime::{Api, ApiBuilder, ApiResource, Error, cli};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Setting", url = "/settings", version = "1.0", scopes)]
/// struct Setting {
///     id: i64,
///     name: String,
/// }
///
/// # use resource_runtime::authorization::{Authenticator, Claims, Refusal};
/// # #[derive(Debug)]
/// # struct Verifier;
/// # impl Authenticator for Verifier {
/// #     fn authenticate<'a>(
/// #         &'a self,
/// #         _: &'a axum::http::HeaderMap,
/// #     ) -> std::pin::Pin<Box<dyn Future<Output = Result<std::sync::Arc<Claims>, Refusal>> + Send + 'a>> {
/// #         Box::pin(async { Err(Refusal::MissingToken) })
/// #     }
/// # }
/// # async fn verifier() -> Result<Verifier, Error> { Ok(Verifier) }
/// /// What needs the network, such as the keys of an identity provider.
/// async fn protected(api: ApiBuilder) -> Result<ApiBuilder, Error> {
///     Ok(api.authorization(verifier().await?))
/// }
///
/// #[tokio::main]
/// async fn main() -> ExitCode {
///     let api = Api::builder().resource::<Setting>();
///     cli::Program::new("settings", api).before_serving(protected).main().await
/// }
/// ```
pub struct Program<C = NoCommand> {
    name: &'static str,
    builder: ApiBuilder,
    run_own: RunOwn<C>,
    prepare: Option<Prepare>,
}

/// The commands of a program that has none of its own: no value.
#[derive(Debug, Clone, Subcommand)]
pub enum NoCommand {}

impl Program {
    /// The program of this name, of which the SQLite file has its name by default.
    #[must_use]
    pub fn new(name: &'static str, builder: ApiBuilder) -> Self {
        Self {
            name,
            builder,
            run_own: Box::new(|command, _| match command {}),
            prepare: None,
        }
    }

    /// Takes commands beside those of every service, which need the builder alone: `lock` and `changelog`, for example, by
    /// `.commands(resource_lock::run)`.
    #[must_use]
    pub fn commands<O: Subcommand>(
        self,
        run_own: impl FnOnce(O, ApiBuilder) -> Result<ExitCode, Error> + 'static,
    ) -> Program<O> {
        Program {
            name: self.name,
            builder: self.builder,
            run_own: Box::new(run_own),
            prepare: self.prepare,
        }
    }
}

impl<C: Subcommand> Program<C> {
    /// Completes the builder before the service is served, and for no other command: that `--help`, `check` or `openapi` asks
    /// no identity provider. What documents and tables depend on belongs into the builder itself. An error ends the start.
    #[must_use]
    pub fn before_serving<F>(mut self, prepare: impl FnOnce(ApiBuilder) -> F + 'static) -> Self
    where
        F: Future<Output = Result<ApiBuilder, Error>> + Send + 'static,
    {
        self.prepare = Some(Box::new(|builder| Box::pin(prepare(builder))));
        self
    }

    /// Does what [`main`] does.
    pub async fn main(self) -> ExitCode {
        let name = self.name;
        let program = Arguments::<C>::augment_args(clap::Command::new(name));
        let program = program.after_help(ENVIRONMENT);
        let given = Arguments::<C>::from_arg_matches(&program.clone().get_matches());
        let Arguments { options, command } = given.unwrap_or_else(|error| error.exit());
        options.start_log("info");
        let outcome = match command.unwrap_or(AnyCommand::Api(Command::Serve)) {
            AnyCommand::Completions { shell } => completions(shell, program),
            AnyCommand::Api(command) => self.run(command, &options).await,
            AnyCommand::Own(command) => (self.run_own)(command, self.builder),
        };
        exit(name, outcome)
    }

    async fn run(self, command: Command, options: &Options) -> Result<ExitCode, Error> {
        let builder = match (&command, self.prepare) {
            (Command::Serve, Some(prepare)) => prepare(self.builder).await?,
            _ => self.builder,
        };
        run(self.name, command, options, builder).await
    }
}

impl<C> fmt::Debug for Program<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Program").field(&self.name).finish()
    }
}

/// The command line of a service without options of its own.
#[derive(Args)]
// Of a service that has no description, this one would become the one.
#[command(about = None, long_about = None)]
struct Arguments<C: Subcommand> {
    #[command(flatten)]
    options: Options,

    #[command(subcommand)]
    command: Option<AnyCommand<C>>,
}

#[derive(Subcommand)]
enum AnyCommand<C: Subcommand> {
    #[command(flatten)]
    Api(Command),

    #[command(flatten)]
    Own(C),

    /// Prints the script by which a shell completes commands and flags
    #[command(args(Options::hidden_all()))]
    Completions { shell: Shell },
}
