//! The services of all resources by their Rust type, and the writes of the developer's own code through them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;

use axum::http::Method;
use resource_model::error::Error;
use resource_model::value::{Record, Value};

use super::diagnose::no_such_item;
use super::write::with_key;
use super::{Draft, Service, creation, delete, update};
use crate::authorization::Caller;
use crate::boxed::BoxFuture;
use crate::failure::Failure;
use crate::hooks::RequestContext;
use crate::items::{ItemChange, ItemWrite, ItemWriter};

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
    fn write(&self, write: ItemWrite) -> BoxFuture<'_, Result<Option<Record>, Error>> {
        Box::pin(async move {
            let service = self.service(&write)?;
            let has_hooks = write.with_hooks && service.hooks.is_some();
            let context = |method| has_hooks.then(|| RequestContext::of_code(method));
            let caller = Caller::System;
            if let ItemChange::Update(key, _) | ItemChange::Delete(key) = &write.change
                && !service.definition.can_have(key)
            {
                return Err(no_such_item(service, key).into());
            }
            match write.change {
                ItemChange::Create(record) => {
                    let created = create_item(service, context(Method::POST), record).await?;
                    return Ok(Some(created));
                }
                ItemChange::Update(key, record) => {
                    let context = context(Method::PUT);
                    update(service, caller, context, key, draft(record)).await?;
                }
                ItemChange::Delete(key) => {
                    delete(service, caller, context(Method::DELETE), key).await?;
                }
            }
            Ok(None)
        })
    }
}

/// Writes a new item, and returns it as it was stored.
async fn create_item(
    service: &Arc<Service>,
    context: Option<RequestContext>,
    mut record: Record,
) -> Result<Record, Failure> {
    // A struct always holds a key, which does not matter where the database assigns one.
    for (index, attribute) in service.definition.all_attributes().iter().enumerate() {
        if attribute.is_assigned_by_database() {
            record.take(index);
        }
    }
    let (write, record) = creation(service, Caller::System, draft(record))?;
    let stored = record.clone().filled_with(&Value::Null);
    let (key, by_hooks) = write.run(record, context).await?;
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
