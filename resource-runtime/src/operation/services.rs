//! The services of all resources by their Rust type, and the writes of the developer's own code through them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;

use axum::http::Method;
use resource_model::error::{DatabaseFailure, Error, ErrorKind};
use resource_model::value::{Record, Value};

use super::diagnose::no_such_item;
use super::write::with_key;
use super::{Draft, Service, bulk, creation, delete, update};
use crate::authorization::Caller;
use crate::boxed::BoxFuture;
use crate::failure::Failure;
use crate::hooks::RequestContext;
use crate::items::{ItemChange, ItemWrite, ItemWriter, Transaction, Written};

/// The services of all registered resources by their Rust type.
#[derive(Debug)]
pub(crate) struct Services {
    services: HashMap<TypeId, Arc<Service>>,
}

impl FromIterator<(TypeId, Arc<Service>)> for Services {
    fn from_iter<I: IntoIterator<Item = (TypeId, Arc<Service>)>>(services: I) -> Self {
        Self {
            services: services.into_iter().collect(),
        }
    }
}

impl Services {
    fn service(&self, write: &ItemWrite) -> Result<&Arc<Service>, Error> {
        self.services.get(&write.resource).ok_or_else(|| {
            let name = write.type_name;
            Error::configuration(format!(
                "`{name}` is not a resource of this API; add `.resource::<{name}>()`"
            ))
        })
    }
}

impl ItemWriter for Services {
    fn write<'write>(
        &'write self,
        write: ItemWrite,
        mut within: Option<&'write mut Transaction>,
    ) -> BoxFuture<'write, Result<Written, Error>> {
        Box::pin(async move {
            let service = self.service(&write)?;
            let written = write_items(service, write, within.as_deref_mut()).await;
            // The transaction may hold a part of what the hooks wrote, which must not be committed.
            if let (Err(error), Some(transaction)) = (&written, within) {
                transaction.roll_back(match error.kind() {
                    ErrorKind::Conflict => DatabaseFailure::retryable(error),
                    ErrorKind::Unavailable => DatabaseFailure::unavailable(error),
                    _ => DatabaseFailure::internal(format!("a write in it failed: {error}")),
                });
            }
            written
        })
    }
}

/// Makes a change for the developer's own code.
async fn write_items(
    service: &Arc<Service>,
    write: ItemWrite,
    within: Option<&mut Transaction>,
) -> Result<Written, Error> {
    let has_hooks = write.with_hooks && service.hooks.is_some();
    let context = |method| has_hooks.then(|| RequestContext::of_code(method));
    let caller = Caller::System;
    if let ItemChange::Update(key, _) | ItemChange::Delete(key) = &write.change
        && !service.definition.can_have(key)
    {
        return Err(no_such_item(service, key).into());
    }
    Ok(match write.change {
        ItemChange::Create(record) => {
            let created = create_item(service, context(Method::POST), record, within);
            Written::Item(created.await?)
        }
        ItemChange::Update(key, record) => {
            let (context, draft) = (context(Method::PUT), draft(record));
            update(service, caller, context, key, draft, within).await?;
            Written::Done
        }
        ItemChange::Delete(key) => {
            delete(service, caller, context(Method::DELETE), key, within).await?;
            Written::Done
        }
        ItemChange::CreateAll(records) => {
            Written::Keys(bulk::insert_all(service, within, records).await?)
        }
        ItemChange::UpdateAll(query, record) => {
            Written::Rows(bulk::update_all(service, within, query?, record).await?)
        }
        ItemChange::DeleteAll(query) => {
            Written::Rows(bulk::delete_all(service, within, query?).await?)
        }
        ItemChange::Upsert(record, columns) => {
            Written::Item(bulk::upsert(service, within, record, &columns).await?)
        }
    })
}

/// Writes a new item, and returns it as it was stored.
async fn create_item(
    service: &Arc<Service>,
    context: Option<RequestContext>,
    record: Record,
    within: Option<&mut Transaction>,
) -> Result<Record, Failure> {
    let draft = new_draft(service, record);
    let (write, record) = creation(service, Caller::System, draft)?;
    let stored = record.clone().filled_with(&Value::Null);
    let (key, by_hooks) = write.run(record, context, within).await?;
    Ok(with_key(service, by_hooks.unwrap_or(stored), &key))
}

/// A draft of a new item. A struct always holds a key, which does not matter where the database assigns one.
pub(super) fn new_draft(service: &Service, mut record: Record) -> Draft {
    for (index, attribute) in service.definition.all_attributes().iter().enumerate() {
        if attribute.is_assigned_by_database() {
            record.take(index);
        }
    }
    draft(record)
}

/// A draft of the values of a struct, all of which are of the right type.
pub(super) const fn draft(record: Record) -> Draft {
    Draft {
        record,
        invalid: Vec::new(),
        problems: Vec::new(),
    }
}
