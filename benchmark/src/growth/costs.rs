//! Costs of a request to several tables, which take turns.

use super::behind::{self, Figure};
use super::rows::{Measured, Row};
use crate::Outcome;
use crate::contest::{Contest, Figures, Task};
use crate::load::Length;
use crate::measure::{median, quantile};
use crate::output::rounded;
use crate::random::{Random, unused_number};
use crate::stores::Backend;
use crate::subjects::Subject;

/// Makes a request to the services of a table.
pub(super) type DrawOf<'a> = dyn Fn(&Contest, &mut Random) -> String + Sync + 'a;

/// The quantile of the turns that is told: whatever else the machine does makes turns cost more, and none cost less.
const QUANTILE: f64 = 0.1;

/// The cost for each subject of each table, in this order.
pub(super) struct Costs(Vec<Vec<Cost>>);

/// The cost of a request for a subject.
#[derive(Clone)]
struct Cost {
    subject: Subject,
    own: f64,
    server: Option<f64>,
    /// The ratio to another cost.
    ratio: f64,
}

impl Costs {
    /// Costs, with their ratios to those of the first table.
    pub(super) fn measure(
        contests: &[Contest],
        subjects: &[Subject],
        length: Length,
        rounds: usize,
        draw: &DrawOf<'_>,
    ) -> Outcome<Self> {
        let turns = in_turns(contests, rounds, |contest| {
            let task = Task {
                connections: 1,
                rounds: 1,
                length,
                draw: &|_, random| draw(contest, random),
            };
            contest.measure(subjects, &task, |_| Ok(()))
        })?;
        let of_table = |turns: Vec<Vec<(Subject, Figures)>>| {
            let turns: Vec<_> = turns.into_iter().flatten().collect();
            let measured = |it: &&Subject| turns.iter().any(|turn| turn.0 == **it);
            let costs = subjects.iter().filter(measured);
            costs.map(|it| Cost::of_figures(*it, &turns)).collect()
        };
        let mut costs: Vec<Vec<Cost>> = turns.into_iter().map(of_table).collect();
        let first = costs.first().cloned().unwrap_or_default();
        for cost in costs.iter_mut().flatten() {
            let first = first.iter().find(|it| it.subject == cost.subject);
            cost.ratio = first.map_or(f64::NAN, |first| cost.whole() / first.whole());
        }
        Ok(Self(costs))
    }

    /// Costs of totals behind changes, so many in a turn. What a retrieve costs more behind a change is the price of following
    /// a commit: the ratio is that of the total without this price to a total behind a retrieve, the median of the turns.
    pub(super) fn of_changed_total(
        contests: &[Contest],
        rounds: usize,
        times: usize,
    ) -> Outcome<Self> {
        let turns = in_turns(contests, rounds, |contest| behind::costs(contest, times))?;
        let of_table = |turns: Vec<[Figure; 4]>| {
            let ratios = turns.iter().map(|turn| {
                let [total, quiet_total, retrieve, quiet_retrieve] = turn.map(whole);
                (total - (retrieve - quiet_retrieve)) / quiet_total
            });
            let ratio = median(ratios.collect());
            let totals = turns.iter().map(|[total, ..]| *total);
            vec![Cost {
                ratio,
                ..Cost::of(Subject::Derive, totals)
            }]
        };
        Ok(Self(turns.into_iter().map(of_table).collect()))
    }

    pub(super) fn rows(
        self,
        backend: Backend,
        measured: Measured,
        sizes: impl IntoIterator<Item = u64>,
    ) -> Vec<Row> {
        let costs = sizes.into_iter().zip(self.0);
        let rows = costs.flat_map(|(size, costs)| {
            costs.into_iter().map(move |cost| Row {
                database: backend.name(),
                measured,
                size,
                subject: cost.subject.name(),
                cpu_us: Some(rounded(cost.own)),
                server_cpu_us: cost.server.map(rounded),
                ratio: Some(cost.ratio),
                memory_kb: None,
            })
        });
        rows.collect()
    }
}

impl Cost {
    fn of_figures(subject: Subject, turns: &[(Subject, Figures)]) -> Self {
        let turns = turns.iter().filter(|turn| turn.0 == subject);
        Self::of(subject, turns.map(|(_, it)| (it.cpu_us, it.server_cpu_us)))
    }

    fn of(subject: Subject, turns: impl Iterator<Item = Figure>) -> Self {
        let (own, server): (Vec<f64>, Vec<Option<f64>>) = turns.unzip();
        let server: Option<Vec<f64>> = server.into_iter().collect();
        Self {
            subject,
            own: quantile(own, QUANTILE),
            server: server.map(|server| quantile(server, QUANTILE)),
            ratio: 1.0,
        }
    }

    fn whole(&self) -> f64 {
        whole((self.own, self.server))
    }
}

/// The cost for the service and its server together.
fn whole((own, server): Figure) -> f64 {
    own + server.unwrap_or_default()
}

/// Results of each table in each of its turns, which the tables take in a random order, so that none always follows the same
/// other one.
fn in_turns<T>(
    contests: &[Contest],
    rounds: usize,
    turn: impl Fn(&Contest) -> Outcome<T>,
) -> Outcome<Vec<Vec<T>>> {
    let mut turns: Vec<Vec<T>> = contests.iter().map(|_| Vec::new()).collect();
    let mut random = Random::new(unused_number());
    for _ in 0..rounds {
        let mut order: Vec<_> = contests.iter().zip(&mut turns).collect();
        random.shuffle(&mut order);
        for (contest, turns) in order {
            turns.push(turn(contest)?);
        }
    }
    Ok(turns)
}
