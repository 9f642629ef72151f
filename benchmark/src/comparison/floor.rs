//! The floor on PostgreSQL: a response that is there already, and the same statements by pgbench, without our code.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use tempfile::TempDir;

use super::rows::Row;
use crate::Outcome;
use crate::contest::{Contest, Figures};
use crate::measure::{median, microseconds_each};
use crate::operation::{LOOKED_THROUGH, Operation};
use crate::output::rounded;
use crate::stores::Store;

/// The name of the floor, which is no service, in the figures.
pub(super) const FLOOR: &str = "floor";

/// Transactions of each connection that are not counted: they pay for connecting and preparing.
const FIRST: usize = 50;

/// Transactions of all connections together that are counted in one turn.
const COUNTED: usize = 10_000;

/// Rounds of the services for each turn of pgbench, which lasts as long as several.
const ROUNDS: usize = 4;

/// The statements of the services, on a copy of their rows.
pub(super) struct Floor {
    scripts: TempDir,
}

/// The turns of pgbench at one operation, in microseconds of a transaction.
pub(super) struct FloorTurns<'a> {
    store: &'a Store,
    script: PathBuf,
    connections: usize,
    client: Vec<f64>,
    server: Vec<f64>,
}

/// CPU time of pgbench and of the server.
struct Cost {
    client: Duration,
    server: Duration,
}

impl Floor {
    /// None on SQLite, whose floor is a service, and where pgbench or the CPU time of the server cannot be had.
    pub(super) fn prepared(store: &mut Store) -> Outcome<Option<Self>> {
        if store.pgbench(FLOOR).is_none() {
            return Ok(None);
        }
        store.copy(FLOOR)?;
        let scripts = TempDir::new()?;
        Ok(Some(Self { scripts }))
    }

    /// The turns of an operation's floor, all of which are still to come.
    pub(super) fn turns<'a>(
        &self,
        contest: &'a Contest,
        operation: Operation,
        connections: usize,
    ) -> Outcome<FloorTurns<'a>> {
        let script = self.scripts.path().join(operation.name());
        fs::write(&script, statements(operation, contest.rows))?;
        Ok(FloorTurns {
            store: &contest.store,
            script,
            connections,
            client: Vec::new(),
            server: Vec::new(),
        })
    }
}

impl FloorTurns<'_> {
    /// Runs pgbench after some of the rounds, so that the machine is as quick for it as for the services.
    pub(super) fn play(&mut self, round: usize) -> Outcome {
        if !round.is_multiple_of(ROUNDS) {
            return Ok(());
        }
        let counted = COUNTED / self.connections;
        // The difference of two runs has neither the start nor the end of the connections.
        let (few, many) = (self.run(FIRST)?, self.run(FIRST + counted)?);
        let each = |many: Duration, few| {
            microseconds_each(many.saturating_sub(few), counted * self.connections)
        };
        self.client.push(each(many.client, few.client));
        self.server.push(each(many.server, few.server));
        Ok(())
    }

    fn run(&self, transactions: usize) -> Outcome<Cost> {
        let mut pgbench = self.store.pgbench(FLOOR).ok_or("pgbench is gone")?;
        pgbench
            .args(["--no-vacuum", "--protocol", "prepared", "--jobs", "1"])
            .args(["--client", &self.connections.to_string()])
            .args(["--transactions", &transactions.to_string(), "--file"])
            .arg(&self.script);
        Cost::of(&mut pgbench, self.store)
    }

    /// The floor, beside the figures of the fixed response.
    pub(super) fn row(self, fixed: &Row) -> Row {
        Row {
            subject: FLOOR,
            figures: Figures {
                cpu_us: rounded(fixed.figures.cpu_us + median(self.client)),
                server_cpu_us: Some(rounded(median(self.server))),
                ..fixed.figures.clone()
            },
            ..*fixed
        }
    }
}

impl Cost {
    fn of(pgbench: &mut Command, store: &Store) -> Outcome<Self> {
        let before = (ended()?, store.cpu()?);
        let status = pgbench
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(format!("pgbench ended with {status}").into());
        }
        let server = store.cpu()?.zip(before.1);
        let (now, before_it) = server.ok_or("the CPU time of the server is not known")?;
        Ok(Self {
            client: ended()?.saturating_sub(before.0),
            server: now.saturating_sub(before_it),
        })
    }
}

/// CPU time of all child processes that have ended; the services have not.
fn ended() -> Outcome<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let times = [usage.user_time(), usage.system_time()];
    let times = times.map(|it| (it.tv_sec().cast_unsigned(), it.tv_usec().cast_unsigned()));
    let times = times.map(|(s, us)| Duration::from_secs(s) + Duration::from_micros(us));
    Ok(times.into_iter().sum())
}

/// The statements that the operation needs, as one writes them by hand. A total is none of them: on a table that is not
/// written to, it can be had without a count.
fn statements(operation: Operation, rows: u64) -> String {
    match operation {
        Operation::Retrieve => format!(
            "\\set id random(1, {rows})\n\
             SELECT id, name, value FROM settings WHERE id = :id;\n"
        ),
        Operation::List10 => page("settings", "id, name, value", "", "id", 10),
        Operation::List100 => page("settings", "id, name, value", "", "id", 100),
        Operation::Filter => {
            let above = rows.saturating_sub(LOOKED_THROUGH);
            let columns = "id, first_name, last_name, bill_address_id, ship_address_id";
            let condition = format!(" WHERE last_name = 'Name7' AND id > {above}");
            page("persons", columns, &condition, "id DESC", 10)
        }
        Operation::Expand => format!(
            "\\set above random(0, {})\n\
             \\set up_to :above + 10\n\
             SELECT p.id, p.first_name, p.last_name, b.line1, b.city, b.zip_code, s.line1, s.city, s.zip_code \
             FROM persons p LEFT JOIN addresses b ON b.id = p.bill_address_id \
             LEFT JOIN addresses s ON s.id = p.ship_address_id \
             WHERE p.id > :above AND p.id <= :up_to ORDER BY p.id LIMIT 10;\n",
            rows.saturating_sub(10).max(1)
        ),
        Operation::Create => "\\set number random(1, 1000000000000)\n\
             INSERT INTO settings (name, value) \
             VALUES ('created ' || :number, 'a value as long as most values are') RETURNING id;\n"
            .to_owned(),
        Operation::Update => format!(
            "\\set id random(1, {rows})\n\\set number random(1, 1000000000000)\n\
             UPDATE settings SET value = 'another value, which is number ' || :number WHERE id = :id;\n"
        ),
    }
}

fn page(table: &str, columns: &str, condition: &str, order: &str, limit: u64) -> String {
    format!("SELECT {columns} FROM {table}{condition} ORDER BY {order} LIMIT {limit};\n")
}
