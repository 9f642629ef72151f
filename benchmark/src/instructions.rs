//! Instructions of the service for each request, counted by callgrind (`valgrind`): figures that hardly
//! depend on the machine or on what else it does, so that those of two builds compare.

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::ValueEnum as _;
use tempfile::TempDir;

use crate::Outcome;
use crate::arguments::InstructionsSettings;
use crate::load::Client;
use crate::measure::median;
use crate::operation::Operation;
use crate::random::{Random, unused_number};
use crate::service::Service;
use crate::stores::{Backend, Store};
use crate::subjects::Subject;

const ROWS: u64 = 100_000;

/// Requests that are not counted: they fill caches and pools.
const FIRST: u64 = 200;

/// Prints a line for each operation: the figure of each build, and its ratio to the first one's.
pub(crate) fn measure(settings: &InstructionsSettings) -> Outcome {
    let mut builds = settings.service.clone();
    builds.push(std::env::current_exe()?);
    let operations = match settings.operation.as_slice() {
        [] => Operation::value_variants(),
        named => named,
    };
    for backend in Backend::named_or_found(&settings.database) {
        let mut store = Store::seeded(backend, ROWS)?;
        println!("{}: instructions a request", backend.name());
        for operation in operations {
            let mut figures = vec![Vec::new(); builds.len()];
            for _ in 0..settings.rounds.max(1) {
                for (build, figures) in builds.iter().zip(&mut figures) {
                    figures.push(of_each(build, *operation, settings.requests, &mut store)?);
                }
            }
            let figures: Vec<f64> = figures.into_iter().map(median).collect();
            let first = figures.first().copied().unwrap_or(f64::NAN);
            print!("{:9}", operation.name());
            for figure in figures {
                print!(" {figure:>9.0} {:.3}", figure / first);
            }
            println!();
        }
    }
    Ok(())
}

/// Instructions of each request, as the difference that as many requests again make: it includes neither
/// the start nor the end.
#[allow(
    clippy::cast_precision_loss,
    reason = "nobody counts 2^52 instructions"
)]
fn of_each(build: &Path, operation: Operation, requests: u64, store: &mut Store) -> Outcome<f64> {
    let few = of_all(build, operation, FIRST + requests, store)?;
    let many = of_all(build, operation, FIRST + 2 * requests, store)?;
    Ok(many.saturating_sub(few) as f64 / requests as f64)
}

/// Counts a service from its start to its end, with so many requests between.
fn of_all(build: &Path, operation: Operation, requests: u64, store: &mut Store) -> Outcome<u64> {
    let folder = TempDir::new()?;
    let counted = folder.path().join("callgrind");
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", counted.display()))
        .arg(build)
        // Several threads would take tasks from each other, which is chance.
        .env("TOKIO_WORKER_THREADS", "1");
    // A fresh copy for each count, since earlier writes change the cost of a write.
    let url = store.copy(&format!("counted_{}", unused_number()))?;
    let service = Service::run(command, Subject::Derive, &url)?;
    let mut client = Client::connect(service.told("address")?)?;
    let mut random = Random::new(1);
    for _ in 0..requests {
        client.send(&operation.request(Subject::Derive, ROWS, &mut random))?;
    }
    drop(client);
    service.end()?;
    total(&fs::read_to_string(counted)?)
}

fn total(counted: &str) -> Outcome<u64> {
    let total = counted
        .lines()
        .find_map(|line| line.strip_prefix("totals: "));
    Ok(total.ok_or("callgrind told no total")?.trim().parse()?)
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_total_stands_on_a_line_of_its_own() {
        let counted = "events: Ir\nfn=(1) main\n16 400\n\ntotals: 123456\n";
        assert_eq!(total(counted).unwrap(), 123_456);
        assert!(total("events: Ir\n").is_err());
    }
}
