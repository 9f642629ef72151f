//! The steps of every write, from top to bottom.
//!
//! | step | function |
//! |---|---|
//! | attempts, until no other write conflicts | [`Write::in_attempts`] |
//! | begin, with an exclusive lock in the last attempt | [`Write::begin`] |
//! | precondition, merge of patches | [`Write::attempt`] |
//! | references that the caller names, hook before | [`Write::require_references`] |
//! | statement, its diagnosis | [`Write::execute`] |
//! | hook of the row, and what it changes | [`Write::row_hook`] |
//! | commit, its diagnosis | [`Write::committed`] |
//! | hook after | [`run_after_hook`] |
//!
//! A write that need not see its item, as it has no hooks, is the statement and the commit alone ([`Write::alone`]).
//! Within a transaction of the developer's code there is one attempt, and the commit and the hook after are those of the
//! transaction ([`Write::within`]).

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use axum::http::Method;
use resource_model::error::{DatabaseResult, ErrorCode};
use resource_model::query::{Expected, LockMode, RowChange, RowQuery, Target};
use resource_model::schema::Attribute;
use resource_model::value::{Key, Record, Value};
use tokio::time::Instant;
use tracing::Instrument as _;

use super::diagnose::{
    diverted_key, explain_no_effect, explain_refusal, missing_references, no_such_item,
    still_in_use,
};
use super::idempotency::is_taken;
use super::keys::{Keys, NamedReference};
use super::model_validation::other_version_values;
use super::precondition::{Precondition, changed};
use super::retry::retry;
use super::{KeyedRequest, Service, model_validation};
use crate::authorization::{Caller, View};
use crate::failure::Failure;
use crate::hooks::{Checked, HookFuture, Hooks, RequestContext, WriteInfo, WriteKind};
use crate::items::Transaction;
use crate::store::{DatabaseTransaction, RecordCollector};

/// A write of one item, as its caller requested it.
#[derive(Debug, Clone)]
pub(super) struct Write {
    pub(super) service: Arc<Service>,
    pub(super) caller: Caller,
    pub(super) kind: WriteKind,
    /// The key of the item; none of a new one.
    pub(super) key: Option<Key>,
    /// The references whose targets the caller has to be allowed to read.
    pub(super) named_references: Vec<NamedReference>,
    /// The state in which the item has to be, or the write is refused.
    pub(super) precondition: Precondition,
    /// Values that the item must still have, as the statement compares them.
    pub(super) expected: Expected,
    /// The attributes whose value depends on the stored one.
    pub(super) patches: Vec<usize>,
    /// The request that creates nothing when it comes again.
    pub(super) keyed: Option<KeyedRequest>,
    /// True where the item is returned, to code. Clients get none, so that their writes need no copy.
    pub(super) returns_item: bool,
    /// The attributes of a new item that hooks see with placeholders, as the database sets them.
    unset: Vec<usize>,
}

impl Write {
    /// A write whose caller names these values.
    pub(super) fn new(
        service: &Arc<Service>,
        caller: Caller,
        kind: WriteKind,
        key: Option<Key>,
        record: &Record,
    ) -> Self {
        // Found once for all attempts, as neither the caller nor the values change between them.
        let named_references = NamedReference::all_in(service, service.view(&caller), record);
        Self {
            service: Arc::clone(service),
            caller,
            kind,
            key,
            named_references,
            precondition: Precondition::None,
            expected: Expected::new(),
            patches: Vec::new(),
            keyed: None,
            returns_item: false,
            unset: Vec::new(),
        }
    }

    /// The resource as the caller may see it.
    pub(super) fn view(&self) -> View<'_> {
        self.service.view(&self.caller)
    }

    /// Writes the values of `record`, with the hooks of the resource where there is a `context` for them, and `within` a
    /// transaction where there is one; returns the key of the item and, where it is wanted and known, the item.
    pub(super) async fn run(
        mut self,
        record: Record,
        context: Option<RequestContext>,
        within: Option<&mut Transaction>,
    ) -> Result<(Key, Option<Record>), Failure> {
        // Without a context, the hooks of the resource are left out.
        let hooks = self.service.hooks.clone().filter(|_| context.is_some());
        if hooks.is_none()
            && self.patches.is_empty()
            && let Some(expected) = self.precondition.of_statement(&self.service)
        {
            self.expected = expected;
            let Some(transaction) = within else {
                return Ok((self.alone(record).await?, None));
            };
            self.lock_first(transaction);
            let begun = transaction.begin().await?;
            let (key, _) = Box::pin(self.execute(begun, true, record)).await?;
            return Ok((key, None));
        }
        // Without hooks, nobody sees it.
        let of_code = || RequestContext::of_code(Method::PATCH, &self.service.clock);
        let context = context.unwrap_or_else(of_code);
        // On the heap, so that the futures of writes without hooks stay small.
        match within {
            None if hooks.is_none() => Box::pin(self.in_attempts(hooks, context, record)).await,
            None => Box::pin(run_to_completion(self.in_attempts(hooks, context, record))).await,
            Some(transaction) => Box::pin(self.within(transaction, hooks, context, record)).await,
        }
    }

    /// Writes a new item; returns its key, and the item as it was stored.
    pub(super) async fn create(
        mut self,
        record: Record,
        context: Option<RequestContext>,
        within: Option<&mut Transaction>,
    ) -> Result<(Key, Record), Failure> {
        self.returns_item = true;
        let service = Arc::clone(&self.service);
        // The statement consumes the record.
        let stored = record.clone().filled_with(&Value::Null);
        let mut within = within;
        let (key, by_hooks) = self.run(record, context, within.as_deref_mut()).await?;
        let stored = by_hooks.unwrap_or(stored);
        let stored = service.definition.with_key(stored, &key, IS_ASSIGNED);
        let item = completed(&service, &key, stored, within).await?;
        Ok((key, item))
    }

    /// A write without hooks, which is a transaction of its own.
    async fn alone(&self, record: Record) -> Result<Key, Failure> {
        let service = &*self.service;
        service.load_triggers().await?;
        let is_begun = self.needs_transaction();
        let mut transaction = service.begin_statement(is_begun).await?;
        let (key, keys) = self.execute(&mut transaction, is_begun, record).await?;
        self.committed(transaction.commit_changes().await, key, keys)
            .await
    }

    /// The record with its patches merged into the stored values.
    fn merged<'record>(
        &self,
        stored: &Record,
        record: &'record Record,
    ) -> Result<Cow<'record, Record>, Failure> {
        // The usual case needs no copy of the values.
        if self.patches.is_empty() {
            return Ok(Cow::Borrowed(record));
        }
        let definition = self.service.definition;
        // Code reads all of what is stored.
        let is_stored = |_: &_, told: &_, stored: &_| told == stored;
        let tells = if self.view().is_system() {
            is_stored
        } else {
            Attribute::tells
        };
        let record = record.clone();
        let merged = model_validation::merged(definition, &self.patches, stored, record, tells);
        merged.map(Cow::Owned)
    }

    /// A write that sees its item: attempts until none conflicts with another write, and the hook after.
    async fn in_attempts(
        mut self,
        hooks: Option<Arc<dyn Hooks>>,
        context: RequestContext,
        record: Record,
    ) -> Result<(Key, Option<Record>), Failure> {
        self.service.load_triggers().await?;
        self.note_unset(&record);
        let (info, record) = self.for_hooks(context, record);
        let attempt = async |mode| {
            // Without a hook, which may read other rows, the last attempt locks the item alone.
            let mut transaction = match &hooks {
                Some(_) => self.begin(mode).await?,
                None => Transaction::new(&self.service.database, self.service.services()?),
            };
            let attempt = self.attempt(&mut transaction, hooks.as_ref(), &info, &record, mode);
            let written = attempt.await?;
            let (committed, keys) = (transaction.commit_changes().await, written.keys.clone());
            self.committed(committed, written, keys).await
        };
        // No attempt begins later, so that a slow hook which conflicts each time takes at most twice its time.
        let (begun, limit) = (Instant::now(), self.service.hook_timeout);
        let may_retry = |failure: &Failure| failure.is_retryable() && begun.elapsed() <= limit;
        let written = retry(may_retry, attempt).await?;
        let (returned, after) = self.ended(hooks, written);
        if let Some(after) = after {
            after.await;
        }
        Ok(returned)
    }

    /// A write that sees its item within a transaction, whose commit the hook after waits for.
    async fn within(
        mut self,
        transaction: &mut Transaction,
        hooks: Option<Arc<dyn Hooks>>,
        context: RequestContext,
        record: Record,
    ) -> Result<(Key, Option<Record>), Failure> {
        self.note_unset(&record);
        let (info, record) = self.for_hooks(context, record);
        self.lock_first(transaction);
        transaction.begin().await?;
        transaction.enter_hooks()?;
        let mode = LockMode::Exclusive;
        let attempt = self.attempt(transaction, hooks.as_ref(), &info, &record, mode);
        let written = attempt.await;
        transaction.leave_hooks();
        let (returned, after) = self.ended(hooks, written?);
        if let Some(after) = after {
            transaction.after_commit(move || Box::pin(after));
        }
        Ok(returned)
    }

    /// The write as hooks see it, and its record: of a new item, a value of every attribute, since the hook takes a
    /// struct.
    fn for_hooks(&self, context: RequestContext, record: Record) -> (WriteInfo, Record) {
        // Made of the record before it is filled: only what the client or a default sets counts as changed.
        let info = WriteInfo::new(context, self.key.clone(), &record);
        if self.kind != WriteKind::Create {
            return (info, record);
        }
        let placeholder = Key::from(Value::Integer(0));
        let definition = self.service.definition;
        let mut record = definition.with_key(record, &placeholder, IS_ASSIGNED);
        for index in &self.unset {
            let attribute = definition.all_attributes().get(*index);
            if let Some(placeholder) = attribute.map(Attribute::placeholder) {
                record.set(*index, placeholder);
            }
        }
        (info, record.filled_with(&Value::Null))
    }

    /// Notes what the database sets of a new item.
    fn note_unset(&mut self, record: &Record) {
        if self.kind == WriteKind::Create && self.service.definition.has_values_of_database() {
            let attributes = self.service.definition.all_attributes().iter().enumerate();
            let unset = attributes.filter(|(index, it)| it.is_left_to_database(record.get(*index)));
            self.unset = unset.map(|(index, _)| index).collect();
        }
    }

    /// The key of the item and, for code, the item; with the call of the hook after, where there is one.
    fn ended(
        self,
        hooks: Option<Arc<dyn Hooks>>,
        written: Written,
    ) -> ((Key, Option<Record>), Option<impl Future<Output = ()>>) {
        let item = self.returns_item.then(|| written.record.clone());
        let hooks = hooks.filter(|_| written.has_after_hook);
        let (record, info) = (written.record, written.info);
        let after = hooks.map(|it| run_after_hook(self.service, it, self.kind, record, info));
        ((written.key, item), after)
    }

    /// The result of a write, unless its commit was refused by a deferred constraint.
    async fn committed<T>(
        &self,
        committed: DatabaseResult<()>,
        written: T,
        keys: Keys,
    ) -> Result<T, Failure> {
        match committed {
            Ok(()) => Ok(written),
            Err(failure) => Err(Box::pin(explain_refusal(self, failure, keys)).await?),
        }
    }

    /// An attempt of a write that sees its item, all but its commit.
    ///
    /// Except in the exclusive attempt, the item is read before the transaction begins, so that a slow hook
    /// keeps no other writer waiting. If another write has changed the item meanwhile, a retry shows it to the hook anew.
    /// A hook that changes it by SQL of its own succeeds in the exclusive attempt alone.
    async fn attempt(
        &self,
        transaction: &mut Transaction,
        hooks: Option<&Arc<dyn Hooks>>,
        info: &WriteInfo,
        record: &Record,
        mode: LockMode,
    ) -> Result<Written, Failure> {
        // A hook of an update or a deletion sees the whole item, not the named values alone.
        let stored = match (&self.key, mode) {
            (None, _) => None,
            (Some(key), LockMode::Shared) => Some(self.read(key, None, false).await?),
            (Some(key), LockMode::Exclusive) => Some(self.read_for_update(transaction, key).await?),
        };
        let stored = stored.map(Arc::new);
        let (proposed, record) = match &stored {
            None => (record.clone(), Cow::Borrowed(record)),
            Some(stored) => {
                // Compared here and not by the statement, as the hook itself may change the item.
                self.precondition.require(self, stored)?;
                let record = self.merged(stored, record)?;
                (stored.with(&record), record)
            }
        };
        let info = Arc::new(info.of_stored(stored.clone(), &record));
        let Checked {
            record: checked,
            has_row_hook,
            has_after_hook,
        } = match hooks {
            None => Checked::unchanged(&proposed),
            Some(hooks) => {
                // A missing item has been reported by now, and no hook has run.
                self.require_references(transaction, &record, mode).await?;
                // A clone, since the comparison below tells which values the hook has changed.
                let hook = hooks.before(self.kind, proposed.clone(), &info, transaction);
                with_timeout(&self.service, hook).await?
            }
        };
        // The rest belongs to one transaction, in which no other write may change what the hook reads.
        if has_row_hook {
            transaction.begin().await?;
        }
        // As in `alone`, a trigger may have to be undone.
        if self.needs_transaction() {
            Box::pin(transaction.begun_or_read_committed()).await?;
        }
        let is_begun = transaction.is_begun();
        let mut write = Cow::Borrowed(self);
        // The hook saw an item that was not locked: another write may have changed it since. In the exclusive
        // attempt only the hook itself can have done so.
        if mode == LockMode::Shared
            && let Some((key, stored)) = self.key.as_ref().zip(stored)
        {
            if !is_begun {
                // A single statement compares the item by itself.
                write.to_mut().expected = self.expecting(&stored);
            } else if self.read_for_update(transaction, key).await? != *stored {
                return Err(Failure::retryable(
                    "the item was changed while its hook ran",
                ));
            }
        }
        let values = match self.kind {
            // A hook before a deletion can refuse it, but has no item to change.
            WriteKind::Delete => record.into_owned(),
            WriteKind::Create | WriteKind::Update => {
                // The draft was checked before the hook, but not what the hook made of it.
                ensure_valid(&self.service, &proposed, &checked)?;
                let mut values = values_to_write(&record, &proposed, &checked);
                for index in &self.unset {
                    // What the hook has left as it was is left to the database.
                    if checked.get(*index) == proposed.get(*index) {
                        values.take(*index);
                    }
                }
                values
            }
        };
        let statement = transaction.begun_or_single()?;
        let executed = match &self.key {
            // All that its client named is what they have read.
            Some(key) if self.kind == WriteKind::Update && values.is_empty() => {
                Ok((key.clone(), Keys::of(self, &values)))
            }
            _ => write.execute(statement, is_begun, values).await,
        };
        let (key, keys) = executed.map_err(|failure| write.conflict(failure))?;
        // From here on hooks see the assigned key in place of the placeholder, and in their `Change`.
        let definition = self.service.definition;
        let mut record = definition.with_key(checked, &key, IS_ASSIGNED);
        if self.reads_back() {
            let begun = transaction.begun_or_read_committed().await?;
            record = read_back(&self.service, &key, Some(begun), record).await?;
        }
        let info = Arc::new(info.of_item(&key));
        if let Some(hooks) = hooks.filter(|_| has_row_hook) {
            let hook = self.row_hook(transaction, hooks, &info, record, &key);
            record = hook.await?;
        }
        Ok(Written {
            key,
            record,
            info,
            keys,
            has_after_hook,
        })
    }

    /// The values of an item that was read, all but the key, by which it is found anyhow.
    fn expecting(&self, stored: &Record) -> Expected {
        let attributes = self.service.definition.all_attributes().iter().enumerate();
        let others = attributes.filter(|(_, it)| !it.is_primary_key());
        let others = others.filter_map(|(index, it)| Some((it, stored.get(index)?.clone())));
        others.collect()
    }

    /// The failure of a statement that compared the item with what was read: one by another write, which a further attempt
    /// reads. Where the item is as before again, it looks like one that a trigger protects.
    fn conflict(&self, failure: Failure) -> Failure {
        let is_changed =
            failure.is_refusal(ErrorCode::PreconditionFailed) || failure.is_unexplained();
        if is_changed && !self.expected.is_empty() {
            return Failure::retryable(failure);
        }
        failure
    }

    /// Calls the hook that follows the statement in its transaction, and writes what it changes of the item; returns
    /// the item.
    async fn row_hook(
        &self,
        transaction: &mut Transaction,
        hooks: &Arc<dyn Hooks>,
        info: &Arc<WriteInfo>,
        written: Record,
        key: &Key,
    ) -> Result<Record, Failure> {
        let service = &self.service;
        let hook = hooks.row(self.kind, written.clone(), info, transaction);
        let changed = with_timeout(service, hook).await?;
        if self.kind == WriteKind::Delete || changed == written {
            return Ok(changed);
        }
        ensure_valid(service, &written, &changed)?;
        let nothing = Record::absent(written.len());
        let values = values_to_write(&nothing, &written, &changed);
        let deleted = service.definition.deletion_attribute();
        let deleted = deleted.and_then(|(index, _)| written.get(index));
        let caller = match deleted {
            None | Some(Value::Null) => Caller::System,
            Some(_) => Caller::SystemWithDeleted,
        };
        let key = Some(key.clone());
        let update = Self::new(service, caller, WriteKind::Update, key, &nothing);
        let begun = transaction.begin().await?;
        update.execute(begun, true, values).await?;
        Ok(changed)
    }

    /// The transaction of an attempt; an exclusive one locks other writers out from now on, a shared one
    /// locks the table when its hook first reads.
    async fn begin(&self, mode: LockMode) -> DatabaseResult<Transaction> {
        let service = &self.service;
        let mut transaction = Transaction::new(&service.database, service.services()?);
        transaction.lock_first(service.definition, mode);
        self.lock_first(&mut transaction);
        // The lock comes before the item is read, so that no other write can come between and conflict again.
        if mode == LockMode::Exclusive {
            transaction.begin().await?;
        }
        Ok(transaction)
    }

    /// The item, as the transaction sees it where there is one, and locked until its end where it is read `for_update`. All
    /// attributes are read, hidden ones too, as hooks are the developer's code; only the rows are limited to the caller's.
    pub(super) async fn find(
        &self,
        key: &Key,
        transaction: Option<&mut DatabaseTransaction>,
        for_update: bool,
    ) -> DatabaseResult<Option<Record>> {
        let definition = self.service.definition;
        let item = RowQuery::WholeItem {
            view: self.view(),
            key,
            for_update,
        };
        if let Some(transaction) = transaction {
            return transaction.row(item, definition).await;
        }
        let collector = move || RecordCollector::new(definition);
        let item = self.service.database.read_item(item, collector).await?;
        Ok(item.and_then(RecordCollector::into_record))
    }

    /// The item as [`find`](Self::find) reads it, which fails where there is none.
    pub(super) async fn read(
        &self,
        key: &Key,
        transaction: Option<&mut DatabaseTransaction>,
        for_update: bool,
    ) -> Result<Record, Failure> {
        let item = self.find(key, transaction, for_update).await?;
        item.ok_or_else(|| no_such_item(&self.service, key))
    }

    /// The item, locked in a transaction that `begin` or the hook has begun, or that begins here, after a slow hook has
    /// ended.
    async fn read_for_update(
        &self,
        transaction: &mut Transaction,
        key: &Key,
    ) -> Result<Record, Failure> {
        let begun = transaction.begun_or_read_committed().await?;
        self.read(key, Some(begun), true).await
    }

    /// Refuses references to rows that are not visible to the caller, as the statement would, but before a
    /// hook sees an item with such a reference.
    ///
    /// Except in the exclusive attempt, this is read outside of the transaction, so that a slow hook keeps no
    /// other writer waiting.
    async fn require_references(
        &self,
        transaction: &mut Transaction,
        record: &Record,
        mode: LockMode,
    ) -> Result<(), Failure> {
        // The usual case, which needs no copy of the values.
        if self.named_references.is_empty() {
            return Ok(());
        }
        let keys = Keys::of(self, record);
        // Without limited targets the foreign key checks the references, as for writes without hooks.
        if keys.targets(&self.service).is_empty() {
            return Ok(());
        }
        // The exclusive attempt reads within the transaction that `begin` began: while it holds one
        // connection, it must not wait for another.
        let transaction = match mode {
            LockMode::Shared => None,
            LockMode::Exclusive => Some(transaction.begun_or_read_committed().await?),
        };
        let missing = missing_references(&self.service, transaction, keys).await?;
        missing.map_or(Ok(()), |missing| Err(missing.into()))
    }

    /// Writes the values of `record`, with the answer to a request with a key; returns the key of the item, and the keys that
    /// explain a refusal by the commit.
    async fn execute(
        &self,
        transaction: &mut DatabaseTransaction,
        is_begun: bool,
        record: Record,
    ) -> Result<(Key, Keys), Failure> {
        let service = &*self.service;
        // Taken of the record that is written, with the values of hooks; the statement consumes the record.
        let keys = Keys::of(self, &record);
        if self.requires_unused() {
            Box::pin(self.require_unused(transaction)).await?;
        }
        if is_begun && service.defers_keys {
            transaction.check_keys_at_once().await?;
        }
        let mut chosen_key = None;
        if service.may_be_diverted(self.kind) || self.keyed.is_some() {
            // A row that a trigger moves to another table returns no key, but may be found there by this one.
            chosen_key = Key::chosen_in(&record, service.definition);
        }
        let targets = keys.targets(service);
        let mut change = self.row_change(record, targets);
        if let RowChange::Insert { companion, .. } = &mut change {
            // One statement stores both, so that writes with a key take part in group commits, too.
            let keyed = self.keyed.as_ref().filter(|_| !is_begun);
            *companion = keyed.map(|it| it.row(service, chosen_key.as_ref()));
        }
        let written = transaction.change(change).await;
        // Rare branches are on the heap, so that the future of a write that succeeds stays small.
        let key = match written {
            Ok(Some(key)) => Some(key),
            // A trigger may have stored the row elsewhere, which is a success and no refusal.
            Ok(None) => Box::pin(diverted_key(self, transaction, chosen_key, keys.clone())).await?,
            // The refusal is of the request, and no value of its item.
            Err(failure) if self.keyed.is_some() && is_taken(&failure) => {
                return Err(failure.into());
            }
            Err(failure) => return Err(Box::pin(explain_refusal(self, failure, keys)).await?),
        };
        let Some(key) = key else {
            // An update or a deletion without effect is mostly a 404, which needs no transaction, so
            // one that is not begun is left out.
            let is_needed = is_begun || self.kind == WriteKind::Create;
            let begun = is_needed.then_some(transaction);
            return Err(Box::pin(explain_no_effect(self, begun, keys)).await?);
        };
        if let Some(keyed) = self.keyed.as_ref().filter(|_| is_begun) {
            Box::pin(keyed.store(service, transaction, &key)).await?;
        }
        Ok((key, keys))
    }

    /// The attribute that a deletion sets, unless it removes the row.
    fn deletion_attribute(&self) -> Option<(usize, &'static Attribute)> {
        let is_soft = self.kind == WriteKind::Delete && !self.view().shows_deleted();
        let deleted = self.service.definition.deletion_attribute();
        deleted.filter(|_| is_soft)
    }

    /// Has a deletion lock the table before the snapshot of its transaction, in which [`require_unused`] would not see an
    /// item that has been made to refer to this one since: whoever does so locks a row of the table.
    ///
    /// [`require_unused`]: Self::require_unused
    fn lock_first(&self, transaction: &mut Transaction) {
        if self.requires_unused() {
            transaction.lock_first(self.service.definition, LockMode::Exclusive);
        }
    }

    /// Tests whether the statement alone is not enough: a trigger may have to be undone, or a deletion has to lock the
    /// item before it looks for items that refer to it.
    fn needs_transaction(&self) -> bool {
        let mut key = self.service.definition.key_attributes();
        self.service.may_be_diverted(self.kind)
            || self.requires_unused()
            || self.reads_back()
            || self.keyed.is_some() && key.any(Attribute::has_default_of_database)
    }

    /// Tests whether the item is read once it is written, as hooks see values that the database sets.
    fn reads_back(&self) -> bool {
        self.kind != WriteKind::Delete
            && self.service.hooks.is_some()
            && self.service.definition.has_values_of_database()
    }

    /// Tests whether no foreign key refuses to leave items behind that refer to a deleted one: where its row stays, and
    /// where a table has no such key.
    fn requires_unused(&self) -> bool {
        self.deletion_attribute().is_some()
            || self.kind == WriteKind::Delete && self.service.has_unenforced_referrers
    }

    /// Tests whether an item has other values than these.
    pub(super) fn differs(&self, expected: &Expected, stored: &Record) -> bool {
        let mut expected = expected.iter();
        expected.any(|(attribute, value)| {
            let found = self.service.definition.find(attribute.name());
            found.and_then(|(index, _)| stored.get(index)) != Some(value)
        })
    }

    /// Refuses the deletion of an item that living items refer to, as the foreign key would refuse to remove the row.
    ///
    /// The lock comes first: whoever refers to the item holds a lock of it until the commit, and is seen after it.
    async fn require_unused(&self, transaction: &mut DatabaseTransaction) -> Result<(), Failure> {
        let (service, Some(key)) = (&self.service, &self.key) else {
            return Ok(());
        };
        let item = self.read(key, Some(&mut *transaction), true).await?;
        if self.differs(&self.expected, &item) {
            return Err(changed(service, key));
        }
        let referrers = still_in_use(self, transaction, key).await?;
        referrers.map_or(Ok(()), |error| Err(error.into()))
    }

    fn row_change<'a>(&'a self, mut record: Record, targets: Vec<Target<'a>>) -> RowChange<'a> {
        let service = &self.service;
        // Other versions of the resource may have columns in the same table: their defaults
        // keep the row readable there.
        let Some(key) = &self.key else {
            let others = &service.defaulted_by_other_versions;
            return RowChange::Insert {
                definition: service.definition,
                record,
                of_other_versions: other_version_values(others, Attribute::default_value),
                targets,
                companion: None,
            };
        };
        let (view, expected) = (self.view(), self.expected.clone());
        let mut of_other_versions = Vec::new();
        if self.kind != WriteKind::Delete {
            let others = &service.updated_by_other_versions;
            of_other_versions = other_version_values(others, Attribute::value_on_update);
        } else if let Some((index, deleted)) = self.deletion_attribute() {
            if let Some(now) = deleted.deleted_at(service.clock.now()) {
                record.set(index, now);
            }
        } else {
            return RowChange::Delete {
                view,
                key,
                expected,
            };
        }
        RowChange::Update {
            view,
            key,
            record,
            of_other_versions,
            targets,
            expected,
        }
    }
}

/// A write with hooks before its commit.
struct Written {
    key: Key,
    /// The item as the hook after sees it.
    record: Record,
    info: Arc<WriteInfo>,
    keys: Keys,
    has_after_hook: bool,
}

/// The item as it was stored, with the values that the database has set, if it sets any.
pub(super) async fn completed(
    service: &Arc<Service>,
    key: &Key,
    stored: Record,
    within: Option<&mut Transaction>,
) -> Result<Record, Failure> {
    if !service.definition.has_values_of_database() {
        return Ok(stored);
    }
    let begun = begun(within).await?;
    Ok(Box::pin(read_back(service, key, begun, stored)).await?)
}

/// The transaction of the caller, where there is one.
pub(super) async fn begun(
    within: Option<&mut Transaction>,
) -> DatabaseResult<Option<&mut DatabaseTransaction>> {
    match within {
        Some(transaction) => transaction.begin().await.map(Some),
        None => Ok(None),
    }
}

/// The item as it is stored, whoever may see it; `written`, where another write has removed it since.
async fn read_back(
    service: &Arc<Service>,
    key: &Key,
    begun: Option<&mut DatabaseTransaction>,
    written: Record,
) -> DatabaseResult<Record> {
    let nothing = Record::absent(written.len());
    let caller = Caller::SystemWithDeleted;
    let read = Write::new(service, caller, WriteKind::Update, None, &nothing);
    let read = read.find(key, begun, false).await?;
    Ok(read.unwrap_or(written))
}

/// Runs a write to completion even if its client disconnects, so that no hook is cancelled half-way.
async fn run_to_completion<T: Send + 'static>(
    write: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    // A task goes on when the future that waits for it is dropped, as happens when a client disconnects.
    let written = tokio::spawn(write.in_current_span()).await;
    // A panic of the hook ends its task, and becomes a 500 here.
    written.unwrap_or_else(|error| Err(Failure::internal(format!("the write ended: {error}"))))
}

/// Runs the hook after a write. A failure is only logged, since the write is done.
async fn run_after_hook(
    service: Arc<Service>,
    hooks: Arc<dyn Hooks>,
    kind: WriteKind,
    record: Record,
    info: Arc<WriteInfo>,
) {
    let hook = async move { with_timeout(&service, hooks.after(kind, record, info)).await };
    // The task of its own turns a panic of the hook into an error here.
    let cause = match tokio::spawn(hook.in_current_span()).await {
        Ok(Ok(())) => return,
        // A refusal comes too late to be one: the client gets its success, and the log the reason.
        Ok(Err(failure)) => failure.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(cause, ?kind, "a hook failed after the write was done");
}

/// Runs a hook with a timeout: one that never ends would keep all other writers waiting with it.
async fn with_timeout<T>(service: &Service, hook: HookFuture<'_, T>) -> Result<T, Failure> {
    let limit = service.hook_timeout;
    let in_time = tokio::time::timeout(limit, hook).await;
    let problem = || format!("a hook took longer than {limit:?}");
    in_time.unwrap_or_else(|_| Err(Failure::internal(problem())))
}

/// The part of a key that the database assigns: set to a placeholder before the insertion, then to what was assigned. A key
/// that the client or a default chose stays as it is.
pub(super) const IS_ASSIGNED: fn(&Attribute) -> bool = Attribute::is_assigned_by_database;

/// The values to write: those that the caller names, and those that the hook changed.
fn values_to_write(named: &Record, proposed: &Record, checked: &Record) -> Record {
    let mut changes = Record::absent(checked.len());
    for index in 0..checked.len() {
        let value = checked.get(index);
        // The caller's values are in `proposed` already, so the comparison finds those of the hook alone.
        let is_set = named.get(index).is_some() || value != proposed.get(index);
        if let Some(value) = value.filter(|_| is_set) {
            changes.set(index, value.clone());
        }
    }
    changes
}

/// Refuses a value of a hook that the model forbids: a defect of the service, not of its client.
fn ensure_valid(service: &Service, proposed: &Record, checked: &Record) -> Result<(), Failure> {
    let violation = model_validation::hook_violation(service.definition, proposed, checked);
    violation.map_or(Ok(()), |violation| {
        let resource = service.definition.name();
        Err(Failure::internal(format!(
            "a hook of `{resource}` set a value that the model forbids: {violation}"
        )))
    })
}
