//! All registered resources together: which mistakes they make, which tables they need, which
//! version is the latest.

mod checks;
mod keys;
mod order;
mod reference_checks;
mod sharing;
mod tables;

use std::sync::Arc;

use crate::error::Error;
use crate::query::PageLimits;
use crate::resource::ApiResource;
use crate::routing::Routes;
use crate::schema::{ResourceDefinition, Table};
use crate::validator::{ErasedValidator, Hooks};
pub(crate) use keys::{references, referrers};
pub(crate) use sharing::attributes_elsewhere;

/// Items of a page when neither the client nor the resource names a number.
const DEFAULT_LIMIT: u32 = 10;

/// One registered resource.
#[derive(Debug, Clone)]
pub(crate) struct Registration {
    /// The Rust type, for the developer who reads a mistake.
    pub(crate) type_name: &'static str,
    pub(crate) definition: &'static ResourceDefinition,
    pub(crate) routes: Routes,
    pub(crate) validator: Option<ErasedValidator>,
}

impl Registration {
    pub(crate) fn of<R: ApiResource>() -> Self {
        Self {
            type_name: std::any::type_name::<R>(),
            definition: R::DEFINITION,
            routes: R::routes(),
            validator: R::DEFINITION.make_validator(),
        }
    }

    /// With `validator` in place of the one that the struct names.
    pub(crate) fn with_validator(mut self, validator: ErasedValidator) -> Self {
        self.validator = Some(validator);
        self
    }

    /// The limits of the resource's lists under the API's cap.
    pub(crate) fn page_limits(&self, api_cap: u32) -> PageLimits {
        let (default, max) = self.definition.limits();
        let max = max.unwrap_or(api_cap);
        PageLimits {
            default: default.unwrap_or(DEFAULT_LIMIT.min(max)).into(),
            max: max.into(),
        }
    }

    /// Whether no newer version of the same collection is registered.
    pub(crate) fn is_latest(&self, all: &[Self]) -> bool {
        let mine = self.definition;
        let same = all
            .iter()
            .map(|other| other.definition)
            .filter(|other| other.collection() == mine.collection());
        same.map(ResourceDefinition::version).max() == Some(mine.version())
    }
}

/// The hooks of the resource that `definition` describes. One that is only referenced has those
/// that its struct names.
pub(crate) fn hooks(
    definition: &ResourceDefinition,
    registrations: &[Registration],
) -> Option<Arc<dyn Hooks>> {
    let registered = registrations.iter().find(|it| it.definition.is(definition));
    let validator = match registered {
        Some(registration) => registration.validator.clone(),
        None => definition.make_validator(),
    };
    validator.map(|ErasedValidator(hooks)| hooks)
}

/// The tables of all registrations, those that are referenced first, or every mistake they make.
pub(crate) fn tables(registrations: &[Registration], api_cap: u32) -> Result<Vec<Table>, Error> {
    let mut mistakes = checks::mistakes(registrations, api_cap);
    let tables = tables::merge(registrations, &mut mistakes);
    mistakes.extend(reference_checks::ambiguous_references(
        registrations,
        &tables,
    ));
    mistakes.extend(reference_checks::missing_columns(registrations, &tables));
    if mistakes.is_empty() {
        Ok(order::referenced_first(&tables))
    } else {
        Err(Error::of_mistakes(mistakes))
    }
}
