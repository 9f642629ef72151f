//! The services of all resources by their Rust type, and the writes of the developer's own code through them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;

use axum::http::Method;
use resource_model::error::{DatabaseFailure, Error, ErrorKind, FieldError};
use resource_model::schema::Operation;
#[cfg(feature = "openapi")]
use resource_model::schema::ResourceDefinition;
use resource_model::value::{Record, Value};

use super::diagnose::no_such_item;
use super::{Draft, Precondition, Service, Terms, bulk, creation, delete, update};
use crate::authorization::{Authorizer, Caller, View};
use crate::boxed::BoxFuture;
use crate::failure::Failure;
use crate::hooks::RequestContext;
use crate::items::{ItemChange, ItemWrite, ItemWriter, Transaction, Written};

/// The services of all registered resources by their Rust type.
#[derive(Debug)]
pub(crate) struct Services(pub(crate) HashMap<TypeId, Arc<Service>>);

impl Services {
    /// The definitions of all resources.
    #[cfg(feature = "openapi")]
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &'static ResourceDefinition> {
        self.0.values().map(|service| service.definition)
    }
}

/// The error of a struct that no API serves.
pub(crate) fn not_registered(name: &str) -> Error {
    Error::configuration(format!(
        "`{name}` is not a resource of this API; add `.resource::<{name}>()`"
    ))
}

impl ItemWriter for Services {
    fn write<'write>(
        &'write self,
        write: ItemWrite,
        mut within: Option<&'write mut Transaction>,
    ) -> BoxFuture<'write, Result<Written, Error>> {
        Box::pin(async move {
            let service = self.0.get(&write.resource.id);
            let service = service.ok_or_else(|| not_registered(write.resource.name))?;
            let writer = Writer {
                caller: write.caller.clone(),
                request: None,
                authorizer: None,
            };
            let written = write_items(service, writer, write, within.as_deref_mut()).await;
            // A handler may answer a client with the error, who learns of no attribute and no table that others alone know.
            let view = View::new(service.definition, &Caller::Anonymous);
            let written = written.map_err(|error| {
                let mut named = error.attributes().iter();
                let all = service.is_served && named.all(|name| view.find(name).is_some());
                error.for_clients_who_know(all)
            });
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

/// The author of a write by code: the system, or the caller of a request.
pub(crate) struct Writer<'write> {
    pub(crate) caller: Caller,
    /// The request that hooks get; without one, they get an empty one.
    pub(crate) request: Option<RequestContext>,
    /// The authorizer of the resource, which the system does not need.
    pub(crate) authorizer: Option<&'write Authorizer>,
}

/// Makes a change, whose author may be limited in what they write.
pub(crate) async fn write_items(
    service: &Arc<Service>,
    writer: Writer<'_>,
    write: ItemWrite,
    within: Option<&mut Transaction>,
) -> Result<Written, Error> {
    let (operation, method) = match &write.change {
        ItemChange::Create(_) | ItemChange::CreateAll(_) | ItemChange::Upsert(..) => {
            (Operation::Create, Method::POST)
        }
        ItemChange::Update(..) | ItemChange::UpdateAll(..) => (Operation::Update, Method::PUT),
        ItemChange::Delete(..) | ItemChange::DeleteAll(_) => (Operation::Delete, Method::DELETE),
    };
    if let Some(authorizer) = writer.authorizer {
        authorizer.permit(&[operation], &writer.caller)?;
    }
    let has_hooks = write.with_hooks && service.hooks.is_some();
    let request = writer.request;
    let of_code = || RequestContext::of_code(method, &service.clock);
    let context = has_hooks.then(|| request.unwrap_or_else(of_code));
    if let ItemChange::Update(key, ..) | ItemChange::Delete(key, _) = &write.change
        && !service.definition.can_have(key)
    {
        return Err(no_such_item(service, key).into());
    }
    let caller = writer.caller;
    let draft = |record| {
        let draft = draft(service.view(&caller), operation, record);
        if let Some(authorizer) = writer.authorizer {
            let named = draft.named(service.definition);
            authorizer.require_writable(&caller, &[operation], named)?;
        }
        Ok::<_, Failure>(draft)
    };
    let mut written = Written::default();
    match write.change {
        ItemChange::Create(record) => {
            let draft = draft(record)?;
            let (write, record) = creation(service, caller, draft)?;
            let (_, item) = write.create(record, context, within).await?;
            written.item = Some(item);
        }
        ItemChange::Update(key, record, expected) => {
            let draft = draft(record)?;
            let terms = Terms {
                precondition: Precondition::Values(expected),
                ..Terms::default()
            };
            update(service, caller, context, key, draft, &terms, within).await?;
        }
        ItemChange::Delete(key, expected) => {
            let expected = Precondition::Values(expected);
            delete(service, caller, context, key, expected, within).await?;
        }
        // No hook runs in these, and only the system writes without hooks.
        ItemChange::CreateAll(records) => {
            written.keys = bulk::insert_all(service, within, records).await?;
        }
        ItemChange::UpdateAll(query, record) => {
            written.rows = bulk::update_all(service, &caller, within, query?, record).await?;
        }
        ItemChange::DeleteAll(query) => {
            written.rows = bulk::delete_all(service, &caller, within, query?).await?;
        }
        ItemChange::Upsert(record, columns) => {
            written.item = Some(bulk::upsert(service, within, record, &columns).await?);
        }
    }
    Ok(written)
}

/// A draft of the values of a struct, all of which are of the right type. A new item leaves out what its caller does
/// not set, since a struct names every attribute. The model's checks look neither into the values of a caller nor for
/// hidden attributes, for which a body is refused when it is read.
pub(super) fn draft(view: View<'_>, operation: Operation, record: Record) -> Draft {
    let mut draft = Draft {
        record,
        patches: Vec::new(),
        invalid: Vec::new(),
        problems: Vec::new(),
    };
    let definition = view.definition();
    for (index, attribute) in definition.all_attributes().iter().enumerate() {
        let Some(value) = draft.record.get(index) else {
            continue;
        };
        let is_null = *value == Value::Null;
        if operation == Operation::Create && !view.names_in_struct(attribute, is_null) {
            draft.record.take(index);
            continue;
        }
        if view.is_system() {
            continue;
        }
        let name = attribute.name();
        let problem = if view.find(name).is_none() {
            let resource = definition.name();
            Some(format!("`{name}` is not an attribute of {resource}"))
        } else {
            // Its name counts, though its value is refused here.
            let violation = attribute.violation(value).filter(|_| !is_null);
            draft.invalid.extend(violation.as_ref().map(|_| index));
            violation
        };
        if let Some(problem) = problem {
            draft.record.take(index);
            draft.problems.push(FieldError::new(name, problem));
        }
    }
    draft
}
