//! The write of an item under a key that its client chose, whether the item exists or not.

use std::sync::Arc;

use resource_model::error::{ErrorCode, FieldError};
use resource_model::schema::Attribute;
use resource_model::value::Key;

use super::diagnose::no_such_item;
use super::precondition::failed;
use super::{Draft, Precondition, Service, Stored, Terms, create_new, require_item, update};
use crate::authorization::{Caller, View};
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
    let is_new = matches!(terms.precondition, Precondition::Absent);
    let exists = || failed(service, &key, "exists already");
    // Found before a hook sees a new item, which it might announce.
    if is_new && context.is_some() && require_item(service, &caller, &key, None).await.is_ok() {
        return Err(exists());
    }
    let request = || (caller.clone(), context.clone(), draft.clone());
    let (mut taken, mut may_repeat) = (None, context.is_none());
    // The second round finds the item that another client has created within the first.
    loop {
        if !is_new {
            let (caller, context, draft) = request();
            let updated = update(service, caller, context, key.clone(), draft, terms, None).await;
            match updated {
                Err(missing)
                    if missing.is_refusal(ErrorCode::NoSuchItem)
                        && matches!(terms.precondition, Precondition::None) => {}
                // An item that comes between the statement and its diagnosis looks like one that a trigger protects.
                Err(failure) if may_repeat && failure.is_unexplained() => {
                    may_repeat = false;
                    continue;
                }
                done => return done.map(|stored| (stored, false)),
            }
        }
        // Its key is taken, and yet it is not there for this caller: it is another owner's.
        if let Some(taken) = taken {
            return Err(taken);
        }
        let (caller, context, draft) = request();
        let Some(draft) = under_key(service.view(&caller), draft, &key) else {
            return Err(no_such_item(service, &key));
        };
        match create_new(service, caller, context, draft, terms).await {
            Err(failure) if is_taken(service, &failure) && is_new => return Err(exists()),
            Err(failure) if is_taken(service, &failure) => taken = Some(failure),
            created => return created.map(|stored| (stored, true)),
        }
    }
}

/// The draft of a new item with this key, which its body may repeat; none where it would belong to another owner.
fn under_key(view: View<'_>, mut draft: Draft, key: &Key) -> Option<Draft> {
    let bound = view.bound_owner().map(Attribute::name);
    for (index, attribute, value) in view.definition().values_of(key) {
        if draft.record.get(index).is_some_and(|named| named != value) {
            let name = attribute.name();
            let message = format!("`{name}` is not the one of the path; leave it out");
            draft.problems.push(FieldError::new(name, message));
            draft.invalid.push(index);
        }
        draft.record.set(index, value.clone());
        if bound == Some(attribute.name()) {
            // The service sets it, to the same value.
            let (_, owner) = view.new_owner()?;
            draft.record.take(index).filter(|named| *named == owner)?;
        }
    }
    Some(draft)
}

/// Tests whether a creation was refused as another item has its key.
fn is_taken(service: &Service, failure: &Failure) -> bool {
    let mut key = service.definition.key_attributes().map(Attribute::name);
    let Failure::Refused(error, _) = failure else {
        return false;
    };
    // The attributes of a set have one problem in common, and another set may hold parts of the key.
    let has = |name: &str, problem: &FieldError| {
        let mut problems = error.problems().iter();
        problems.any(|it| it.attribute() == name && it.message() == problem.message())
    };
    let first = key.next();
    let parts: Vec<&str> = key.collect();
    let mut problems = error.problems().iter();
    error.code() == ErrorCode::NotUnique
        && problems
            .any(|it| Some(it.attribute()) == first && parts.iter().all(|part| has(part, it)))
}
