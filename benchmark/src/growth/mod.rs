//! Growth of costs: of pages with their offset, of totals with the rows, of memory with large pages.

mod memory;
mod rows;
mod table;

use self::rows::{Measured, Row};
use crate::arguments::GrowthSettings;
use crate::awake::Awake;
use crate::contest::{Contest, Draw, SHORT_TURN, Task};
use crate::load::Length;
use crate::operation::Operation;
use crate::random::Random;
use crate::stores::Backend;
use crate::subjects::Subject;
use crate::{Outcome, message, output};

const SUBJECTS: [Subject; 3] = [Subject::ByHand, Subject::ByHandRusqlite, Subject::Derive];

/// Subjects that also write.
const WRITERS: [Subject; 2] = [Subject::ByHand, Subject::Derive];

/// Parameter of a page without items, which is nothing but a total.
const TOTAL: &str = "limit=0";

/// The greatest ratio of a page by cursor to the first one.
const AS_THE_FIRST: f64 = 1.3;

/// Number of rows where it is not what is varied.
const ROWS: u64 = 100_000;

const OFFSETS: [u64; 3] = [0, 1_000, 90_000];

const TOTALS: [u64; 3] = [10_000, 100_000, 1_000_000];

pub(crate) fn measure(settings: &GrowthSettings) -> Outcome {
    let _awake = Awake::keep();
    let mut rows = Vec::new();
    for backend in Backend::named_or_found(&settings.database) {
        rows.extend(measure_on(backend, settings)?);
    }
    output::tell(&table::of(&rows), &rows, settings.json.as_ref())?;
    let cost_more = |row: &&Row| row.of_first(&rows).is_some_and(|it| it > AS_THE_FIRST);
    let Some(page) = rows.iter().find(cost_more) else {
        return Ok(());
    };
    let (size, database) = (page.size, page.database);
    Err(format!(
        "a page behind {size} rows on {database} costs more than {AS_THE_FIRST} of the first"
    )
    .into())
}

fn measure_on(backend: Backend, settings: &GrowthSettings) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    let counts = TOTALS.into_iter();
    let counts: Vec<u64> = counts.filter(|it| !settings.quick || *it <= ROWS).collect();
    for count in counts.iter().copied() {
        let contest = Contest::start(backend, count)?;
        // Memory first: a process may keep what it has once taken.
        if count == ROWS {
            rows.extend(memory::of_large_pages(&contest)?);
            for offset in OFFSETS {
                let page = list(&format!("limit=10&offset={offset}"));
                let draw = |_, _: &mut Random| page.clone();
                let pages = task(settings, &draw);
                rows.extend(cost(&contest, Measured::Page, offset, &SUBJECTS, &pages)?);
            }
        }
        if Some(&count) == counts.last() {
            rows.extend(pages_by_cursor(&contest, settings)?);
        }
        let draw = |_, _: &mut Random| list(TOTAL);
        let total = task(settings, &draw);
        rows.extend(cost(&contest, Measured::Total, count, &SUBJECTS, &total)?);
        let draw = |subject, random: &mut Random| match random.below(2) {
            0 => list(TOTAL),
            _ => Operation::Update.request(subject, count, random),
        };
        let changed = task(settings, &draw);
        rows.extend(cost(
            &contest,
            Measured::ChangedTotal,
            count,
            &WRITERS,
            &changed,
        )?);
        eprintln!("{}: {count} rows", backend.name());
    }
    Ok(rows)
}

/// Pages by cursor at the start, in the middle and at the end of the table, in the order of the key and of an index.
fn pages_by_cursor(contest: &Contest, settings: &GrowthSettings) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for (measured, order) in [
        (Measured::Cursor, "asc(id)"),
        (Measured::NamedCursor, "desc(name)"),
    ] {
        for offset in [0, contest.rows / 2, contest.rows - 30] {
            let by = format!("limit=10&count=none&order={order}&cursor=");
            let derived = contest
                .contenders
                .iter()
                .find(|it| it.subject == Subject::Derive);
            let mut client = derived.ok_or("there is no derived service")?.client()?;
            // The page before has the cursor.
            let page = client.send(&list(&format!("{by}start&offset={offset}")))?;
            let page: serde_json::Value = serde_json::from_slice(page)?;
            let cursor = page.get("next").and_then(serde_json::Value::as_str);
            let cursor = cursor.ok_or("a page without a cursor")?;
            let page = list(&format!("{by}{cursor}"));
            let draw = |_, _: &mut Random| page.clone();
            let pages = task(settings, &draw);
            rows.extend(cost(contest, measured, offset, &[Subject::Derive], &pages)?);
        }
    }
    Ok(rows)
}

fn cost(
    contest: &Contest,
    measured: Measured,
    size: u64,
    subjects: &[Subject],
    task: &Task<'_>,
) -> Outcome<Vec<Row>> {
    let figures = contest.measure(subjects, task)?.into_iter();
    let rows = figures.map(|(subject, figures)| Row {
        database: contest.backend.name(),
        measured,
        size,
        subject: subject.name(),
        cpu_us: Some(figures.cpu_us),
        server_cpu_us: figures.server_cpu_us,
        memory_kb: None,
    });
    Ok(rows.collect())
}

fn task<'a>(settings: &GrowthSettings, draw: &'a Draw<'a>) -> Task<'a> {
    Task {
        connections: 1,
        rounds: if settings.quick { 15 } else { 61 },
        length: Length::Time(SHORT_TURN),
        draw,
    }
}

/// A request for this page of the settings.
fn list(page: &str) -> String {
    message::get(&format!("/api/1.0/settings?{page}"), "")
}
