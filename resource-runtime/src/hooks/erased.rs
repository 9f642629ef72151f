//! Validators with the types of their resources erased.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use resource_model::error::{ApiError, ErrorCode};
use resource_model::schema::{Attribute, ErasedValidator};
use resource_model::value::{Key, Record, Value};

use super::item::Item;
use super::{Change, HookResult, Messages, RequestContext, Validator, WriteContext, WriteInfo};
use crate::ApiResource;
use crate::boxed::BoxFuture;
use crate::failure::Failure;
use crate::items::{Transaction, unreadable};

/// The boxed future of a hook: operations are compiled once, not for every validator.
pub(crate) type HookFuture<'hook, T> = BoxFuture<'hook, Result<T, Failure>>;

/// The kind of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Create,
    Update,
    Delete,
}

/// An item after the hook before its write.
pub(crate) struct Checked {
    /// The record to store.
    pub(crate) record: Record,
    /// True where a hook follows the statement in its transaction.
    pub(crate) has_row_hook: bool,
    /// True where a hook follows the commit.
    pub(crate) has_after_hook: bool,
}

impl Checked {
    /// An item without hooks.
    pub(crate) fn unchanged(record: &Record) -> Self {
        Self {
            record: record.clone(),
            has_row_hook: false,
            has_after_hook: false,
        }
    }
}

/// A [`Validator`] with the type of its resource erased: it takes and returns records. The developer
/// registers a validator; from here on the runtime calls it the hooks of the resource.
pub(crate) trait Hooks: fmt::Debug + Send + Sync {
    /// Checks an item, as it would be after the write.
    fn before<'hook>(
        &'hook self,
        kind: WriteKind,
        record: Record,
        info: &'hook Arc<WriteInfo>,
        transaction: &'hook mut Transaction,
    ) -> HookFuture<'hook, Checked>;

    /// Calls the hook that follows the statement in its transaction; returns the item as the hook leaves it.
    fn row<'hook>(
        &'hook self,
        kind: WriteKind,
        record: Record,
        info: &'hook Arc<WriteInfo>,
        transaction: &'hook mut Transaction,
    ) -> HookFuture<'hook, Record>;

    /// Calls the hook after a write that is durable.
    fn after(&self, kind: WriteKind, record: Record, info: Arc<WriteInfo>) -> HookFuture<'_, ()>;

    /// The record that a client may see of an item; an error's text is for the log.
    fn format(&self, record: Record, request: &RequestContext) -> Result<Record, String>;
}

/// Erases the types of `validator`.
#[must_use]
pub(crate) fn erase<R: ApiResource>(validator: impl Validator<R>) -> ErasedValidator {
    // From here on only records cross the boundary, whatever the type of the resource.
    let hooks: Arc<dyn Hooks> = Arc::new(Typed {
        validator,
        resource: PhantomData,
    });
    ErasedValidator::of(hooks)
}

/// The hooks of a validator, all of which are made by [`erase`].
pub(crate) fn hooks_of(validator: Option<&ErasedValidator>) -> Option<Arc<dyn Hooks>> {
    validator?.hooks().cloned()
}

struct Typed<R, V> {
    validator: V,
    resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource, V: Validator<R>> Hooks for Typed<R, V> {
    fn before<'hook>(
        &'hook self,
        kind: WriteKind,
        record: Record,
        info: &'hook Arc<WriteInfo>,
        transaction: &'hook mut Transaction,
    ) -> HookFuture<'hook, Checked> {
        Box::pin(async move {
            // The one place on the way of a write where the compiler generates code for each resource.
            let mut resource = typed::<R>(record)?;
            let context = &mut WriteContext::new(info, transaction);
            // An item that is removed need not be valid: one that is older than a rule could
            // never be removed otherwise.
            if kind != WriteKind::Delete {
                let mut messages = Messages::new();
                // The validator sees the item as it would be stored, without the right to change it.
                let validated = self.validator.validate(&resource, context, &mut messages);
                outcome(validated.await)?;
                // All messages go to the client at once, and before the hook, which relies on a valid item.
                if !messages.is_empty() {
                    let error = ApiError::of_problems(ErrorCode::InvalidItem, messages.problems);
                    return Err(error.into());
                }
            }
            let item = &mut resource;
            // The hook may change the item, so it runs last and its item is what is stored.
            outcome(match kind {
                WriteKind::Create => self.validator.before_create(item, context).await,
                WriteKind::Update => self.validator.before_update(item, context).await,
                WriteKind::Delete => self.validator.before_delete(item, context).await,
            })?;
            // Made and dropped: nothing of an `async fn` runs before its first poll, while the default notes itself at
            // once. So writes without these hooks need no transaction, and keep no item until its commit.
            match kind {
                WriteKind::Create => drop(self.validator.row_created(item, context)),
                WriteKind::Update => drop(self.validator.row_updated(item, context)),
                WriteKind::Delete => drop(self.validator.row_deleted(item, context)),
            }
            let has_row_hook = context.take_has_hook();
            match kind {
                WriteKind::Create => drop(self.validator.after_create(item, context)),
                WriteKind::Update => drop(self.validator.after_update(item, context)),
                WriteKind::Delete => drop(self.validator.after_delete(item, context)),
            }
            Ok(Checked {
                has_row_hook,
                has_after_hook: context.take_has_hook(),
                record: stored::<R>(&resource),
            })
        })
    }

    fn row<'hook>(
        &'hook self,
        kind: WriteKind,
        record: Record,
        info: &'hook Arc<WriteInfo>,
        transaction: &'hook mut Transaction,
    ) -> HookFuture<'hook, Record> {
        Box::pin(async move {
            let mut resource = typed::<R>(record)?;
            let context = &mut WriteContext::new(info, transaction);
            let item = &mut resource;
            outcome(match kind {
                WriteKind::Create => self.validator.row_created(item, context).await,
                WriteKind::Update => self.validator.row_updated(item, context).await,
                WriteKind::Delete => self.validator.row_deleted(item, context).await,
            })?;
            Ok(stored::<R>(&resource))
        })
    }

    fn after(&self, kind: WriteKind, record: Record, info: Arc<WriteInfo>) -> HookFuture<'_, ()> {
        Box::pin(async move {
            let resource = typed::<R>(record)?;
            let change = Change::new(info);
            outcome(match kind {
                WriteKind::Create => self.validator.after_create(&resource, &change).await,
                WriteKind::Update => self.validator.after_update(&resource, &change).await,
                WriteKind::Delete => self.validator.after_delete(&resource, &change).await,
            })
        })
    }

    fn format(&self, mut record: Record, request: &RequestContext) -> Result<Record, String> {
        // The record stays the source of the response: what the hook does not alter is shown as it is stored.
        let resource = typed::<R>(record.clone()).map_err(|failure| failure.to_string())?;
        let mut item = Item::new(resource);
        self.validator.format(&mut item, request);
        // In the order of the calls, so that the last alteration of an attribute holds.
        for (index, value) in item.alterations {
            let attribute = redacted_attribute::<R>(index)?;
            // An absent value is not written, so a cleared attribute is missing from the
            // response rather than null.
            record.take(index);
            if let Some(value) = value {
                record.set(index, redacted_value::<R>(attribute, value)?);
            }
        }
        Ok(record)
    }
}

impl<R: ApiResource, V: Validator<R>> fmt::Debug for Typed<R, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(std::any::type_name::<V>())
    }
}

/// The values of an item that a hook may have changed, in the digits that are stored.
fn stored<R: ApiResource>(resource: &R) -> Record {
    let mut record = resource.to_record();
    R::DEFINITION.adjust(&mut record);
    record
}

fn outcome(hook: HookResult) -> Result<(), Failure> {
    hook.map_err(super::HookError::into_failure)
}

fn typed<R: ApiResource>(record: Record) -> Result<R, Failure> {
    let mut attributes = R::DEFINITION.all_attributes().iter();
    let key = attributes.position(Attribute::is_primary_key);
    // The first part finds the row, or few.
    let key = key.and_then(|it| record.get(it)).cloned().map(Key::from);
    let mut values = record.into_values();
    let item = R::from_values(&mut values);
    Ok(item.map_err(|error| unreadable(R::DEFINITION, values.last(), key, &error))?)
}

/// The attribute that a format hook alters, which must be declared with `redacts(…)`: filters and orders
/// know nothing of the hook, and would still reveal the value.
fn redacted_attribute<R: ApiResource>(attribute: usize) -> Result<&'static Attribute, String> {
    // The index comes from a field of the resource, so an unknown one is a defect of the derive.
    let (Some(attribute), resource) = (R::ATTRIBUTES.get(attribute), R::DEFINITION.name()) else {
        return Err(String::from("the format hook alters an unknown attribute"));
    };
    if attribute.is_secret() {
        return Ok(attribute);
    }
    let name = attribute.name();
    Err(format!(
        "the format hook of `{resource}` alters `{name}`, which filters and orders would still \
         tell; add `#[resource(redacts({name}))]`"
    ))
}

/// The value that replaces the stored one, which must be of the attribute's type, too.
fn redacted_value<R: ApiResource>(attribute: &Attribute, value: Value) -> Result<Value, String> {
    // Null has one form, whatever the kind of the attribute.
    if value == Value::Null {
        return Ok(value);
    }
    // Like a stored value, the new one must have the form that the encoder expects of its kind.
    attribute.normalise(value).map_err(|error| {
        let (resource, name) = (R::DEFINITION.name(), attribute.name());
        format!("the format hook of `{resource}` sets `{name}`, which {error}")
    })
}
