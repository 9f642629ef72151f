//! The log of a service on the standard error: as lines for people, or as JSON for programs that collect logs.

use std::env;
use std::io::{self, IsTerminal as _};

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The part of the help of [`main`](super::main) about variables that are no flags.
pub(super) const ENVIRONMENT: &str = "\
Environment:
  RUST_LOG  what is logged, `info` by default; `warn` leaves out the line of each request
  NO_COLOR  a log without colours, which it has in a terminal alone";

/// The form of the log. Its values have no words of their own, which would make the help of the program twice as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    Text,
    Json,
}

/// Begins to log what `RUST_LOG` wants, or else what passes the filter. A program that logs already goes on as it does.
pub(super) fn start(format: LogFormat, filter: &str) {
    let wanted = variable("RUST_LOG").unwrap_or_else(|| filter.to_owned());
    let log = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::builder().parse_lossy(wanted))
        .with_writer(io::stderr);
    let started = match format {
        LogFormat::Text => {
            // The module would double the length of most lines; the other form has it.
            let log = log.with_target(false).with_ansi(has_colours());
            log.finish().try_init()
        }
        LogFormat::Json => {
            // The fields of an entry stand beside its level, and its request stands in `span` alone.
            let log = log.json().flatten_event(true).with_span_list(false);
            log.finish().try_init()
        }
    };
    // The one error is that of a subscriber that the program has already.
    drop(started);
}

/// Tells that people see the log in a terminal, and did not turn colours off (<https://no-color.org>).
fn has_colours() -> bool {
    io::stderr().is_terminal() && variable("NO_COLOR").is_none()
}

/// The value of an environment variable; an empty one counts as not set.
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
