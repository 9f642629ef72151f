//! The plan as Markdown: the costs of the mix, the cores for each rate, and where one machine ends.

use std::fmt::Write as _;

use super::{Cost, Machines};
use crate::stores::Backend;

/// Requests a second that are planned for.
const RATES: [f64; 3] = [1e4, 1e5, 1e6];

/// Costs of a request of the mix on average, in microseconds; of it the writes, and the part of the requests that write.
struct Average {
    service: f64,
    server: f64,
    writes: f64,
    elapsed_of_writes: f64,
    written: f64,
}

impl Average {
    fn of(costs: &[Cost]) -> Self {
        let sum = |figure: fn(&Cost) -> f64| costs.iter().map(|it| it.share * figure(it)).sum();
        let of_writes = |figure: fn(&Cost) -> f64| {
            let writes = costs.iter().filter(|it| !it.operation.reads());
            writes.map(|it| it.share * figure(it)).sum()
        };
        Self {
            service: sum(|it| it.service),
            server: sum(|it| it.server),
            writes: of_writes(|it| it.server),
            elapsed_of_writes: of_writes(|it| it.elapsed),
            written: of_writes(|_| 1.0),
        }
    }

    fn reads(&self) -> f64 {
        self.server - self.writes
    }
}

pub(super) fn of(backend: Backend, costs: &[Cost], machines: Machines) -> String {
    let average = Average::of(costs);
    let (of_costs, of_rates, end) = match backend {
        Backend::Sqlite => (
            costs_of_file(costs, &average),
            rates_of_file(&average, machines),
            end_of_file(&average, machines),
        ),
        Backend::Postgres => (
            costs_of_server(costs, &average),
            rates_of_server(&average, machines),
            end_of_primary(&average, machines),
        ),
    };
    let (cores, busy) = (machines.cores, machines.utilisation * 100.0);
    let heading = format!(
        "{}: machines of {cores} cores, {busy:.0} % busy",
        backend.name()
    );
    format!("{heading}\n\n{of_costs}\n{of_rates}\n{end}\n")
}

fn costs_of_file(costs: &[Cost], average: &Average) -> String {
    let mut text = "| operation | share | µs |\n|---|---|---|\n".to_owned();
    for cost in costs {
        let (name, share) = (cost.operation.name(), percent(cost.share));
        let _ = writeln!(text, "| `{name}` | {share} | {:.1} |", cost.service);
    }
    let _ = writeln!(text, "| the mix | | {:.1} |", average.service);
    text
}

fn costs_of_server(costs: &[Cost], average: &Average) -> String {
    let mut text =
        "| operation | share | µs of the service | of PostgreSQL |\n|---|---|---|---|\n".to_owned();
    for cost in costs {
        let (name, share) = (cost.operation.name(), percent(cost.share));
        let (service, server) = (cost.service, cost.server);
        let _ = writeln!(text, "| `{name}` | {share} | {service:.1} | {server:.1} |");
    }
    let (service, server) = (average.service, average.server);
    let _ = writeln!(text, "| the mix | | {service:.1} | {server:.1} |");
    let (reads, writes) = (average.reads(), average.writes);
    let _ = writeln!(
        text,
        "| of it reads | | | {reads:.1} |\n| of it writes | | | {writes:.1} |"
    );
    text
}

fn rates_of_file(average: &Average, machines: Machines) -> String {
    let mut text = "| requests/s | cores | writes/s | one file |\n|---|---|---|---|\n".to_owned();
    for rate in RATES {
        let cores = machines.cores_for(rate, average.service);
        let writes = rate * average.written;
        let fits = if rate <= limit_of_file(average, machines) {
            "yes"
        } else {
            "no"
        };
        let (rate, writes) = (grouped(rate), grouped(writes));
        let _ = writeln!(text, "| {rate} | {cores:.1} | {writes} | {fits} |");
    }
    text
}

fn rates_of_server(average: &Average, machines: Machines) -> String {
    let mut text = "| requests/s | cores of the service | instances | cores of PostgreSQL: reads | writes | servers |\n\
        |---|---|---|---|---|---|\n"
        .to_owned();
    for rate in RATES {
        let service = machines.cores_for(rate, average.service);
        let instances = machines.count(service);
        let reads = machines.cores_for(rate, average.reads());
        let writes = machines.cores_for(rate, average.writes);
        let servers = servers(reads, writes, machines);
        let rate = grouped(rate);
        let _ = writeln!(
            text,
            "| {rate} | {service:.1} | {instances} | {reads:.1} | {writes:.1} | {servers} |"
        );
    }
    text
}

/// A primary takes all as long as it can, and then writes alone; shards are as many as writes need primaries.
fn servers(reads: f64, writes: f64, machines: Machines) -> String {
    if reads + writes <= machines.cores {
        return "1 primary".to_owned();
    }
    let primaries = machines.count(writes);
    let standbys = machines.count(reads / primaries);
    if primaries > 1.0 {
        format!("{primaries} shards, each 1 primary and standbys: {standbys}")
    } else {
        format!("1 primary, standbys: {standbys}")
    }
}

/// Requests of the mix a second that one file takes: its machine has so many cores, and its writes queue.
fn limit_of_file(average: &Average, machines: Machines) -> f64 {
    let of_cores = machines.limit(average.service);
    of_cores.min(machines.limit_in_turn(average.elapsed_of_writes))
}

fn end_of_file(average: &Average, machines: Machines) -> String {
    let (end, cores) = (
        limit_of_file(average, machines),
        machines.limit(average.service),
    );
    let (end, cores) = (grouped(end), grouped(cores));
    if average.written <= 0.0 {
        return format!("One file ends at {end} requests/s, for want of cores.");
    }
    let in_turn = machines.limit_in_turn(average.elapsed_of_writes);
    let writes = grouped(in_turn * average.written);
    format!(
        "One file ends at {end} requests/s: the cores take {cores}, and the writes, which queue, {} ({writes} writes/s).",
        grouped(in_turn)
    )
}

fn end_of_primary(average: &Average, machines: Machines) -> String {
    let all = machines.limit(average.server);
    let all = format!(
        "One primary ends at {} requests/s ({} writes/s)",
        grouped(all),
        grouped(all * average.written)
    );
    if average.written <= 0.0 {
        return all + "; standbys take any number more.";
    }
    let writes = machines.limit(average.writes);
    format!(
        "{all}, and with all reads on standbys at {} ({} writes/s).",
        grouped(writes),
        grouped(writes * average.written)
    )
}

fn percent(share: f64) -> String {
    format!("{} %", crate::output::rounded(share * 100.0))
}

/// A whole number with commas between its thousands.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
