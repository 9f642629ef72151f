//! Command-line arguments of the benchmark.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, value_parser};

use crate::availability::Scenario;
use crate::capacity::Mix;
use crate::contest::SHORT_TURN;
use crate::features::FEATURES;
use crate::load::Length;
use crate::operation::Operation;
use crate::stores::Backend;
use crate::subjects::Subject;

/// Measures what requests cost, side by side in one run.
///
/// Without a command: the service through the derive, beside the same service by hand, and beside
/// what HTTP and the database alone cost.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) comparison: ComparisonSettings,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Compares requests with a valid access token with the same ones without authorization.
    Authorization(AuthorizationSettings),

    /// Attacks a service, and fails where other clients wait too long meanwhile.
    Availability(AvailabilitySettings),

    /// Computes the cores and servers for 10,000, 100,000 and 1,000,000 requests a second, from measured figures.
    Capacity(CapacitySettings),

    /// Measures the cost of building a resource, through the derive, also with typed access, and by hand.
    Compile(CompileSettings),

    /// Compares typed access with rows read by hand, and an import with single inserts beside clients that
    /// write; fails where the import takes more than a third of their time, or a client fails.
    Data(DataSettings),

    /// Measures the costs of requests and the memory with the number of rows, and fails where a larger table costs
    /// more than is wanted.
    Growth(GrowthSettings),

    /// Counts the instructions of the service for each request, by callgrind (`valgrind`).
    Instructions(InstructionsSettings),

    /// Serves a subject that is measured; started by the other commands.
    #[command(hide = true)]
    Serve { subject: Subject, source: String },
}

#[derive(Args)]
pub(crate) struct ComparisonSettings {
    /// Fewer and shorter turns: done within five minutes, and less exact.
    #[arg(long)]
    pub(crate) quick: bool,

    /// A file for the figures as JSON; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// A file for a chart of what requests compute.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// A database to measure on; SQLite, and PostgreSQL where it is found, when none is named.
    #[arg(long)]
    pub(crate) database: Vec<Backend>,

    /// An operation to measure; all of them when none is named.
    #[arg(long)]
    pub(crate) operation: Vec<Operation>,

    /// Number of connections that send requests at the same time; 1, and 32, when none is named.
    #[arg(long, value_name = "CONNECTIONS", value_parser = value_parser!(u16).range(1..))]
    pub(crate) concurrency: Vec<u16>,

    /// Let processors sleep that have nothing to do: waking them is then part of what requests cost.
    #[arg(long)]
    pub(crate) let_processors_sleep: bool,

    /// Number of turns of each subject, after the one that is not counted.
    #[arg(long)]
    rounds: Option<usize>,

    /// Length of a turn.
    #[arg(long, value_parser = seconds, conflicts_with = "requests")]
    seconds: Option<Duration>,

    /// Number of requests in a turn.
    #[arg(long)]
    requests: Option<usize>,

    /// Number of settings, and of persons.
    #[arg(long, default_value_t = 100_000, value_parser = value_parser!(u64).range(1..))]
    pub(crate) rows: u64,
}

impl ComparisonSettings {
    pub(crate) fn rounds(&self) -> usize {
        let usual = if self.quick { 15 } else { 61 };
        self.rounds.unwrap_or(usual).max(1)
    }

    pub(crate) fn turn(&self) -> Length {
        let time = Length::Time(self.seconds.unwrap_or(SHORT_TURN));
        self.requests.map_or(time, Length::Requests)
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let number: Option<f64> = text.parse().ok();
    let time = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or("not the length of a turn; write a number of seconds, such as `0.5`")
}

#[derive(Args)]
pub(crate) struct CapacitySettings {
    /// Figures of the comparison, as `--json` writes them.
    pub(crate) figures: PathBuf,

    /// Operations of the requests, and the percentage of each.
    #[arg(
        long,
        default_value = "retrieve=60,list_10=20,filter=10,expand=5,create=4,update=1"
    )]
    pub(crate) mix: Mix,

    /// Percentage of the time for which processors are busy: requests wait ever longer for one that is never idle.
    #[arg(long, value_name = "PERCENT", default_value_t = 60, value_parser = value_parser!(u8).range(1..=100))]
    pub(crate) utilisation: u8,

    /// Number of cores of a machine, of the service and of PostgreSQL alike.
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u16).range(1..))]
    pub(crate) cores: u16,
}

#[derive(Args)]
pub(crate) struct CompileSettings {
    /// Another checkout, whose derive is measured, too.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) baseline: Option<PathBuf>,

    /// Only services through the derive; code by hand takes by far the longest.
    #[arg(long)]
    pub(crate) only_derive: bool,

    /// No service of a hundred resources, and fewer rounds.
    #[arg(long)]
    pub(crate) quick: bool,

    /// A file for the figures as JSON; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// A folder that keeps what services need built, for the next run.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) target_dir: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct GrowthSettings {
    /// Fewer turns.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Number of rows of the largest table; the others have ten thousand, and ten times as many up to there.
    #[arg(long, default_value_t = 1_000_000, value_parser = value_parser!(u64).range(10_000..))]
    pub(crate) rows: u64,

    /// A file for the figures as JSON; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// A file for a chart of what requests compute at each size.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// A database to measure on; SQLite, and PostgreSQL where it is found, when none is named.
    #[arg(long)]
    pub(crate) database: Vec<Backend>,
}

#[derive(Args)]
pub(crate) struct DataSettings {
    /// Fewer turns.
    #[arg(long)]
    pub(crate) quick: bool,

    /// A file for the figures as JSON; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// A database to measure on; SQLite, and PostgreSQL where it is found, when none is named.
    #[arg(long)]
    pub(crate) database: Vec<Backend>,
}

#[derive(Args)]
pub(crate) struct AvailabilitySettings {
    /// An attack; all of them when none is named.
    pub(crate) scenario: Vec<Scenario>,

    /// The database to attack, where the attack is possible there; those that it is about when none
    /// is named.
    #[arg(long)]
    pub(crate) store: Option<Backend>,

    /// Number of clients that read slowly.
    #[arg(long, default_value_t = 1000)]
    pub(crate) clients: usize,
}

#[derive(Args)]
pub(crate) struct AuthorizationSettings {
    /// Number of times that the subjects are started anew.
    #[arg(long, default_value_t = 15)]
    pub(crate) starts: usize,

    /// Number of turns of each subject, each time that it was started.
    #[arg(long, default_value_t = 15)]
    pub(crate) rounds: usize,

    /// Number of connections that send requests at the same time.
    #[arg(long, default_value_t = 8)]
    pub(crate) connections: usize,

    /// Number of requests in a turn.
    #[arg(long, default_value_t = 2_000)]
    pub(crate) requests: usize,
}

#[derive(Args)]
pub(crate) struct InstructionsSettings {
    /// The benchmark of another build, whose service is measured beside this one's.
    #[arg(long, value_name = "FILE")]
    pub(crate) service: Vec<PathBuf>,

    /// A database to measure on; SQLite, and PostgreSQL where it is found, when none is named.
    #[arg(long)]
    pub(crate) database: Vec<Backend>,

    /// An operation to measure; all of them when none is named, nor a feature.
    #[arg(long)]
    pub(crate) operation: Vec<Operation>,

    /// A request with what the derive alone offers, to compare with others of the same build; all of them when none is
    /// named, nor an operation.
    #[arg(long, value_parser = PossibleValuesParser::new(FEATURES.map(|it| it.name)))]
    pub(crate) feature: Vec<String>,

    /// Number of times that all is counted, for a median: reads that callgrind makes late are begun twice.
    #[arg(long, default_value_t = 3)]
    pub(crate) rounds: usize,

    /// Number of requests that are counted.
    #[arg(long, default_value_t = 1000, value_parser = value_parser!(u64).range(1..))]
    pub(crate) requests: u64,
}
