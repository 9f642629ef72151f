//! Costs of a request to several tables, which take turns.

use super::rows::{Measured, Row};
use crate::Outcome;
use crate::contest::{Contest, Figures, Task};
use crate::load::Length;
use crate::measure::quantile;
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
        let mut costs = Self::of_draws(contests, subjects, length, rounds, [draw])?;
        let first = costs.first().cloned().unwrap_or_default();
        for [cost] in costs.iter_mut().flatten() {
            let first = first.iter().find(|[it]| it.subject == cost.subject);
            cost.ratio = first.map_or(f64::NAN, |[first]| cost.whole() / first.whole());
        }
        let costs = costs
            .into_iter()
            .map(|costs| costs.into_iter().flatten().collect());
        Ok(Self(costs.collect()))
    }

    /// The costs of the second request of a pair: of pairs, less those of the first requests alone. Behind the first table, of
    /// which nothing is told, a ratio is to a second request alone that costs as much more as this one does in the first
    /// table, where it has next to nothing to do: so much is the price of following a first one.
    pub(super) fn of_second(
        contests: &[Contest],
        subjects: &[Subject],
        length: Length,
        rounds: usize,
        draws: [&DrawOf<'_>; 3],
    ) -> Outcome<Self> {
        let costs = Self::of_draws(contests, subjects, length, rounds, draws)?;
        let of_second = |[pair, first, second]: [Cost; 3]| {
            let server = pair.server.zip(first.server);
            let cost = Cost {
                own: 2.0 * pair.own - first.own,
                server: server.map(|(pair, first)| 2.0 * pair - first),
                ..pair
            };
            (cost, second.whole())
        };
        let costs = costs
            .into_iter()
            .map(|costs| costs.into_iter().map(of_second).collect());
        let mut costs: Vec<Vec<(Cost, f64)>> = costs.collect();
        let least = costs.remove(0);
        let with_ratio = |(mut cost, alone): (Cost, f64)| {
            let least = least.iter().find(|(it, _)| it.subject == cost.subject);
            let least = least.map_or(f64::NAN, |(it, _)| it.whole());
            cost.ratio = (alone + cost.whole() - least) / alone;
            cost
        };
        let costs = costs
            .into_iter()
            .map(|costs| costs.into_iter().map(with_ratio).collect());
        Ok(Self(costs.collect()))
    }

    /// The cost of each kind of requests for each subject of each table, all of which take turns.
    fn of_draws<const N: usize>(
        contests: &[Contest],
        subjects: &[Subject],
        length: Length,
        rounds: usize,
        draws: [&DrawOf<'_>; N],
    ) -> Outcome<Vec<Vec<[Cost; N]>>> {
        let mut turns: Vec<[Vec<(Subject, Figures)>; N]> =
            contests.iter().map(|_| [const { Vec::new() }; N]).collect();
        let mut random = Random::new(unused_number());
        for _ in 0..rounds {
            let mut order: Vec<_> = contests.iter().zip(&mut turns).collect();
            // A random order, so that no table always follows the same other one.
            random.shuffle(&mut order);
            for (contest, turns) in order {
                for (draw, turns) in draws.iter().zip(turns) {
                    let task = Task {
                        connections: 1,
                        rounds: 1,
                        length,
                        draw: &|_, random| draw(contest, random),
                    };
                    turns.extend(contest.measure(subjects, &task)?);
                }
            }
        }
        let of_table = |turns: [Vec<(Subject, Figures)>; N]| {
            let measured = |it: &&Subject| {
                turns
                    .iter()
                    .all(|turns| turns.iter().any(|turn| turn.0 == **it))
            };
            let costs = subjects.iter().filter(measured);
            let costs =
                costs.map(|subject| turns.each_ref().map(|turns| Cost::of(*subject, turns)));
            costs.collect()
        };
        Ok(turns.into_iter().map(of_table).collect())
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
    fn of(subject: Subject, turns: &[(Subject, Figures)]) -> Self {
        let figures = || {
            turns
                .iter()
                .filter(|turn| turn.0 == subject)
                .map(|turn| &turn.1)
        };
        let server: Option<Vec<f64>> = figures().map(|it| it.server_cpu_us).collect();
        Self {
            subject,
            own: quantile(figures().map(|it| it.cpu_us).collect(), QUANTILE),
            server: server.map(|server| quantile(server, QUANTILE)),
            ratio: 1.0,
        }
    }

    fn whole(&self) -> f64 {
        self.own + self.server.unwrap_or_default()
    }
}
