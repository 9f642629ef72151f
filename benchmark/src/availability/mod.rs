//! Attacks on a service: the delay of other clients' answers meanwhile, and the memory of the service.

mod attack;
mod backends;
mod probe;
mod rows;
mod scenario;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use clap::ValueEnum as _;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use self::probe::{Answers, Probe};
pub(crate) use self::scenario::Scenario;
use crate::arguments::AvailabilitySettings;
use crate::load::Client;
use crate::service::Service;
use crate::stores::{Backend, Store};
use crate::subjects::Subject;
use crate::{Outcome, message};

/// Memory that slow readers may cost above idle, in KiB.
const ALLOWED_MEMORY: u64 = 128 << 10;

/// Memory with which a scenario ends before the machine suffers, in KiB.
const TOO_MUCH_MEMORY: u64 = 2 << 20;

const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Figures of one attack.
struct Seen {
    answers: Vec<(Probe, Answers)>,
    /// In KiB.
    idle: u64,
    peak: u64,
    backends: Option<i64>,
}

/// Runs the scenarios, and fails where one of them does not hold.
pub(crate) fn measure(settings: &AvailabilitySettings) -> Outcome {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    // The services inherit the limit, and need a file for each slow reader.
    setrlimit(Resource::RLIMIT_NOFILE, most, most)?;
    let scenarios = match settings.scenario.as_slice() {
        [] => Scenario::value_variants(),
        named => named,
    };
    let (mut ran, mut failed) = (false, Vec::new());
    for scenario in scenarios {
        let stores = settings.store.as_slice();
        let stores = if stores.is_empty() {
            scenario.stores()
        } else {
            stores
        };
        for backend in stores.iter().copied().filter(|it| scenario.runs_on(*it)) {
            ran = true;
            let name = format!("{} on {}", scenario.name(), backend.name());
            let seen = attacked(*scenario, backend, settings.clients, &name)?;
            let holds = seen.holds(*scenario);
            print!("{}", seen.told());
            println!("  {}", if holds { "holds" } else { "does not hold" });
            if !holds {
                failed.push(name);
            }
        }
    }
    if !ran {
        return Err("none of these attacks is possible on that database".into());
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("what does not hold: {}", failed.join(", ")).into())
}

fn attacked(scenario: Scenario, backend: Backend, readers: usize, name: &str) -> Outcome<Seen> {
    let begun = Instant::now();
    let mut store = Store::seeded(backend, rows::SETTINGS)?;
    let url = rows::database(&mut store)?;
    let documents = scenario.documents().write(backend, &url)?;
    match scenario {
        Scenario::SharedCounts => rows::slow_down(&url, 1.8)?,
        Scenario::Abandoned if store.is_our_own() => rows::await_a_standby(&url)?,
        Scenario::Abandoned => {
            return Err("the server of `DATABASE_URL` keeps its standbys; \
            leave it out, so that there is one to experiment with"
                .into());
        }
        _ => {}
    }
    let service = Service::start(Subject::Attacked, &url)?;
    println!(
        "{name}: {documents} documents, made in {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    observe(scenario, service, &url, backend, readers)
}

fn observe(
    scenario: Scenario,
    service: Service,
    url: &str,
    backend: Backend,
    readers: usize,
) -> Outcome<Seen> {
    let address = service.told("address")?.to_owned();
    // A service at idle has answered once: what it sets up at its first request is no cost of the attack.
    Client::connect(&address)?.send(&message::get("/api/1.0/settings/1", ""))?;
    let memory = service.memory();
    let idle = memory.now()?;
    memory.forget_peak()?;
    let is_over = &AtomicBool::new(false);
    let (address, end) = (address.as_str(), Instant::now() + scenario.length());
    let attacks = scenario.attacks(readers);
    thread::scope(|scope| {
        let probes = scenario.probes().into_iter();
        let probes = probes.map(|probe| {
            scope.spawn(move || {
                let answers = probe.ask(address, end, is_over);
                (probe, answers)
            })
        });
        let probes: Vec<_> = probes.collect();
        for attack in &attacks {
            scope.spawn(|| attack.run(address, is_over));
        }
        let backends = (backend == Backend::Postgres)
            .then(|| scope.spawn(|| backends::most(url, is_over).map_err(|it| it.to_string())));
        let mut most = idle;
        while most < TOO_MUCH_MEMORY && !probes.iter().all(thread::ScopedJoinHandle::is_finished) {
            sleep(BETWEEN_LOOKS);
            most = memory.now().unwrap_or(most).max(most);
        }
        // The peak of a service that has ended cannot be read any more.
        let peak = memory.peak().unwrap_or(most);
        is_over.store(true, Ordering::Relaxed);
        // Ending the service frees the clients that still wait for its answers.
        drop(service);
        let answers = probes.into_iter().filter_map(|it| it.join().ok()).collect();
        let backends = backends.and_then(|it| it.join().ok()).transpose()?;
        Ok(Seen {
            answers,
            idle,
            peak,
            backends,
        })
    })
}

impl Seen {
    fn holds(&self, scenario: Scenario) -> bool {
        let is_small = match scenario {
            Scenario::SlowReaders => self.peak <= self.idle + ALLOWED_MEMORY,
            _ => self.peak < TOO_MUCH_MEMORY,
        };
        is_small
            && self
                .answers
                .iter()
                .all(|(probe, answers)| answers.keep_to(probe.allowed))
    }

    fn told(&self) -> String {
        let mut text =
            String::from("  request   requests  p50 ms  p99 ms  max ms  not 2xx  allowed ms\n");
        for (probe, answers) in &self.answers {
            let [half, most, all] = [0.5, 0.99, 1.0].map(|part| answers.quantile(part));
            let _ = writeln!(
                text,
                "  {:9} {:>8} {half:>7.1} {most:>7.1} {all:>7.1} {:>8} {:>11}",
                probe.name,
                answers.requests(),
                answers.failures,
                probe.allowed.as_millis()
            );
            if let Some(failure) = &answers.failure {
                let _ = writeln!(text, "            {}", failure.trim_end());
            }
        }
        let (idle, peak) = (self.idle >> 10, self.peak >> 10);
        let _ = writeln!(text, "  memory: {idle} MiB at idle, {peak} MiB at its peak");
        if let Some(backends) = self.backends {
            let _ = writeln!(text, "  backends of PostgreSQL: {backends} at most");
        }
        text
    }
}
