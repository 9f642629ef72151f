//! The model: the rows that must be stored once a program has run, by the outcomes of its steps and its response.

use std::collections::HashSet;

use resource_tests::Backend;
use serde_json::{Value, json};

use super::execution::Done;
use super::{Door, End, Fate, Place, Program, Step};

pub(super) type Rows = HashSet<String>;

/// The report of a process on a program that it has run.
pub(super) type Told = (String, Rows, Rows, bool, Option<String>);

/// The state of a program's transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// PostgreSQL takes no further statement until it is rolled back.
    Aborted,
    /// Ended by SQL of the program, or by SQLite: each statement is a transaction by itself.
    Outside,
    /// Nothing of it can be stored any more.
    Ended,
}

/// The rows that must be stored.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    rows: Rows,
    /// Rows of statements with an unknown outcome.
    perhaps: Rows,
    pub(super) is_acknowledged: bool,
    /// A promise that was broken before the end of the program.
    broken: Option<String>,
}

impl Expected {
    pub(super) fn new(
        backend: Backend,
        program: &Program,
        attempts: &[Vec<Done>],
        is_acknowledged: bool,
    ) -> Self {
        let mut model = Model::new(backend);
        for attempt in attempts {
            model.begin();
            for (number, ((step, _), done)) in program.steps.iter().zip(attempt).enumerate() {
                model.step(program, number, *step, *done);
            }
        }
        model.end(program, is_acknowledged);
        Self {
            rows: model.durable,
            perhaps: model.perhaps,
            is_acknowledged,
            broken: model.broken,
        }
    }

    /// The difference to what is stored, in words.
    pub(super) fn difference(&self, stored: &Rows) -> Option<String> {
        let missing: Vec<_> = self.rows.difference(stored).collect();
        let unasked = stored.difference(&self.rows);
        let unasked: Vec<_> = unasked.filter(|row| !self.perhaps.contains(*row)).collect();
        let is_true = missing.is_empty() && unasked.is_empty() && self.broken.is_none();
        let acknowledged = self.is_acknowledged;
        (!is_true).then(|| {
            format!("acknowledged: {acknowledged}, missing: {missing:?}, stored although refused: {unasked:?}, {:?}", self.broken)
        })
    }

    pub(super) fn json(&self, program: &str) -> Value {
        json!([
            program,
            self.rows,
            self.perhaps,
            self.is_acknowledged,
            self.broken
        ])
    }

    /// The name of the program, and the expectation that [`json`](Self::json) wrote.
    pub(super) fn of_json(told: Told) -> (String, Self) {
        let (program, rows, perhaps, is_acknowledged, broken) = told;
        let expected = Self {
            rows,
            perhaps,
            is_acknowledged,
            broken,
        };
        (program, expected)
    }
}

struct Model {
    backend: Backend,
    state: State,
    /// True where a nested transaction is left open.
    leaks: bool,
    tentative: Rows,
    perhaps_tentative: Rows,
    durable: Rows,
    perhaps: Rows,
    broken: Option<String>,
}

impl Model {
    fn new(backend: Backend) -> Self {
        Self {
            backend,
            state: State::Open,
            leaks: false,
            tentative: Rows::new(),
            perhaps_tentative: Rows::new(),
            durable: Rows::new(),
            perhaps: Rows::new(),
            broken: None,
        }
    }

    fn breaks(&mut self, promise: &str) {
        self.broken = Some(promise.to_owned());
    }

    fn begin(&mut self) {
        self.rolled_back(State::Open);
        self.leaks = false;
    }

    fn rolled_back(&mut self, state: State) {
        self.tentative.clear();
        self.perhaps_tentative.clear();
        self.state = state;
    }

    fn committed(&mut self) {
        self.durable.extend(self.tentative.drain());
        self.perhaps.extend(self.perhaps_tentative.drain());
    }

    fn step(&mut self, program: &Program, number: usize, step: Step, done: Done) {
        let row = |fate| program.stored_row(number, fate);
        match (step, done) {
            (_, Done::Unlent) => {}
            (Step::Insert(Door::Typed, fate), Done::Carried) => self.typed(Some(row(fate))),
            (Step::Read(Door::Typed), Done::Carried) => self.typed(None),
            (Step::Abandon(Door::Typed), Done::Carried) => self.typed(Some(row(Fate::Stored))),
            (Step::Insert(Door::Typed, _) | Step::Read(Door::Typed) | Step::Disconnect, _)
            | (Step::Abandon(Door::Typed), Done::Failed) => self.rolled_back(State::Ended),
            (Step::Abandon(_), Done::Abandoned) => self.perhaps(row(Fate::Stored)),
            (Step::Insert(_, fate), Done::Carried) => self.raw(row(fate)),
            (Step::Abandon(_), Done::Carried) => self.raw(row(Fate::Stored)),
            (Step::Insert(_, fate), _) => self.refused(fate, row(fate)),
            (Step::Savepoint(fate, true) | Step::Nested(fate, End::Commit), Done::Carried) => {
                self.raw(row(fate));
            }
            // Where the driver cannot begin a nested transaction it rolls back the one around it.
            (Step::Nested(..), _) if self.state == State::Aborted => {
                self.rolled_back(State::Outside);
            }
            (Step::Nested(fate, End::Leak), done) => {
                self.leaks = true;
                match done {
                    Done::Carried => self.raw(row(fate)),
                    _ => self.refused(fate, row(fate)),
                }
            }
            (Step::Commit, Done::Carried) => {
                if self.state != State::Aborted {
                    self.committed();
                }
                self.rolled_back(State::Outside);
            }
            (Step::Commit, _) if self.backend == Backend::Postgres => {
                self.rolled_back(State::Outside);
            }
            (Step::Rollback, Done::Carried) => self.rolled_back(State::Outside),
            (Step::Broken | Step::Read(_) | Step::Abandon(_), Done::Failed) => self.failed(),
            _ => {}
        }
    }

    /// A typed statement succeeded.
    fn typed(&mut self, row: Option<String>) {
        if self.state == State::Open {
            self.tentative.extend(row);
        } else {
            self.breaks("a typed statement was carried out after the transaction had ended");
            self.durable.extend(row);
        }
    }

    /// A statement of the program's own succeeded.
    fn raw(&mut self, row: String) {
        if self.state == State::Outside {
            if self.backend == Backend::Sqlite {
                self.breaks("a connection was lent after the transaction had ended");
            }
            self.durable.insert(row);
        } else {
            self.tentative.insert(row);
        }
    }

    fn perhaps(&mut self, row: String) {
        if self.state == State::Outside {
            self.perhaps.insert(row);
        } else {
            self.perhaps_tentative.insert(row);
        }
    }

    /// A statement of the program's own was refused.
    fn refused(&mut self, fate: Fate, row: String) {
        let is_sqlite = self.backend == Backend::Sqlite;
        match fate {
            Fate::RolledBack if is_sqlite => self.rolled_back(State::Outside),
            // The row was stored before the trigger failed.
            Fate::Failed if is_sqlite => self.perhaps(row),
            _ => self.failed(),
        }
    }

    fn failed(&mut self) {
        if self.backend == Backend::Postgres && self.state == State::Open {
            self.rolled_back(State::Aborted);
        }
    }

    fn end(&mut self, program: &Program, is_acknowledged: bool) {
        if !is_acknowledged {
            return;
        }
        if program.place != Place::Plain && (self.state != State::Open || self.leaks) {
            self.breaks("a transaction was acknowledged that had ended");
        }
        if self.tentative.iter().any(|row| row.starts_with("dangling")) {
            self.breaks("a row was acknowledged that points nowhere");
        }
        self.committed();
        if !matches!(program.place, Place::Begin { .. }) {
            self.durable.insert(program.own_row());
        }
    }
}
