//! Growth of costs: of requests and memory with the rows, and of pages with their offset.

mod behind;
mod costs;
mod memory;
mod rows;
mod sizes;
mod table;

use std::fs;

use self::costs::{Costs, DrawOf};
use self::rows::{Measured, Row};
use crate::arguments::GrowthSettings;
use crate::awake::Awake;
use crate::chart::{self, Bar};
use crate::contest::{Contest, SHORT_TURN};
use crate::load::Length;
use crate::random::Random;
use crate::stores::Backend;
use crate::subjects::Subject;
use crate::{Outcome, message, output};

const SUBJECTS: [Subject; 3] = [Subject::ByHand, Subject::ByHandRusqlite, Subject::Derive];

/// Parameter of a page without items, which is nothing but a total.
const TOTAL: &str = "limit=0";

/// Number of rows where all subjects are compared.
const ROWS: u64 = 100_000;

const OFFSETS: [u64; 3] = [0, 1_000, 90_000];

pub(crate) fn measure(settings: &GrowthSettings) -> Outcome {
    let _awake = Awake::keep();
    let (mut sizes, mut beside) = (Vec::new(), Vec::new());
    for backend in Backend::named_or_found(&settings.database) {
        sizes.extend(sizes::measure_on(backend, settings)?);
        beside.extend(beside_others(backend, settings)?);
    }
    if let Some(file) = &settings.svg {
        fs::write(file, chart(&sizes))?;
    }
    let problems = problems(&sizes);
    let text = table::of(&sizes) + &table::of(&beside);
    sizes.extend(beside);
    output::tell(&text, &sizes, settings.json.as_ref())?;
    if problems.is_empty() {
        return Ok(());
    }
    Err(problems.join("; ").into())
}

/// Ratios above the wanted ones.
fn problems(rows: &[Row]) -> Vec<String> {
    let problem = |row: &Row| {
        let (measured, database, size) = (row.measured, row.database, row.size);
        let wanted = measured.at_most(database)?;
        let ratio = row.ratio.filter(|ratio| *ratio > wanted)?;
        let (name, compared) = (measured.heading(), measured.compared());
        Some(format!(
            "{name}, {size} rows on {database}: {ratio:.2} {compared}, at most {wanted} is wanted"
        ))
    };
    rows.iter().filter_map(problem).collect()
}

fn chart(rows: &[Row]) -> String {
    let bars = rows.iter().filter(|row| row.measured != Measured::Scan);
    let bars = bars.filter_map(|row| {
        Some(Bar {
            database: row.database,
            group: row.measured.heading(),
            label: format!("{} rows", row.size),
            class: row.subject,
            own: row.cpu_us?,
            server: row.server_cpu_us,
        })
    });
    let bars: Vec<Bar> = bars.collect();
    chart::of("CPU µs of a request by the number of rows", &bars)
}

/// Pages at an offset, totals and memory of all subjects.
fn beside_others(backend: Backend, settings: &GrowthSettings) -> Outcome<Vec<Row>> {
    let contests = [Contest::start(backend, ROWS)?];
    // Memory first: a process may keep what it has once taken.
    let mut rows = memory::of_large_pages(&contests[0], ROWS)?;
    let rounds = if settings.quick { 6 } else { 30 };
    let time = Length::Time(SHORT_TURN);
    for offset in OFFSETS {
        let page = list(&format!("limit=10&offset={offset}"));
        let draw = |_: &Contest, _: &mut Random| page.clone();
        let costs = Costs::measure(&contests, &SUBJECTS, time, rounds, &draw)?;
        rows.extend(costs.rows(backend, Measured::Page, [offset]));
    }
    let total = |_: &Contest, _: &mut Random| list(TOTAL);
    let costs = Costs::measure(&contests, &SUBJECTS, time, rounds, &total)?;
    rows.extend(costs.rows(backend, Measured::Total, [ROWS]));
    Ok(rows)
}

/// A request for this page of the settings.
fn list(page: &str) -> String {
    message::get(&format!("/api/1.0/settings?{page}"), "")
}
