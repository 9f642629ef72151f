//! An item on its way to a client, and the hook that formats it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::value::{Record, Value};

use super::{Hooks, RequestContext};
use crate::{ApiResource, Column, Operand};

/// An item on its way to a client, complete whatever the client selected; it dereferences to the struct.
pub struct Item<R: ApiResource> {
    resource: R,
    /// The attributes that the format hook alters, each with a value in place of the stored one, or with none.
    pub(super) alterations: Vec<(usize, Option<Value>)>,
}

impl<R: ApiResource> Item<R> {
    pub(super) const fn new(resource: R) -> Self {
        Self {
            resource,
            alterations: Vec::new(),
        }
    }

    /// Leaves the attribute out of the response, even if the client selected it.
    ///
    /// The struct declares it with `redacts(…)`, so that no filter or order reveals its value.
    pub fn clear<T>(&mut self, column: Column<R, T>) {
        self.alterations.push((column.index(), None));
    }

    /// Shows `value` in place of the attribute's own, which the struct declares with `redacts(…)`.
    pub fn set<T>(&mut self, column: Column<R, T>, value: impl Operand<T>) {
        // The value is converted now, while its type is known; it is checked once the hook is done.
        let alteration = (column.index(), Some(value.into_value()));
        self.alterations.push(alteration);
    }
}

impl<R: ApiResource> Deref for Item<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.resource
    }
}

/// Leaves the values out: the struct need not be printable, and values kept from clients should not be
/// printed.
impl<R: ApiResource> fmt::Debug for Item<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Item").finish_non_exhaustive()
    }
}

/// The format hook of a resource, with the request that it formats for.
#[derive(Debug, Clone)]
pub(crate) struct Formatter {
    hooks: Arc<dyn Hooks>,
    request: RequestContext,
}

impl Formatter {
    pub(crate) fn new(hooks: &Arc<dyn Hooks>, request: &RequestContext) -> Self {
        Self {
            hooks: hooks.clone(),
            request: request.clone(),
        }
    }

    /// The record that a client may see of an item that was read with all its attributes.
    pub(crate) fn format(&self, record: Record) -> DatabaseResult<Record> {
        // The caller is part of the request, so one formatter serves all rows of a page.
        let formatted = self.hooks.format(record, &self.request);
        // A visitor of rows can fail only as the database does; a failing hook is a defect, thus a 500.
        formatted.map_err(DatabaseFailure::internal)
    }
}
