//! Cores and servers for a number of requests a second, on paper: from the measured cost of each operation.

mod mix;
mod table;

use std::fs;
use std::path::Path;

use clap::ValueEnum as _;
use serde::Deserialize;

pub(crate) use self::mix::Mix;
use crate::Outcome;
use crate::arguments::CapacitySettings;
use crate::operation::Operation;
use crate::stores::Backend;
use crate::subjects::Subject;

/// Connections at which the figures were measured: a service that is worth a plan has many clients.
const CONNECTIONS: usize = 32;

/// A row of the comparison, as its JSON has it.
#[derive(Debug, Deserialize)]
struct Row {
    database: String,
    operation: String,
    concurrency: usize,
    subject: String,
    cpu_us: f64,
    server_cpu_us: Option<f64>,
    rps: f64,
}

/// Cost of an operation of the mix, in microseconds.
#[derive(Debug)]
struct Cost {
    operation: Operation,
    /// Part of the requests, of 1.
    share: f64,
    service: f64,
    server: f64,
    /// Time between two responses, with all clients waiting: that of writes which queue.
    elapsed: f64,
}

/// Machines of so many cores, which are busy for this part of their time.
#[derive(Debug, Clone, Copy)]
struct Machines {
    cores: f64,
    utilisation: f64,
}

pub(crate) fn tell(settings: &CapacitySettings) -> Outcome {
    let rows = read(&settings.figures)?;
    let machines = Machines {
        cores: settings.cores.into(),
        utilisation: f64::from(settings.utilisation) / 100.0,
    };
    let mut tables = Vec::new();
    for backend in Backend::value_variants() {
        if rows.iter().any(|row| row.is_of(*backend)) {
            let costs = costs(&rows, *backend, &settings.mix)?;
            tables.push(table::of(*backend, &costs, machines));
        }
    }
    if tables.is_empty() {
        return Err(missing(&format!(
            "`{}` has no figures of the derive by {CONNECTIONS} connections",
            settings.figures.display()
        )));
    }
    print!("{}", tables.join("\n"));
    Ok(())
}

fn read(file: &Path) -> Outcome<Vec<Row>> {
    let shown = file.display();
    let text = fs::read_to_string(file)
        .map_err(|error| missing(&format!("`{shown}` cannot be read: {error}")))?;
    serde_json::from_str(&text).map_err(|error| {
        missing(&format!(
            "`{shown}` has no figures of a comparison: {error}"
        ))
    })
}

/// The costs of all operations of the mix, in its order.
fn costs(rows: &[Row], backend: Backend, mix: &Mix) -> Outcome<Vec<Cost>> {
    let cost = |(operation, share): &(Operation, f64)| {
        let (name, database) = (operation.name(), backend.name());
        let mut of_backend = rows.iter().filter(|row| row.is_of(backend));
        let row = of_backend.find(|row| row.operation == name);
        let row =
            row.ok_or_else(|| missing(&format!("there are no figures of `{name}` on {database}")))?;
        let server = match backend {
            Backend::Sqlite => 0.0,
            Backend::Postgres => row.server_cpu_us.ok_or_else(|| {
                missing("the figures lack the CPU time of PostgreSQL, whose server is elsewhere")
            })?,
        };
        if row.cpu_us <= 0.0 || row.rps <= 0.0 {
            return Err(missing(&format!(
                "the figures of `{name}` on {database} are zero"
            )));
        }
        Ok(Cost {
            operation: *operation,
            share: *share,
            service: row.cpu_us,
            server,
            elapsed: 1e6 / row.rps,
        })
    };
    mix.shares().iter().map(cost).collect()
}

/// The error of figures that are not there, with the command that makes them.
fn missing(problem: &str) -> Box<dyn std::error::Error> {
    let command = "cargo run --release -p benchmark -- --concurrency 32 --json full.json";
    format!("{problem}; `{command}` writes figures to `full.json`").into()
}

impl Row {
    fn is_of(&self, backend: Backend) -> bool {
        self.database == backend.name()
            && self.concurrency == CONNECTIONS
            && self.subject == Subject::Derive.name()
    }
}

impl Machines {
    /// Cores that so many requests a second keep busy, each for these microseconds.
    fn cores_for(self, rate: f64, microseconds: f64) -> f64 {
        rate * microseconds / 1e6 / self.utilisation
    }

    /// Machines that have so many cores.
    fn count(self, cores: f64) -> f64 {
        (cores / self.cores).ceil()
    }

    /// Requests a second that one machine takes, each of these microseconds.
    fn limit(self, microseconds: f64) -> f64 {
        self.cores * self.limit_in_turn(microseconds)
    }

    /// Requests a second that are executed one after another, each in these microseconds.
    fn limit_in_turn(self, microseconds: f64) -> f64 {
        self.utilisation * 1e6 / microseconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: &str = r#"[
        {"database": "postgres", "operation": "retrieve", "concurrency": 1, "subject": "derive",
            "cpu_us": 1.0, "server_cpu_us": 1.0, "rps": 1.0, "p50_us": 1.0},
        {"database": "postgres", "operation": "retrieve", "concurrency": 32, "subject": "fixed",
            "cpu_us": 2.0, "server_cpu_us": 2.0, "rps": 2.0},
        {"database": "postgres", "operation": "retrieve", "concurrency": 32, "subject": "derive",
            "cpu_us": 30.0, "server_cpu_us": 20.0, "rps": 25000.0},
        {"database": "sqlite", "operation": "create", "concurrency": 32, "subject": "derive",
            "cpu_us": 40.0, "server_cpu_us": null, "rps": 20000.0}
    ]"#;

    fn costs_of(backend: Backend, mix: &str) -> Result<Vec<Cost>, String> {
        let rows: Vec<Row> = serde_json::from_str(FIGURES).unwrap();
        costs(&rows, backend, &mix.parse().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn figures_are_those_of_the_derive_at_many_connections() {
        for (backend, mix, expected) in [
            (Backend::Postgres, "retrieve=100", [30.0, 20.0, 40.0]),
            (Backend::Sqlite, "create=100", [40.0, 0.0, 50.0]),
        ] {
            let costs = costs_of(backend, mix).unwrap();
            let all = costs.iter().map(|it| [it.service, it.server, it.elapsed]);
            assert_eq!(all.collect::<Vec<_>>(), [expected], "{mix}");
        }
    }

    #[test]
    fn an_operation_without_figures_is_an_error_with_the_command() {
        let error = costs_of(Backend::Postgres, "retrieve=90,create=10").unwrap_err();
        assert!(error.starts_with("there are no figures of `create` on postgres; `cargo run"));
    }

    #[test]
    fn machines_are_busy_for_a_part_of_their_time() {
        let machines = Machines {
            cores: 16.0,
            utilisation: 0.5,
        };
        for (is, expected) in [
            (machines.cores_for(10_000.0, 60.0), 1.2),
            (machines.count(1.2), 1.0),
            (machines.count(16.0), 1.0),
            (machines.count(16.1), 2.0),
            (machines.limit(80.0), 100_000.0),
            (machines.limit_in_turn(50.0), 10_000.0),
        ] {
            assert!((is - expected).abs() < 1e-6, "{is} is not {expected}");
        }
    }
}
