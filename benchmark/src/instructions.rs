//! Instructions of the service for each request, counted by callgrind (`valgrind`): figures that hardly
//! depend on the machine or on what else it does, so that those of two builds compare.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use clap::ValueEnum as _;
use tempfile::TempDir;

use crate::Outcome;
use crate::arguments::InstructionsSettings;
use crate::features::{Asking, FEATURES, ITEMS, Request};
use crate::load::Client;
use crate::measure::median;
use crate::operation::Operation;
use crate::random::Random;
use crate::service::Service;
use crate::stores::{Backend, Store};
use crate::subjects::Subject;

const ROWS: u64 = 100_000;

/// Requests that are not counted: they fill caches and pools.
const FIRST: u64 = 200;

/// Sends so many requests.
type Load<'a> = dyn Fn(Client, u64) -> Outcome + 'a;

/// Counts instructions on a database.
struct Counter<'a> {
    settings: &'a InstructionsSettings,
    store: Store,
}

/// Prints a line for each operation: the figure of each build, and its ratio to the first one's; then for each feature
/// of this build: its figure, and its ratio to that of others. Fails where one costs more than is wanted.
pub(crate) fn measure(settings: &InstructionsSettings) -> Outcome {
    let mut expensive = Vec::new();
    for backend in Backend::named_or_found(&settings.database) {
        let store = Store::seeded(backend, ROWS)?;
        println!("{}: instructions a request", backend.name());
        let mut counter = Counter { settings, store };
        counter.compare_builds()?;
        for feature in counter.compare_features()? {
            expensive.push(format!("{feature} on {}", backend.name()));
        }
    }
    if expensive.is_empty() {
        return Ok(());
    }
    Err(format!("more than is wanted: {}", expensive.join(", ")).into())
}

impl Counter<'_> {
    /// Tells that what was not named is counted, since nothing was named.
    const fn is_everything(&self) -> bool {
        self.settings.operation.is_empty() && self.settings.feature.is_empty()
    }

    fn compare_builds(&mut self) -> Outcome {
        let mut builds = self.settings.service.clone();
        builds.push(env::current_exe()?);
        let operations = if self.is_everything() {
            Operation::value_variants()
        } else {
            &self.settings.operation
        };
        for operation in operations {
            let load = |mut client: Client, requests| {
                let mut random = Random::new(1);
                for _ in 0..requests {
                    client.send(&operation.request(Subject::Derive, ROWS, &mut random))?;
                }
                Ok(())
            };
            let figures = self.figures(&builds, &load)?;
            let first = figures.first().copied().unwrap_or(f64::NAN);
            print!("{:9}", operation.name());
            for figure in figures {
                print!(" {figure:>9.0} {:.3}", figure / first);
            }
            println!();
        }
        Ok(())
    }

    /// Counts the features that are named; returns the names of those that cost more than is wanted.
    fn compare_features(&mut self) -> Outcome<Vec<&'static str>> {
        let (is_everything, named) = (self.is_everything(), &self.settings.feature);
        let features = FEATURES
            .iter()
            .filter(|feature| is_everything || named.iter().any(|it| it == feature.name));
        let mut expensive = Vec::new();
        for feature in features {
            let figure = self.of_requests(&[feature])?;
            let of_others = self.of_requests(feature.others)?;
            let ratio = figure / of_others;
            let others: Vec<&str> = feature.others.iter().map(|it| it.name).collect();
            println!(
                "{:15} {figure:>9.0} {ratio:.3} of {of_others:>9.0} ({}), at most {:.2} is wanted",
                feature.name,
                others.join(", then "),
                feature.at_most,
            );
            if ratio > feature.at_most {
                expensive.push(feature.name);
            }
        }
        Ok(expensive)
    }

    /// The figure of requests of this build that are sent one after another.
    fn of_requests(&mut self, requests: &[&Request]) -> Outcome<f64> {
        let load = |client, times| {
            let mut asking = Asking::begin(client, ROWS)?;
            (0..times).try_for_each(|number| asking.send(requests, number % ITEMS + 1))
        };
        let figures = self.figures(&[env::current_exe()?], &load)?;
        Ok(figures.into_iter().sum())
    }

    /// The figures of these builds, which are counted in turn.
    fn figures(&mut self, builds: &[PathBuf], load: &Load<'_>) -> Outcome<Vec<f64>> {
        let mut figures = vec![Vec::new(); builds.len()];
        for _ in 0..self.settings.rounds.max(1) {
            for (build, figures) in builds.iter().zip(&mut figures) {
                figures.push(self.of_each(build, load)?);
            }
        }
        Ok(figures.into_iter().map(median).collect())
    }

    /// Instructions of each request, as the difference that as many requests again make: it includes neither
    /// the start nor the end.
    #[allow(
        clippy::cast_precision_loss,
        reason = "nobody counts 2^52 instructions"
    )]
    fn of_each(&mut self, build: &Path, load: &Load<'_>) -> Outcome<f64> {
        let requests = self.settings.requests;
        let few = self.of_all(build, FIRST + requests, load)?;
        let many = self.of_all(build, FIRST + 2 * requests, load)?;
        Ok(many.saturating_sub(few) as f64 / requests as f64)
    }

    /// Counts a service from its start to its end, with so many requests between.
    fn of_all(&mut self, build: &Path, requests: u64, load: &Load<'_>) -> Outcome<u64> {
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
        let url = self.store.copy("counted")?;
        let service = Service::run(command, Subject::Derive, &url)?;
        load(Client::connect(service.told("address")?)?, requests)?;
        service.end()?;
        total(&fs::read_to_string(counted)?)
    }
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
