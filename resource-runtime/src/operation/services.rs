//! The services of all resources by their Rust type, and the writes of the developer's own code through them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;

use axum::http::Method;
use resource_model::error::{DatabaseFailure, Error};
use resource_model::value::{Record, Value};

use super::diagnose::no_such_item;
use super::write::with_key;
use super::{Draft, Service, creation, delete, update};
use crate::authorization::Caller;
use crate::boxed::BoxFuture;
use crate::failure::Failure;
use crate::hooks::RequestContext;
use crate::items::{ItemChange, ItemWrite, ItemWriter, Transaction};

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
    ) -> BoxFuture<'write, Result<Option<Record>, Error>> {
        Box::pin(async move {
            let service = self.service(&write)?;
            let written = write_item(service, write, within.as_deref_mut()).await;
            // The transaction may hold a part of what the hooks wrote, which must not be committed.
            if let (Err(failure), Some(transaction)) = (&written, within) {
                transaction.roll_back(match failure {
                    Failure::Database(failure) => failure.clone(),
                    other => DatabaseFailure::internal(format!("a write in it failed: {other}")),
                });
            }
            Ok(written?)
        })
    }
}

/// Writes an item for the developer's own code; returns the stored record of a new one.
async fn write_item(
    service: &Arc<Service>,
    write: ItemWrite,
    within: Option<&mut Transaction>,
) -> Result<Option<Record>, Failure> {
    let has_hooks = write.with_hooks && service.hooks.is_some();
    let context = |method| has_hooks.then(|| RequestContext::of_code(method));
    let caller = Caller::System;
    if let ItemChange::Update(key, _) | ItemChange::Delete(key) = &write.change
        && !service.definition.can_have(key)
    {
        return Err(no_such_item(service, key));
    }
    match write.change {
        ItemChange::Create(record) => {
            let context = context(Method::POST);
            create_item(service, context, record, within)
                .await
                .map(Some)
        }
        ItemChange::Update(key, record) => {
            let (context, draft) = (context(Method::PUT), draft(record));
            let updated = update(service, caller, context, key, draft, within);
            updated.await.map(|()| None)
        }
        ItemChange::Delete(key) => {
            let deleted = delete(service, caller, context(Method::DELETE), key, within);
            deleted.await.map(|()| None)
        }
    }
}

/// Writes a new item, and returns it as it was stored.
async fn create_item(
    service: &Arc<Service>,
    context: Option<RequestContext>,
    mut record: Record,
    within: Option<&mut Transaction>,
) -> Result<Record, Failure> {
    // A struct always holds a key, which does not matter where the database assigns one.
    for (index, attribute) in service.definition.all_attributes().iter().enumerate() {
        if attribute.is_assigned_by_database() {
            record.take(index);
        }
    }
    let (write, record) = creation(service, Caller::System, draft(record))?;
    let stored = record.clone().filled_with(&Value::Null);
    let (key, by_hooks) = write.run(record, context, within).await?;
    Ok(with_key(service, by_hooks.unwrap_or(stored), &key))
}

/// A draft of the values of a struct, all of which are of the right type.
const fn draft(record: Record) -> Draft {
    Draft {
        record,
        invalid: Vec::new(),
        problems: Vec::new(),
    }
}
