//! Costs of single requests behind others, by the CPU clock of the service around each.

use std::time::Duration;

use super::{TOTAL, list};
use crate::Outcome;
use crate::contest::Contest;
use crate::measure::{median, microseconds};
use crate::operation::Operation;
use crate::random::{Random, unused_number};
use crate::service::Service;
use crate::subjects::Subject;

/// CPU microseconds of the service, and of its server if there is one.
pub(super) type Figure = (f64, Option<f64>);

/// A request to a table of so many rows.
type Request = fn(u64, &mut Random) -> String;

/// Requests that are measured, each behind the one before it.
const PAIRS: [[Request; 2]; 4] = [
    [update, total],
    [retrieve, total],
    [update, retrieve],
    [retrieve, retrieve],
];

fn update(rows: u64, random: &mut Random) -> String {
    Operation::Update.request(Subject::Derive, rows, random)
}

fn retrieve(rows: u64, random: &mut Random) -> String {
    Operation::Retrieve.request(Subject::Derive, rows, random)
}

fn total(_: u64, _: &mut Random) -> String {
    list(TOTAL)
}

/// The median cost of the second request of each pair: a total behind a change and behind a retrieve, and a retrieve
/// behind the same. The pairs alternate, so that all meet the same state of the machine. A checkpoint of the file, which
/// many changes share, is no part of a median.
pub(super) fn costs(contest: &Contest, times: usize) -> Outcome<[Figure; 4]> {
    let derive = contest.contenders.first().ok_or("there is no service")?;
    let (service, store) = (&derive.service, &contest.store);
    let (mut client, mut random) = (derive.client()?, Random::new(unused_number()));
    // The first total may count, and the connection is new.
    client.send(&list(TOTAL))?;
    let mut costs = PAIRS.map(|pair| (pair, Vec::new(), Vec::new()));
    for _ in 0..times {
        for ([first, second], own, server) in &mut costs {
            client.send(&first(contest.rows, &mut random))?;
            let request = second(contest.rows, &mut random);
            let server_before = store.cpu()?;
            let before = at_rest(service)?;
            client.send(&request)?;
            own.push(microseconds(at_rest(service)?.saturating_sub(before)));
            let cost = store.cpu()?.zip(server_before);
            server.extend(cost.map(|(after, before)| microseconds(after.saturating_sub(before))));
        }
    }
    let of_server = |costs: Vec<f64>| (!costs.is_empty()).then(|| median(costs));
    Ok(costs.map(|(_, own, server)| (median(own), of_server(server))))
}

/// CPU time of a service once it computes nothing: its threads go on for a moment after a response.
fn at_rest(service: &Service) -> Outcome<Duration> {
    let mut before = service.cpu()?;
    loop {
        let now = service.cpu()?;
        if now == before {
            return Ok(now);
        }
        before = now;
    }
}
