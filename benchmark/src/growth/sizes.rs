//! Requests to tables of a row of sizes, which take turns: their ratios are those of one run.

use super::rows::{Measured, Row};
use super::{Costs, list, memory};
use crate::Outcome;
use crate::arguments::GrowthSettings;
use crate::contest::{Contest, SHORT_TURN};
use crate::load::Length;
use crate::operation::Operation;
use crate::random::Random;
use crate::stores::Backend;
use crate::subjects::Subject;

const DERIVE: [Subject; 1] = [Subject::Derive];

const SMALLEST: u64 = 10_000;

/// Requests for a page until it comes.
const ATTEMPTS: u64 = 5;

/// Pages by cursor: in this order, behind so many parts in a hundred of the rows.
const CURSORS: [(Measured, &str, u64); 6] = [
    (Measured::FirstPage, "asc(id)", 0),
    (Measured::MiddlePage, "asc(id)", 50),
    (Measured::LastPage, "asc(id)", 100),
    (Measured::FirstNamedPage, "desc(name)", 0),
    (Measured::MiddleNamedPage, "desc(name)", 50),
    (Measured::LastNamedPage, "desc(name)", 100),
];

pub(super) fn measure_on(backend: Backend, settings: &GrowthSettings) -> Outcome<Vec<Row>> {
    let sizes = (0..).map_while(|power| SMALLEST.checked_mul(10_u64.checked_pow(power)?));
    let sizes = sizes.take_while(|size| *size <= settings.rows);
    let start = |size| {
        eprintln!("{}: {size} rows", backend.name());
        Contest::of_settings(backend, size)
    };
    let contests = &sizes.map(start).collect::<Outcome<Vec<_>>>()?;
    let mut rows = Vec::new();
    for contest in contests {
        rows.extend(memory::of_large_pages(contest, contest.rows)?);
    }
    let mut measure = |measured: Measured, costs: Outcome<Costs>| -> Outcome {
        eprintln!("{}: {}", backend.name(), measured.heading());
        let sizes = contests.iter().map(|it| it.rows);
        rows.extend(costs?.rows(backend, measured, sizes));
        Ok(())
    };
    let rounds = if settings.quick { 6 } else { 30 };
    let time = Length::Time(SHORT_TURN);
    let of = |length, rounds, draw: &super::DrawOf<'_>| {
        Costs::measure(contests, &DERIVE, length, rounds, draw)
    };
    measure(
        Measured::Retrieve,
        of(time, rounds, &|contest, random| {
            Operation::Retrieve.request(Subject::Derive, contest.rows, random)
        }),
    )?;
    for (measured, order, part) in CURSORS {
        let pages = contests.iter().map(|it| page_by_cursor(it, order, part));
        let pages = pages.collect::<Outcome<Vec<_>>>()?;
        let page = |contest: &Contest, _: &mut Random| {
            let of_size = |page: &&(u64, String)| page.0 == contest.rows;
            pages
                .iter()
                .find(of_size)
                .map_or_else(String::new, |it| it.1.clone())
        };
        measure(measured, of(time, rounds, &page))?;
    }
    measure(Measured::Filter, of(time, rounds, &found_by_index))?;
    let scan = |_: &Contest, _: &mut Random| list("filter=eq(value,%22nothing%22)");
    measure(Measured::Scan, of(Length::Requests(1), 2, &scan))?;
    let total = |_: &Contest, _: &mut Random| list(super::TOTAL);
    measure(Measured::Total, of(time, rounds, &total))?;
    // PostgreSQL counts behind each change.
    let (rounds, times) = match (backend, settings.quick) {
        (Backend::Postgres, _) => (6, 5),
        (Backend::Sqlite, true) => (12, 50),
        (Backend::Sqlite, false) => (60, 50),
    };
    let changed_total = Costs::of_changed_total(contests, rounds, times);
    measure(Measured::ChangedTotal, changed_total)?;
    Ok(rows)
}

/// A page behind so many parts in a hundred of the rows, with its number of rows.
fn page_by_cursor(contest: &Contest, order: &str, part: u64) -> Outcome<(u64, String)> {
    let offset = (contest.rows / 100 * part).min(contest.rows - 30);
    let by = format!("limit=10&count=none&order={order}&cursor=");
    let derived = contest.contenders.first().ok_or("there is no service")?;
    // The page before has the cursor. The service gives up on a page that is as far away as that, if others compute, too.
    let request = list(&format!("{by}start&offset={offset}"));
    let page = (0..ATTEMPTS).find_map(|_| {
        derived
            .client()
            .ok()?
            .send(&request)
            .map(<[u8]>::to_vec)
            .ok()
    });
    let page = page.ok_or("the page before does not come")?;
    let page: serde_json::Value = serde_json::from_slice(&page)?;
    let cursor = page.get("next").and_then(serde_json::Value::as_str);
    let cursor = cursor.ok_or("a page without a cursor")?;
    Ok((contest.rows, list(&format!("{by}{cursor}"))))
}

/// Settings whose names begin alike: one with a number, and ten whose numbers have a digit more.
fn found_by_index(contest: &Contest, random: &mut Random) -> String {
    let fewest = contest.rows / 100 + 1;
    let number = fewest + random.below(contest.rows / 10 - fewest);
    list(&format!("filter=startswith(name,%22setting%20{number}%22)"))
}
