//! The subjects take turns: all of them run, one is asked.

use std::time::Duration;

use super::figures::{Figures, Turn};
use super::{Contender, Contest};
use crate::Outcome;
use crate::load::{Crowd, Length};
use crate::measure::{microseconds, microseconds_each};
use crate::random::{Random, unused_number};
use crate::stores::Store;
use crate::subjects::Subject;

/// Whatever else the machine does meanwhile lasts longer than a turn, and so is no single subject's
/// misfortune.
pub(crate) const SHORT_TURN: Duration = Duration::from_millis(100);

/// Makes a request for a subject.
pub(crate) type Draw<'a> = dyn Fn(Subject, &mut Random) -> String + Sync + 'a;

/// What subjects are asked, and how often.
pub(crate) struct Task<'a> {
    pub(crate) connections: usize,
    /// How often each subject has its turn, after the one that is not counted.
    pub(crate) rounds: usize,
    pub(crate) length: Length,
    pub(crate) draw: &'a Draw<'a>,
}

/// A contender and what it did in its turns.
struct Player<'a> {
    contender: &'a Contender,
    turns: Vec<Turn>,
}

impl Contest {
    /// What the task costs each of these subjects, in their order.
    pub(crate) fn measure(
        &self,
        subjects: &[Subject],
        task: &Task<'_>,
    ) -> Outcome<Vec<(Subject, Figures)>> {
        let chosen = self
            .contenders
            .iter()
            .filter(|it| subjects.contains(&it.subject));
        let players = chosen.map(Player::new);
        let mut players = players.collect::<Outcome<Vec<_>>>()?;
        let mut random = Random::new(unused_number());
        for round in 0..=task.rounds {
            // Nobody always follows the same one.
            random.shuffle(&mut players);
            for player in &mut players {
                let turn = player.play(&self.store, task)?;
                // The first of each fills caches and pools.
                if round > 0 {
                    player.turns.push(turn);
                }
            }
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

    /// On connections of its own: which thread of the service attends to one, and how dear that is,
    /// stays the same for as long as it lasts.
    fn play(&self, store: &Store, task: &Task<'_>) -> Outcome<Turn> {
        let Contender { subject, service } = self.contender;
        let draw = |random: &mut Random| (task.draw)(*subject, random);
        let mut crowd = Crowd::connect(service.told("address")?, task.connections)?;
        // What it costs to accept them is not of the requests.
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
