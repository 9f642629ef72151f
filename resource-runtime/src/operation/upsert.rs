//! The write of an item under a key that its client chose, whether the item exists or not.

use std::sync::Arc;

use resource_model::error::{ErrorCode, FieldError};
use resource_model::schema::Attribute;
use resource_model::value::Key;

use super::precondition::failed;
use super::{Draft, Precondition, Service, Stored, Terms, create, require_item, update};
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::hooks::RequestContext;

/// Updates the item `key`, or creates it; returns it, and true where it is new. Each step is a write by itself, so that
/// hooks see what the write becomes, and whoever comes between decides only which of the two it is.
pub(crate) async fn upsert(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    key: Key,
    draft: Draft,
    terms: &Terms,
) -> Result<(Stored, bool), Failure> {
    let attempt = async || {
        let (caller, context, draft) = (caller.clone(), context.clone(), draft.clone());
        let updated = update(service, caller, context, key.clone(), draft, terms, None);
        updated.await.map(|stored| (stored, false))
    };
    let updated = async || match attempt().await {
        // An item that comes between the statement and its diagnosis looks like one that a trigger protects.
        Err(failure) if context.is_none() && is_unexplained(&failure) => attempt().await,
        done => done,
    };
    let is_new = matches!(terms.precondition, Precondition::Absent);
    if !is_new {
        match updated().await {
            Err(failure)
                if failure.is_refusal(ErrorCode::NoSuchItem)
                    && matches!(terms.precondition, Precondition::None) => {}
            done => return done,
        }
    } else if context.is_some() && require_item(service, &caller, &key, None).await.is_ok() {
        // Found before a hook sees a new item, which it might announce.
        return Err(failed(service, &key, "exists already"));
    }
    let new = under_key(service, draft.clone(), &key);
    let created = create(
        service,
        caller.clone(),
        context.clone(),
        new,
        terms.reads_back,
        None,
    )
    .await;
    match created {
        Err(failure) if is_taken(service, &failure) && is_new => {
            Err(failed(service, &key, "exists already"))
        }
        // Created by another client meanwhile, or there all the time, for another owner.
        Err(failure) if is_taken(service, &failure) => match updated().await {
            Err(missing) if missing.is_refusal(ErrorCode::NoSuchItem) => Err(failure),
            done => done,
        },
        created => created.map(|stored| (stored, true)),
    }
}

/// The draft of a new item with this key, which its body may repeat.
fn under_key(service: &Service, mut draft: Draft, key: &Key) -> Draft {
    let attributes = service.definition.all_attributes().iter().enumerate();
    let of_key = attributes.filter(|(_, attribute)| attribute.is_primary_key());
    for ((index, attribute), value) in of_key.zip(key.values()) {
        if draft.record.get(index).is_some_and(|named| named != value) {
            let name = attribute.name();
            let message = format!("`{name}` is not the one of the path; leave it out");
            draft.problems.push(FieldError::new(name, message));
            draft.invalid.push(index);
        }
        draft.record.set(index, value.clone());
    }
    draft
}

/// Tests whether a creation was refused as another item has its key.
fn is_taken(service: &Service, failure: &Failure) -> bool {
    let key = service.definition.primary_key().map(Attribute::name);
    let Failure::Refused(error, _) = failure else {
        return false;
    };
    let mut problems = error.problems().iter();
    error.code() == ErrorCode::NotUnique && problems.any(|it| Some(it.attribute()) == key)
}

/// Tests whether a write was refused for none of its values.
fn is_unexplained(failure: &Failure) -> bool {
    matches!(failure, Failure::Refused(error, _) if error.problems().is_empty())
        && failure.is_refusal(ErrorCode::InvalidItem)
}
