//! The comparison of the service through the derive with the same service by hand, and with the costs of
//! HTTP and of the database alone.

mod agreement;
mod floor;
mod rows;
mod table;

use std::fs;

use clap::ValueEnum;

use self::floor::{Floor, FloorTurns};
use self::rows::Row;
use crate::Outcome;
use crate::arguments::ComparisonSettings;
use crate::awake::Awake;
use crate::chart::{self, Bar};
use crate::contest::{Contest, Task};
use crate::operation::Operation;
use crate::output;
use crate::stores::Backend;
use crate::subjects::Subject;

const CONCURRENCY: [u16; 2] = [1, 32];

const SUBJECTS: [Subject; 4] = [
    Subject::Fixed,
    Subject::ByHand,
    Subject::ByHandRusqlite,
    Subject::Derive,
];

pub(crate) fn compare(settings: &ComparisonSettings) -> Outcome {
    let _awake = (!settings.let_processors_sleep).then(Awake::keep);
    let mut rows = Vec::new();
    for backend in Backend::named_or_found(&settings.database) {
        rows.extend(compare_on(backend, settings)?);
    }
    if let Some(file) = &settings.svg {
        fs::write(file, chart(&rows))?;
    }
    output::tell(&table::of(&rows), &rows, settings.json.as_ref())
}

fn compare_on(backend: Backend, settings: &ComparisonSettings) -> Outcome<Vec<Row>> {
    let mut contest = Contest::start(backend, settings.rows)?;
    agreement::check(&contest)?;
    let floor = Floor::prepared(&mut contest.store)?;
    let concurrency = match settings.concurrency.as_slice() {
        [] => &CONCURRENCY,
        named => named,
    };
    let mut rows = Vec::new();
    for operation in operations(&settings.operation) {
        for connections in concurrency.iter().copied().map(usize::from) {
            let turns = floor.as_ref();
            let turns = turns.map(|it| it.turns(&contest, operation, connections));
            let turns = turns.transpose()?;
            rows.extend(measure(&contest, operation, connections, settings, turns)?);
            eprintln!("{}: {} by {connections}", backend.name(), operation.name());
        }
    }
    Ok(rows)
}

fn measure(
    contest: &Contest,
    operation: Operation,
    connections: usize,
    settings: &ComparisonSettings,
    mut floor: Option<FloorTurns<'_>>,
) -> Outcome<Vec<Row>> {
    let task = Task {
        connections,
        rounds: settings.rounds(),
        length: settings.turn(),
        draw: &|subject, random| operation.request(subject, contest.rows, random),
    };
    let after_round = |round| floor.as_mut().map_or(Ok(()), |it| it.play(round));
    let measured = contest.measure(&SUBJECTS, &task, after_round)?;
    let rows = measured.into_iter().map(|(subject, figures)| Row {
        database: contest.backend.name(),
        operation: operation.name(),
        concurrency: connections,
        subject: subject.name(),
        figures,
    });
    let mut rows: Vec<_> = rows.collect();
    let floor = floor.zip(rows.first());
    rows.extend(floor.map(|(turns, fixed)| turns.row(fixed)));
    Ok(rows)
}

/// The operations to measure, in the order of their declaration: reads before writes, so that all read the
/// same rows.
fn operations(named: &[Operation]) -> Vec<Operation> {
    let all = Operation::value_variants().iter().copied();
    all.filter(|it| named.is_empty() || named.contains(it))
        .collect()
}

/// The bars of the first concurrency that was measured.
fn chart(rows: &[Row]) -> String {
    let concurrency = rows.first().map_or(0, |row| row.concurrency);
    let shown = rows.iter().filter(|row| row.concurrency == concurrency);
    let bars = shown.map(|row| Bar {
        database: row.database,
        group: row.operation,
        label: label(row.subject).to_owned(),
        class: row.subject,
        own: row.figures.cpu_us,
        server: row.figures.server_cpu_us,
    });
    let bars: Vec<Bar<'_>> = bars.collect();
    let title =
        format!("CPU µs of a request, by operation and subject; connections: {concurrency}");
    chart::of(&title, &bars)
}

fn label(subject: &str) -> &str {
    [
        (Subject::Fixed, "fixed bytes"),
        (Subject::ByHand, "by hand"),
        (Subject::ByHandRusqlite, "SQLite alone"),
        (Subject::Derive, "derive"),
    ]
    .into_iter()
    .find(|(of, _)| of.name() == subject)
    .map_or(subject, |(_, label)| label)
}
