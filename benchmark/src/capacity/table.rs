//! The plan as Markdown: the costs of the mix, the cores for each rate, and where one machine ends.

use std::fmt::Write as _;

use super::{Cost, Machines};
use crate::output::rounded;
use crate::stores::Backend;

/// Requests a second that are planned for.
const RATES: [f64; 3] = [1e4, 1e5, 1e6];

/// Contribution of some operations to an average request of the mix: their part of the requests, of 1, and microseconds.
#[derive(Default)]
struct Part {
    share: f64,
    service: f64,
    server: f64,
    elapsed: f64,
}

struct Plan {
    reads: Part,
    writes: Part,
    machines: Machines,
}

pub(super) fn of(backend: Backend, costs: &[Cost], machines: Machines) -> String {
    let (reads, writes) = costs.iter().partition(|it| it.operation.reads());
    let plan = Plan {
        reads: Part::of(reads),
        writes: Part::of(writes),
        machines,
    };
    let (rates, end) = match backend {
        Backend::Sqlite => (plan.rates_of_file(), plan.end_of_file()),
        Backend::Postgres => (plan.rates_of_servers(), plan.end_of_primary()),
    };
    let (name, cores, busy) = (backend.name(), machines.cores, machines.utilisation * 100.0);
    let costs = plan.costs(costs, backend);
    format!("{name}: machines of {cores} cores, {busy:.0} % busy\n\n{costs}\n{rates}\n{end}\n")
}

impl Part {
    fn of(costs: Vec<&Cost>) -> Self {
        let mut part = Self::default();
        for cost in costs {
            part.share += cost.share;
            part.service += cost.share * cost.service;
            part.server += cost.share * cost.server;
            part.elapsed += cost.share * cost.elapsed;
        }
        part
    }
}

impl Plan {
    fn service(&self) -> f64 {
        self.reads.service + self.writes.service
    }

    /// The costs of each operation, with what its database adds: the time of its server, or the pace of its queue.
    fn costs(&self, costs: &[Cost], backend: Backend) -> String {
        let (heading, is_queue) = match backend {
            Backend::Sqlite => ("between responses", true),
            Backend::Postgres => ("of PostgreSQL", false),
        };
        let other = |server, elapsed| if is_queue { elapsed } else { server };
        let mut text =
            format!("| operation | share | µs of the service | {heading} |\n|---|---|---|---|\n");
        let mut line = |name: &str, share: f64, service: f64, other: f64| {
            let share = rounded(share * 100.0);
            let _ = writeln!(text, "| {name} | {share} % | {service:.1} | {other:.1} |");
        };
        for cost in costs {
            let name = format!("`{}`", cost.operation.name());
            line(
                &name,
                cost.share,
                cost.service,
                other(cost.server, cost.elapsed),
            );
        }
        for (name, part) in [("all reads", &self.reads), ("all writes", &self.writes)] {
            line(
                name,
                part.share,
                part.service,
                other(part.server, part.elapsed),
            );
        }
        text
    }

    fn rates_of_file(&self) -> String {
        let mut text =
            "| requests/s | cores | writes/s | one file |\n|---|---|---|---|\n".to_owned();
        for rate in RATES {
            let cores = self.machines.cores_for(rate, self.service());
            let writes = grouped(rate * self.writes.share);
            let fits = if rate <= self.end_of_cores().min(self.end_of_queue()) {
                "enough"
            } else {
                "not enough"
            };
            let rate = grouped(rate);
            let _ = writeln!(text, "| {rate} | {cores:.1} | {writes} | {fits} |");
        }
        text
    }

    fn rates_of_servers(&self) -> String {
        let mut text = "| requests/s | cores of the service | instances | cores of PostgreSQL: reads | writes | servers |\n\
            |---|---|---|---|---|---|\n"
            .to_owned();
        for rate in RATES {
            let cores = |microseconds| self.machines.cores_for(rate, microseconds);
            let service = cores(self.service());
            let instances = self.machines.count(service);
            let (reads, writes) = (cores(self.reads.server), cores(self.writes.server));
            let servers = self.machines.servers(reads, writes);
            let rate = grouped(rate);
            let _ = writeln!(
                text,
                "| {rate} | {service:.1} | {instances} | {reads:.1} | {writes:.1} | {servers} |"
            );
        }
        text
    }

    /// Requests of the mix a second that the cores of one machine take, with SQLite in the service.
    fn end_of_cores(&self) -> f64 {
        self.machines.limit(self.service())
    }

    /// Requests of the mix a second whose writes one queue takes; infinite where none writes.
    fn end_of_queue(&self) -> f64 {
        self.machines.limit_in_turn(self.writes.elapsed)
    }

    fn end_of_file(&self) -> String {
        let of_cores = grouped(self.end_of_cores());
        let all = format!("The cores of one machine take {of_cores} requests/s");
        self.with_writes(all, "the queue of the writes", self.end_of_queue())
    }

    fn end_of_primary(&self) -> String {
        let end = self.machines.limit(self.reads.server + self.writes.server);
        let all = format!("One primary takes {} requests/s", grouped(end));
        let of_writes = self.machines.limit(self.writes.server);
        self.with_writes(all, "with all reads on standbys", of_writes)
    }

    /// A sentence with the end of the writes, in requests of the mix and in writes.
    fn with_writes(&self, all: String, what: &str, end: f64) -> String {
        if end.is_infinite() {
            return all + "; the mix has no writes.";
        }
        let writes = grouped(end * self.writes.share);
        format!("{all}; {what} {} ({writes} writes/s).", grouped(end))
    }
}

impl Machines {
    /// A primary takes all as long as it can, and then writes alone; shards are as many as writes need primaries.
    fn servers(self, reads: f64, writes: f64) -> String {
        if reads + writes <= self.cores {
            return "1 primary".to_owned();
        }
        let primaries = self.count(writes).max(1.0);
        let standbys = self.count(reads / primaries);
        if primaries > 1.0 {
            format!("{primaries} shards, each 1 primary and standbys: {standbys}")
        } else {
            format!("1 primary, standbys: {standbys}")
        }
    }
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

#[cfg(test)]
mod tests {
    use super::{Backend, Cost, Machines, of};
    use crate::operation::Operation;

    const MACHINES: Machines = Machines {
        cores: 10.0,
        utilisation: 0.5,
    };

    /// A request in ten writes, unless all read.
    fn costs(written: f64, server: f64) -> [Cost; 2] {
        let cost = |operation, share, service, server| Cost {
            operation,
            share,
            service,
            server,
            elapsed: 100.0,
        };
        [
            cost(Operation::Retrieve, 1.0 - written, 20.0, server),
            cost(Operation::Create, written, 30.0, 2.0 * server),
        ]
    }

    /// The lines of a plan, without those of the costs.
    fn plan(backend: Backend, written: f64, server: f64) -> Vec<String> {
        let text = of(backend, &costs(written, server), MACHINES);
        let lines = text.lines().skip_while(|line| !line.starts_with("| req"));
        lines
            .skip(2)
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn servers_are_those_that_reads_and_writes_need() {
        assert_eq!(
            plan(Backend::Postgres, 0.1, 50.0),
            [
                "| 10,000 | 0.4 | 1 | 0.9 | 0.2 | 1 primary |",
                "| 100,000 | 4.2 | 1 | 9.0 | 2.0 | 1 primary, standbys: 1 |",
                "| 1,000,000 | 42.0 | 5 | 90.0 | 20.0 | 2 shards, each 1 primary and standbys: 5 |",
                "One primary takes 90,909 requests/s; with all reads on standbys 500,000 (50,000 writes/s).",
            ]
        );
    }

    #[test]
    fn a_file_ends_where_its_writes_or_its_cores_do() {
        assert_eq!(
            plan(Backend::Sqlite, 0.1, 0.0),
            [
                "| 10,000 | 0.4 | 1,000 | enough |",
                "| 100,000 | 4.2 | 10,000 | not enough |",
                "| 1,000,000 | 42.0 | 100,000 | not enough |",
                "The cores of one machine take 238,095 requests/s; the queue of the writes 50,000 (5,000 writes/s).",
            ]
        );
    }

    #[test]
    fn reads_alone_have_no_end_of_writes() {
        let file = plan(Backend::Sqlite, 0.0, 0.0);
        assert_eq!(file[0], "| 10,000 | 0.4 | 0 | enough |");
        assert_eq!(
            file[3],
            "The cores of one machine take 250,000 requests/s; the mix has no writes."
        );
        let server = plan(Backend::Postgres, 0.0, 50.0);
        assert_eq!(
            server[2],
            "| 1,000,000 | 40.0 | 4 | 100.0 | 0.0 | 1 primary, standbys: 10 |"
        );
        assert!(server[3].ends_with("; the mix has no writes."));
    }

    #[test]
    fn writes_alone_need_no_standbys() {
        assert_eq!(
            MACHINES.servers(0.0, 11.0),
            "2 shards, each 1 primary and standbys: 0"
        );
    }
}
