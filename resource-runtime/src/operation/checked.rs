use std::sync::Arc;

use super::Service;
use super::client::Client;
use super::create::store as store_new;
use super::delete::remove;
use super::diagnose::no_such_item;
use super::keys::Keys;
use super::named::require_targets;
use super::update::store as store_changes;
use crate::error::{DatabaseFailure, Failure};
use crate::execute::Kept;
use crate::plan::Turn;
use crate::validator::{Facts, HookFuture, Hooks, Session, Step, Write};
use crate::value::{Record, Value};
use crate::{plan, validate};

/// One attempt of a write: its hook *before*, and what the hook lets through.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checked<'write> {
    service: &'write Service,
    hooks: &'write Arc<dyn Hooks>,
    client: &'write Client,
    facts: &'write Arc<Facts>,
}

/// What a hook saw of an item, and what it made of it, within the transaction that writes it.
struct Seen {
    write: Write,
    before: Record,
    after: Record,
}

impl<'write> Checked<'write> {
    pub(super) const fn new(
        service: &'write Service,
        hooks: &'write Arc<dyn Hooks>,
        client: &'write Client,
        facts: &'write Arc<Facts>,
    ) -> Self {
        Self {
            service,
            hooks,
            client,
            facts,
        }
    }

    /// Writes a new item; answers it as it was stored, and its key.
    pub(super) async fn store(
        self,
        record: &Record,
        turn: Turn,
    ) -> Result<(Record, Value), Failure> {
        let mut write = self.begin(turn).await?;
        let keys = Keys::of_creation(self.service, self.client, record);
        require_targets(self.service, &mut write.session, turn, keys).await?;
        let hook = self.hooks.before(Step::Create, record.clone(), &mut write);
        let checked = in_time(self.service, hook).await?;
        require_fit(self.service, record, &checked)?;
        let id = store_new(self.service, self.client, write.session, checked.clone()).await?;
        Ok((checked, id))
    }

    /// Writes the changes of `record` to the item `id`; answers the item as it is then.
    pub(super) async fn change(
        self,
        id: &Value,
        record: &Record,
        turn: Turn,
    ) -> Result<Record, Failure> {
        let merge = |stored: &Record| stored.with(record);
        let keys = Keys::of_change(self.service, self.client, record, id);
        let seen = self.see(Step::Update, turn, id, keys, merge).await?;
        require_fit(self.service, &seen.before, &seen.after)?;
        let changes = changes(record, &seen.before, &seen.after);
        store_changes(self.service, self.client, seen.write.session, id, changes).await?;
        Ok(seen.after)
    }

    /// Removes the item `id`; answers what it was.
    pub(super) async fn remove(self, id: &Value, turn: Turn) -> Result<Record, Failure> {
        let keys = Keys::of_removal(id);
        let merge = Record::clone;
        let seen = self.see(Step::Delete, turn, id, keys, merge).await?;
        remove(self.service, self.client, seen.write.session, id).await?;
        Ok(seen.before)
    }

    async fn begin(self, turn: Turn) -> Result<Write, DatabaseFailure> {
        let (database, definition) = (&self.service.database, self.service.definition);
        let statement = plan::take_turn(database.dialect(), definition, turn);
        let mut session = Session::new(database).beginning_with(statement);
        if turn == Turn::Alone {
            session.isolated().await?;
        }
        Ok(Write {
            facts: self.facts.clone(),
            session,
        })
    }

    /// Lets the hook *before* see the item `id` as the write makes it.
    ///
    /// The item is read before the transaction begins, so that a slow hook keeps no other writer
    /// waiting. Where it is another by then, the hook has to see it anew.
    async fn see(
        self,
        step: Step,
        turn: Turn,
        id: &Value,
        keys: Keys,
        merge: impl Fn(&Record) -> Record,
    ) -> Result<Seen, Failure> {
        let mut write = self.begin(turn).await?;
        let stored = match turn {
            Turn::Shared => self.read(id).await?,
            Turn::Alone => self.read_within(&mut write, id).await?,
        };
        require_targets(self.service, &mut write.session, turn, keys).await?;
        let before = merge(&stored);
        let hook = self.hooks.before(step, before.clone(), &mut write);
        let after = in_time(self.service, hook).await?;
        if self.read_within(&mut write, id).await? != stored {
            return Err(Failure::again("the item was changed while its hook ran"));
        }
        Ok(Seen {
            write,
            before,
            after,
        })
    }

    async fn read(self, id: &Value) -> Result<Record, Failure> {
        let (database, definition) = (&self.service.database, self.service.definition);
        let view = self.client.view(self.service);
        let statement = plan::whole_item(database.dialect(), view, id);
        let kept = || Kept::of(definition.all_attributes());
        let kept = database.read_item(statement, kept).await?;
        let record = kept.and_then(Kept::into_record);
        record.ok_or_else(|| no_such_item(self.service, id))
    }

    async fn read_within(self, write: &mut Write, id: &Value) -> Result<Record, Failure> {
        let (database, definition) = (&self.service.database, self.service.definition);
        let view = self.client.view(self.service);
        let statement = plan::whole_item(database.dialect(), view, id);
        let transaction = write.session.transaction().await?;
        let row = transaction.row(statement, definition.all_attributes());
        row.await?.ok_or_else(|| no_such_item(self.service, id))
    }
}

/// A hook that never ends would keep all other writers waiting with it.
pub(super) async fn in_time<T>(service: &Service, hook: HookFuture<'_, T>) -> Result<T, Failure> {
    let limit = service.hook_timeout;
    let in_time = tokio::time::timeout(limit, hook).await;
    in_time.unwrap_or_else(|_| {
        Err(Failure::internal(format!(
            "a hook took longer than {limit:?}"
        )))
    })
}

/// What is written: what the client changes, and what the hook changed beside it.
fn changes(named: &Record, merged: &Record, checked: &Record) -> Record {
    let mut changes = Record::absent(checked.len());
    for index in 0..checked.len() {
        let value = checked.get(index);
        let is_set = named.get(index).is_some() || value != merged.get(index);
        if let Some(value) = value.filter(|_| is_set) {
            changes.set(index, value.clone());
        }
    }
    changes
}

/// A hook that stores what the model forbids is a defect of the service, not of its client.
fn require_fit(service: &Service, before: &Record, checked: &Record) -> Result<(), Failure> {
    let misfit = validate::altered_misfit(service.definition, before, checked);
    misfit.map_or(Ok(()), |misfit| {
        let resource = service.definition.name();
        Err(Failure::internal(format!(
            "a hook of `{resource}` set a value that the model forbids: {misfit}"
        )))
    })
}
