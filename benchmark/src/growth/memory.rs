//! Memory of services while they answer many large pages at once.

use super::rows::{Measured, Row};
use super::{SUBJECTS, list};
use crate::Outcome;
use crate::contest::{Contender, Contest};
use crate::load::{Crowd, Length};

/// Items of the largest page that a client may ask for.
const LARGEST_PAGE: u64 = 1000;

/// Clients that ask for such a page at the same time.
const CLIENTS: usize = 32;

/// Number of requests of each client.
const TIMES: usize = 10;

/// Peak memory of services while they answer many large pages at once, above their memory after a small
/// one.
pub(super) fn of_large_pages(contest: &Contest, size: u64) -> Outcome<Vec<Row>> {
    let contenders = contest.contenders.iter();
    let contenders = contenders.filter(|it| SUBJECTS.contains(&it.subject));
    let rows = contenders.map(|contender| {
        Ok(Row {
            database: contest.backend.name(),
            measured: Measured::Memory,
            size,
            subject: contender.subject.name(),
            cpu_us: None,
            server_cpu_us: None,
            ratio: None,
            memory_kb: Some(above_idle(contender)?),
        })
    });
    rows.collect()
}

fn above_idle(contender: &Contender) -> Outcome<u64> {
    let memory = contender.service.memory();
    contender.client()?.send(&list("limit=10"))?;
    let mut crowd = Crowd::connect(contender.service.told("address")?, CLIENTS)?;
    let idle = memory.now()?;
    memory.forget_peak()?;
    let page = list(&format!("limit={LARGEST_PAGE}"));
    crowd.send(Length::Requests(CLIENTS * TIMES), |_| page.clone())?;
    Ok(memory.peak()?.saturating_sub(idle))
}
