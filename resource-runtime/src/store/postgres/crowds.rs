//! Lists that need the same count, of which each costs far more than a page: while some are read
//! for, all that arrive wait, and are then read for together.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{self, Arc, MutexGuard, PoisonError};

use sqlx::Row as _;
use sqlx::postgres::PgRow;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::task::yield_now;
use tokio::time::Instant;

use super::pool::ATTEMPTS;
use crate::error::DatabaseFailure;
use crate::sql::{Matching, PageQuery};
use crate::store::RowVisitor;

/// How many snapshots are counted in at the same time: with one alone, a second client would wait
/// for twice as long as it does by itself.
const AT_ONCE: usize = 2;

/// How many are read for within one snapshot.
const MOST: usize = 64;

/// Bytes of its values that make a page long: it is written by one task after the other, and no other is
/// read before, so that memory holds few of them and not all begin to be sent that have no room.
const LONG: usize = 256 * 1024;

/// A page that several may have asked for, and its total.
#[derive(Debug)]
pub(super) struct SharedPage {
    rows: Vec<PgRow>,
    total: u64,
    /// None where the page is short.
    turn: Option<Mutex<()>>,
    /// Keeps others from reading another long page as long as this one is needed.
    alone: Option<OwnedMutexGuard<()>>,
}

pub(super) type Answer = Result<Arc<SharedPage>, DatabaseFailure>;

/// One who waits, as those see it who read for it.
#[derive(Debug)]
pub(super) struct Waiting {
    number: u64,
    pub(super) read: PageQuery,
    deadline: Instant,
    attempts: u32,
    answer: oneshot::Sender<Answer>,
}

/// One who waits, as it sees itself.
#[derive(Debug)]
pub(super) struct Ticket {
    crowd: u64,
    number: u64,
    pub(super) answer: oneshot::Receiver<Answer>,
}

/// How a list is read.
#[derive(Debug)]
pub(super) enum Joined {
    /// At once, as one of those of the crowd that are at work.
    AtWork(u64),
    /// By others.
    Waits(Ticket),
}

#[derive(Debug, Default)]
pub(super) struct Crowds {
    all: sync::Mutex<All>,
    /// The page that was read last was long, so that the next is likely to be.
    is_long: AtomicBool,
    long: Arc<Mutex<()>>,
}

#[derive(Debug, Default)]
struct All {
    last_number: u64,
    crowds: Vec<Crowd>,
}

#[derive(Debug)]
struct Crowd {
    number: u64,
    matching: Matching,
    at_work: usize,
    waiting: VecDeque<Waiting>,
}

impl SharedPage {
    pub(super) fn new(rows: Vec<PgRow>, total: u64) -> Self {
        let is_long = rows.iter().map(length).sum::<usize>() > LONG;
        Self {
            rows,
            total,
            turn: is_long.then(Mutex::default),
            alone: None,
        }
    }

    /// Lends its rows, and answers its total.
    pub(super) async fn lend(&self, visitor: &mut impl RowVisitor) -> Result<u64, DatabaseFailure> {
        let _turn = match &self.turn {
            Some(turn) => Some(turn.lock().await),
            None => None,
        };
        for row in &self.rows {
            visitor.visit(row)?;
            if visitor.should_yield() {
                yield_now().await;
            }
        }
        Ok(self.total)
    }
}

/// Number of bytes of a row's values, as they were received.
fn length(row: &PgRow) -> usize {
    let values = (0..row.len()).filter_map(|column| row.try_get_raw(column).ok());
    let lengths = values.map(|value| value.as_bytes().map_or(0, <[u8]>::len));
    lengths.sum()
}

impl Crowds {
    /// Waits until nobody needs a long page any more, where the next one is likely to be long.
    pub(super) async fn alone(&self) -> Option<OwnedMutexGuard<()>> {
        if self.is_long.load(Ordering::Relaxed) {
            return Some(self.long.clone().lock_owned().await);
        }
        None
    }

    /// Shares a page that was read `alone`, or was not expected to be long.
    pub(super) fn share(
        &self,
        mut page: SharedPage,
        alone: Option<OwnedMutexGuard<()>>,
    ) -> Arc<SharedPage> {
        let is_long = page.turn.is_some();
        self.is_long.store(is_long, Ordering::Relaxed);
        if is_long {
            page.alone = alone.or_else(|| self.long.clone().try_lock_owned().ok());
        }
        Arc::new(page)
    }

    pub(super) fn join(&self, read: &PageQuery, deadline: Instant) -> Joined {
        let mut all = self.all();
        all.last_number += 1;
        let number = all.last_number;
        let Some(crowd) = all
            .crowds
            .iter_mut()
            .find(|it| it.matching == read.matching)
        else {
            all.crowds.push(Crowd::new(number, read.matching.clone()));
            return Joined::AtWork(number);
        };
        if crowd.at_work < AT_ONCE {
            crowd.at_work += 1;
            return Joined::AtWork(crowd.number);
        }
        let (sender, answer) = oneshot::channel();
        crowd.waiting.push_back(Waiting {
            number,
            read: read.clone(),
            deadline,
            attempts: 0,
            answer: sender,
        });
        Joined::Waits(Ticket {
            crowd: crowd.number,
            number,
            answer,
        })
    }

    /// Whether nobody has begun to read for whoever has the ticket; nobody will.
    pub(super) fn leave(&self, ticket: &Ticket) -> bool {
        self.of(ticket.crowd, |crowd| {
            let before = crowd.waiting.len();
            crowd.waiting.retain(|it| it.number != ticket.number);
            crowd.waiting.len() < before
        })
    }

    /// Until when whoever has waited longest has to have a connection.
    pub(super) fn deadline(&self, crowd: u64) -> Option<Instant> {
        self.of(crowd, |crowd| Some(crowd.waiting.front()?.deadline))
    }

    pub(super) fn take_first(&self, crowd: u64) -> Option<Waiting> {
        self.of(crowd, |crowd| crowd.waiting.pop_front())
    }

    /// Those who are read for in a snapshot that is not taken yet.
    pub(super) fn take(&self, crowd: u64) -> Vec<Waiting> {
        self.of(crowd, |crowd| {
            let most = crowd.waiting.len().min(MOST);
            crowd.waiting.drain(..most).collect()
        })
    }

    /// Has those wait on for whom nothing could be read, before all others.
    pub(super) fn wait_on(&self, crowd: u64, members: Vec<Waiting>) {
        self.of(crowd, |crowd| {
            for member in members.into_iter().rev() {
                crowd.waiting.push_front(member);
            }
        });
    }

    /// Ends the work of one of a crowd, unless somebody waits for it to go on.
    pub(super) fn end(&self, number: u64) -> bool {
        let mut all = self.all();
        let Some(index) = all.crowds.iter().position(|it| it.number == number) else {
            return true;
        };
        let Some(crowd) = all.crowds.get_mut(index) else {
            return true;
        };
        crowd.waiting.retain(Waiting::is_there);
        if !crowd.waiting.is_empty() {
            return false;
        }
        crowd.at_work = crowd.at_work.saturating_sub(1);
        if crowd.at_work == 0 {
            all.crowds.swap_remove(index);
        }
        true
    }

    fn of<T: Default>(&self, number: u64, use_it: impl FnOnce(&mut Crowd) -> T) -> T {
        let mut all = self.all();
        let crowd = all.crowds.iter_mut().find(|it| it.number == number);
        crowd.map(use_it).unwrap_or_default()
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Crowd {
    const fn new(number: u64, matching: Matching) -> Self {
        Self {
            number,
            matching,
            at_work: 1,
            waiting: VecDeque::new(),
        }
    }
}

impl Waiting {
    /// Whether the client has not gone.
    pub(super) fn is_there(&self) -> bool {
        !self.answer.is_closed()
    }

    /// Tells the answer, unless nobody waits for it any more.
    pub(super) fn tell(self, answer: Answer) {
        drop(self.answer.send(answer));
    }

    /// Whoever may wait on after something came between; any other is told so.
    pub(super) fn again(mut self, failure: &DatabaseFailure) -> Option<Self> {
        self.attempts += 1;
        if self.attempts < ATTEMPTS && Instant::now() < self.deadline {
            return Some(self);
        }
        self.tell(Err(failure.clone().given_up()));
        None
    }
}
