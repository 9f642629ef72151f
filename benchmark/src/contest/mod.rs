//! The subjects of a database, all at work on the same rows.

mod figures;
mod turns;

use std::fs;

use clap::ValueEnum as _;
use tempfile::TempDir;

pub(crate) use self::figures::Figures;
pub(crate) use self::turns::{SHORT_TURN, Task};
use crate::Outcome;
use crate::load::Client;
use crate::operation::Operation;
use crate::random::Random;
use crate::service::Service;
use crate::stores::{Backend, Store};
use crate::subjects::Subject;

/// A subject at work on a copy of the rows.
pub(crate) struct Contender {
    pub(crate) subject: Subject,
    pub(crate) service: Service,
}

/// All subjects of a database.
pub(crate) struct Contest {
    pub(crate) contenders: Vec<Contender>,
    pub(crate) backend: Backend,
    /// Number of rows in each table at the start.
    pub(crate) rows: u64,
    pub(crate) store: Store,
    _answers: TempDir,
}

impl Contest {
    pub(crate) fn start(backend: Backend, rows: u64) -> Outcome<Self> {
        let mut store = Store::seeded(backend, rows)?;
        // Started first, since the fixed subject repeats its answers.
        let derive = Contender::start(Subject::Derive, &mut store)?;
        let answers = derive.answers(rows)?;
        let folder = answers.path().display().to_string();
        let mut contenders = vec![Contender {
            subject: Subject::Fixed,
            service: Service::start(Subject::Fixed, &folder)?,
        }];
        contenders.push(Contender::start(Subject::ByHand, &mut store)?);
        if backend == Backend::Sqlite {
            contenders.push(Contender::start(Subject::ByHandRusqlite, &mut store)?);
        }
        contenders.push(derive);
        Ok(Self {
            contenders,
            backend,
            rows,
            store,
            _answers: answers,
        })
    }
}

impl Contest {
    /// The service through the derive alone, on settings alone.
    pub(crate) fn of_settings(backend: Backend, rows: u64) -> Outcome<Self> {
        let store = Store::of_settings(backend, rows)?;
        let subject = Subject::Derive;
        let service = Service::start(subject, &store.seed())?;
        Ok(Self {
            contenders: vec![Contender { subject, service }],
            backend,
            rows,
            store,
            _answers: TempDir::new()?,
        })
    }
}

impl Contender {
    fn start(subject: Subject, store: &mut Store) -> Outcome<Self> {
        let service = Service::start(subject, &store.copy(subject.name())?)?;
        Ok(Self { subject, service })
    }

    pub(crate) fn client(&self) -> Outcome<Client> {
        Ok(Client::connect(self.service.told("address")?)?)
    }

    /// A folder with the contender's answers to the reading operations.
    fn answers(&self, rows: u64) -> Outcome<TempDir> {
        let folder = TempDir::new()?;
        let mut client = self.client()?;
        for operation in Operation::value_variants() {
            if operation.reads() {
                let request = operation.request(self.subject, rows, &mut Random::new(1));
                let answer = client.send(&request)?;
                fs::write(folder.path().join(operation.name()), answer)?;
            }
        }
        Ok(folder)
    }
}
