//! The listener to all lines of the log, through the crates `tracing` and `log`.

use std::fmt::{self, Write as _};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::state::search;

/// Searches everything that is logged in this process from now on, at every level.
///
/// Called by the harness before any service can start.
pub(crate) fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let listener = Listener::default();
        tracing::subscriber::set_global_default(listener).expect("no other subscriber");
        log::set_logger(&Logger).expect("no other logger");
        log::set_max_level(log::LevelFilter::Trace);
    });
}

/// A subscriber that makes a line of every span and every event, in the cheapest form that has it all.
#[derive(Debug, Default)]
struct Listener {
    spans: AtomicU64,
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        !is_of_the_client(metadata.target())
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut line = Line::of(attributes.metadata());
        attributes.record(&mut line);
        search(line.0);
        // The id of a span must not be zero.
        Id::from_u64(self.spans.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut line = Line(String::from("recorded"));
        values.record(&mut line);
        search(line.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::of(event.metadata());
        event.record(&mut line);
        search(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A logger for the crate `log`, which hosts may use beside `tracing`.
#[derive(Debug)]
struct Logger;

impl log::Log for Logger {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        !is_of_the_client(metadata.target())
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let (level, target) = (record.level(), record.target());
            search(format!("{level} {target}: {}", record.args()));
        }
    }

    fn flush(&self) {}
}

/// Tells that a line is written by the client of the tests, which is no part of any service. Crates that
/// both use, such as `hyper_util` and `rustls`, count as the service.
fn is_of_the_client(target: &str) -> bool {
    target == "reqwest" || target.starts_with("reqwest::")
}

struct Line(String);

impl Line {
    fn of(metadata: &Metadata<'_>) -> Self {
        let (level, target, name) = (metadata.level(), metadata.target(), metadata.name());
        if metadata.is_span() {
            Self(format!("{level} {target}: {name}"))
        } else {
            Self(format!("{level} {target}:"))
        }
    }
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, " {field}={value}");
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}
