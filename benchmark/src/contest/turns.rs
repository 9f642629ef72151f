//! The turns of the subjects: all of them run, one at a time is asked.

use std::time::Duration;

use super::figures::{Figures, Turn};
use super::{Contender, Contest};
use crate::Outcome;
use crate::load::{Crowd, Length};
use crate::measure::{microseconds, microseconds_each};
use crate::random::{Random, unused_number};
use crate::stores::Store;
use crate::subjects::Subject;

/// Length of a turn: whatever else the machine does meanwhile lasts longer, and so meets more than one
/// subject.
pub(crate) const SHORT_TURN: Duration = Duration::from_millis(100);

/// Makes a request for a subject.
pub(super) type Draw<'a> = dyn Fn(Subject, &mut Random) -> String + Sync + 'a;

/// The requests to subjects, and their number.
pub(crate) struct Task<'a> {
    pub(crate) connections: usize,
    /// Number of turns of each subject, after the one that is not counted.
    pub(crate) rounds: usize,
    pub(crate) length: Length,
    pub(crate) draw: &'a Draw<'a>,
}

/// A contender and the measurements of its turns.
struct Player<'a> {
    contender: &'a Contender,
    turns: Vec<Turn>,
}

impl Contest {
    /// Costs of the task for each of these subjects, in their order. Whatever else is measured at the same time has its turn
    /// after each round.
    pub(crate) fn measure(
        &self,
        subjects: &[Subject],
        task: &Task<'_>,
        mut after_round: impl FnMut(usize) -> Outcome,
    ) -> Outcome<Vec<(Subject, Figures)>> {
        let chosen = self
            .contenders
            .iter()
            .filter(|it| subjects.contains(&it.subject));
        let players = chosen.map(Player::new);
        let mut players = players.collect::<Outcome<Vec<_>>>()?;
        let mut random = Random::new(unused_number());
        for round in 0..=task.rounds {
            // A random order, so that no subject always follows the same other one.
            random.shuffle(&mut players);
            for player in &mut players {
                let turn = player.play(&self.store, task)?;
                // The first turn of each subject fills caches and pools.
                if round > 0 {
                    player.turns.push(turn);
                }
            }
            after_round(round)?;
        }
        players.sort_by_key(|it| subjects.iter().position(|of| *of == it.contender.subject));
        players.into_iter().map(Player::figures).collect()
    }
}

impl<'a> Player<'a> {
    fn new(contender: &'a Contender) -> Outcome<Self> {
        contender.service.memory().forget_peak()?;
        Ok(Self {
            contender,
            turns: Vec::new(),
        })
    }

    /// Measures a turn on new connections: the thread of the service that attends to a connection, and its
    /// cost, stay the same for as long as the connection lasts.
    fn play(&self, store: &Store, task: &Task<'_>) -> Outcome<Turn> {
        let Contender { subject, service } = self.contender;
        let draw = |random: &mut Random| (task.draw)(*subject, random);
        let mut crowd = Crowd::connect(service.told("address")?, task.connections)?;
        // The cost of accepting connections is no cost of the requests.
        crowd.send(Length::Requests(task.connections), draw)?;
        let server = store.cpu()?;
        let before = service.cpu()?;
        let sent = crowd.send(task.length, draw)?;
        let cost = service.cpu()?.saturating_sub(before);
        let requests = sent.latencies.len();
        Ok(Turn {
            cpu: microseconds_each(cost, requests),
            server_cpu: since(server, store)?.map(|it| microseconds_each(it, requests)),
            rate: 1e6 / microseconds_each(sent.elapsed, requests),
            latencies: sent.latencies.into_iter().map(microseconds).collect(),
        })
    }

    fn figures(self) -> Outcome<(Subject, Figures)> {
        let Contender { subject, service } = self.contender;
        let peak = service.memory().peak()?;
        Ok((*subject, Figures::of(self.turns, peak)))
    }
}

fn since(before: Option<Duration>, store: &Store) -> Outcome<Option<Duration>> {
    let now = store.cpu()?;
    Ok(now
        .zip(before)
        .map(|(now, before)| now.saturating_sub(before)))
}
