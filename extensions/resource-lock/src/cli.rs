//! The commands `lock` and `changelog`, for the command line of a service.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use resource_runtime::cli::Options;
use resource_runtime::schema::Version;
use resource_runtime::{ApiBuilder, Error};

use crate::changes;
use crate::file::{File, PUBLISH, Standing, today};

/// The commands about published versions; a service lists them beside its own.
///
/// ```
/// use clap::{Parser, Subcommand};
/// use resource_runtime::cli;
///
/// #[derive(Subcommand)]
/// enum Command {
///     #[command(flatten)]
///     Api(cli::Command),
///
///     #[command(flatten)]
///     Versions(resource_lock::Command),
/// }
///
/// #[derive(Parser)]
/// struct Arguments {
///     #[command(flatten)]
///     options: cli::Options,
///
///     #[command(subcommand)]
///     command: Option<Command>,
/// }
///
/// let arguments = Arguments::parse_from(["settings", "lock", "--publish", "1.0"]);
/// // And then: Command::Versions(command) => resource_lock::run(command, api())
/// assert!(matches!(arguments.command, Some(Command::Versions(_))));
/// ```
#[derive(Debug, Clone, Subcommand)]
// Of a service that has no description, this one would become the one.
#[command(about = None, long_about = None)]
#[non_exhaustive]
pub enum Command {
    /// Writes what published versions promise into a file, and refuses changes that break it
    #[command(args(Options::hidden_all()))]
    Lock(LockCommand),

    /// Prints the changes from version to version, as Markdown
    #[command(args(Options::hidden_all()))]
    Changelog(ChangelogCommand),
}

/// The options of the command `lock`.
#[derive(Debug, Clone, Args)]
pub struct LockCommand {
    /// The file
    #[arg(long, value_name = "FILE", default_value = "api.lock")]
    file: PathBuf,

    /// Publishes the resources of this version: from then on it is kept
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["check", "amend"])]
    publish: Option<String>,

    /// Writes nothing; exits with 0 where all is kept, with 1 where a promise is broken, with 2 where a file cannot be
    /// read, and with 3 where the file is behind the code
    #[arg(long, conflicts_with = "amend")]
    check: bool,

    /// Compares with this older file, too: its lines stay, but for what an amendment takes
    #[arg(long, value_name = "FILE", requires = "check")]
    before: Option<PathBuf>,

    /// Takes what breaks this version, and keeps the reason
    #[arg(long, num_args = 2, value_names = ["VERSION", "WHY"])]
    amend: Option<Vec<String>>,
}

/// The options of the command `changelog`.
#[derive(Debug, Clone, Args)]
pub struct ChangelogCommand {
    /// The file
    #[arg(long, value_name = "FILE", default_value = "api.lock")]
    file: PathBuf,

    /// The version behind which it begins
    #[arg(long, value_name = "VERSION", value_parser = version)]
    from: Option<Version>,

    /// The version with which it ends
    #[arg(long, value_name = "VERSION", value_parser = version)]
    to: Option<Version>,
}

/// Runs a command on the API that `builder` describes; no database is needed.
///
/// # Errors
///
/// The obstacle to the command, in words for the user who gave it: broken promises above all.
pub fn run(command: Command, builder: ApiBuilder) -> Result<ExitCode, Error> {
    let (text, code) = outcome(command, builder)?;
    if code == UNREADABLE {
        eprint!("{text}");
        return Ok(ExitCode::from(code));
    }
    match io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that closes the pipe before its end, like `head`, is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let problem = format!("cannot write to the standard output: {error}");
            Err(Error::configuration(problem))
        }
        _ => Ok(ExitCode::from(code)),
    }
}

/// The exit code where a file cannot be read. That of errors, broken promises among them, is 1.
const UNREADABLE: u8 = 2;

/// The exit code where the file is behind the code.
const STALE: u8 = 3;

/// The output of a command and its exit code, for tests.
#[doc(hidden)]
pub fn outcome(command: Command, builder: ApiBuilder) -> Result<(String, u8), Error> {
    let (file, before) = match files(&command) {
        Ok(files) => files,
        Err(error) => return Ok((format!("{error}\n"), UNREADABLE)),
    };
    match command {
        Command::Lock(command) if command.check => check(&file, before.as_ref(), &builder),
        Command::Lock(command) => Ok((write(&command, &file, &builder)?, 0)),
        Command::Changelog(command) => {
            let text = changes(&builder, &file.lock, |version| {
                command.from.is_none_or(|it| version > it)
                    && command.to.is_none_or(|it| version <= it)
            })?;
            Ok((text, 0))
        }
    }
}

/// The file that a command is about, and the older one.
fn files(command: &Command) -> Result<(File, Option<File>), Error> {
    let (path, before) = match command {
        Command::Lock(it) if it.publish.is_some() => {
            return Ok((File::open_or_new(&it.file)?, None));
        }
        Command::Lock(it) => (&it.file, it.before.as_ref()),
        Command::Changelog(it) => (&it.file, None),
    };
    let remedy = "leave out `--before` where the file is new, and stop where `git show` fails";
    let before = before.map(|it| File::open(it, remedy)).transpose()?;
    Ok((File::open(path, PUBLISH)?, before))
}

fn check(file: &File, before: Option<&File>, builder: &ApiBuilder) -> Result<(String, u8), Error> {
    let problems = before.map_or_else(Vec::new, |it| file.lock.broken_since(&it.lock));
    if !problems.is_empty() {
        return Err(Error::of_problems(problems));
    }
    let comparison = file.compare(builder, None)?;
    let drafts = comparison.lock.drafts(&comparison.registered);
    match file.standing(comparison) {
        Standing::Kept => Ok((drafts, 0)),
        Standing::Broken(problems) => Err(Error::of_problems(problems)),
        Standing::Stale(_, lines) => {
            let stale = file.stale(&lines, "the command `lock`");
            Ok((format!("{stale}\n{drafts}"), STALE))
        }
    }
}

fn write(command: &LockCommand, file: &File, builder: &ApiBuilder) -> Result<String, Error> {
    let amendment = command.amend.as_deref().map(amendment).transpose()?;
    if let Some((version, _)) = amendment {
        let published = file.lock.require(version);
        published.map_err(Error::configuration)?;
    }
    let comparison = file.compare(builder, amendment)?;
    if !comparison.broken.is_empty() {
        return Err(Error::of_problems(comparison.broken));
    }
    if let Some((version, _)) = amendment.filter(|_| comparison.taken.is_empty()) {
        let problem =
            format!("nothing breaks {version}, so there is nothing to amend; leave out `--amend`");
        return Err(Error::configuration(problem));
    }
    let mut lock = comparison.lock;
    let mut lines = comparison.taken;
    if let Some(version) = &command.publish {
        let count = lock.versions.len();
        let published = lock.publish(version, &comparison.registered, &today());
        published.map_err(Error::of_problems)?;
        if lock.versions.len() == count {
            lines.push(format!("{version} is published already"));
        }
    }
    lines.extend(file.changes(&lock));
    file.write(&lock)?;
    let lines: Vec<String> = lines.iter().map(|it| format!("{it}\n")).collect();
    Ok(lines.concat() + &lock.drafts(&comparison.registered))
}

/// The version and the reason of an amendment.
fn amendment(values: &[String]) -> Result<(Version, &str), Error> {
    let [number, why] = values else {
        return Err(Error::configuration(
            "`--amend` takes a version and a reason",
        ));
    };
    let number = version(number).map_err(Error::configuration)?;
    if why.trim().is_empty() {
        return Err(Error::configuration(
            "write why clients can live with it: `--amend 1.0 \"<why>\"`",
        ));
    }
    Ok((number, why))
}

fn version(text: &str) -> Result<Version, String> {
    crate::read::version(text)
        .ok_or_else(|| format!("`{text}` is no version; write one like `1.0`"))
}
