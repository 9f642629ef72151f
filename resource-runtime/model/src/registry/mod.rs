//! The registry of all resources: their problems together, the tables that they need, and the latest versions.

mod access_rules;
mod access_warnings;
mod checks;
mod conditions;
mod held_back;
mod keys;
mod order;
mod promises;
mod reference_checks;
mod successors;
mod tables;
mod versions;

use std::any::TypeId;

use crate::error::Error;
use crate::schema::{ApiResource, ErasedValidator, Operation, ResourceDefinition, Routes, Table};
pub use access_rules::Callers;
pub use access_warnings::warnings;
pub use conditions::condition_problems;
pub use keys::{references, referrers, unique_sets};
pub use promises::{Promises, same_default};
pub use reference_checks::narrower_references;
pub use successors::{shares_items, successor};
pub use tables::{answered, attributes_of_other_versions};

/// A registered resource.
#[derive(Debug, Clone)]
pub struct Registration {
    /// The Rust type, for the developer who reads a problem.
    pub(crate) type_name: &'static str,
    /// The Rust type, by which typed access finds the resource.
    pub type_id: TypeId,
    /// The definition.
    pub definition: &'static ResourceDefinition,
    /// The routes.
    pub routes: &'static Routes,
    /// The validator of the resource, made once and with its types erased. The stages that call it know it as
    /// the hooks of the resource.
    pub validator: Option<ErasedValidator>,
    /// False for a table without routes.
    pub is_served: bool,
}

impl Registration {
    /// The registration of a type.
    pub fn of<R: ApiResource>() -> Self {
        // The path of the type tells versions apart, which often have the same name in different modules.
        let type_name = std::any::type_name::<R>();
        Self::new(type_name, TypeId::of::<R>(), R::DEFINITION, R::ROUTES)
    }

    /// The part of `of` without a type parameter, which is compiled only once.
    fn new(
        type_name: &'static str,
        type_id: TypeId,
        definition: &'static ResourceDefinition,
        routes: &'static Routes,
    ) -> Self {
        Self {
            type_name,
            type_id,
            definition,
            routes,
            // The validator is made once, so that one with state shares it between all requests.
            validator: definition.make_validator(),
            is_served: true,
        }
    }

    /// Replaces the validator that the struct names.
    pub fn with_validator(mut self, validator: ErasedValidator) -> Self {
        // The registration is the later choice, and so wins over that of the struct.
        self.validator = Some(validator);
        self
    }

    /// The registration of a table of the developer's own code alone.
    pub fn unserved(mut self) -> Self {
        self.is_served = false;
        self
    }

    /// Tests whether no newer version of the same collection is registered.
    pub fn is_latest(&self, all: &[Self]) -> bool {
        let mine = self.definition;
        // Versions are compared within a collection: `latest` resolves each collection by itself.
        let same = served(all)
            .map(|other| other.definition)
            .filter(|other| other.collection() == mine.collection());
        same.map(ResourceDefinition::version).max() == Some(mine.version())
    }
}

/// The registrations with routes.
pub fn served(all: &[Registration]) -> impl Iterator<Item = &Registration> {
    all.iter().filter(|registration| registration.is_served)
}

/// The validator of a related resource. A type that is not registered has the validator that its struct names.
pub fn validator_of(
    type_id: TypeId,
    definition: &ResourceDefinition,
    registrations: &[Registration],
) -> Option<ErasedValidator> {
    let mut registered = registrations.iter();
    // The type is compared, because the versions of a resource may have the same name.
    let registered = registered.find(|it| it.type_id == type_id);
    match registered {
        // A validator that was registered with the resource replaces the one that the struct names.
        Some(registration) => registration.validator.clone(),
        None => definition.make_validator(),
    }
}

/// The registrations of an API without mistakes.
#[derive(Debug)]
pub struct CheckedRegistrations {
    /// The registrations with the limits that hold for bodies.
    pub registrations: Vec<Registration>,
    /// The tables, referenced ones first; their limits are those of all versions.
    pub tables: Vec<Table>,
    /// The hints for the developer about what is no mistake where it is intended.
    pub hints: Vec<String>,
}

impl CheckedRegistrations {
    /// The registrations and their tables, with the operations that only read.
    #[must_use]
    pub fn reading(mut self) -> Self {
        for registration in &mut self.registrations {
            let offered = registration.definition.offered_operations();
            let definition = registration
                .definition
                .operations(Operation::reading(offered));
            // Both are constants, so that these live as long: a few for each API that is built.
            registration.definition = Box::leak(Box::new(definition));
            registration.routes = Box::leak(Box::new(registration.routes.reading()));
        }
        for table in &mut self.tables {
            table.operations.retain(|it| it.reads());
        }
        self
    }
}

/// The registrations with their tables, or every mistake of them.
pub fn checked(
    registrations: &[Registration],
    api_cap: u32,
    callers: Callers,
) -> Result<CheckedRegistrations, Error> {
    // No check ends the others, so that a developer is told all mistakes at once.
    let held = held_back::held_back(registrations);
    let mut problems = checks::problems(&held, api_cap);
    let told = versions::told(&held, api_cap);
    problems.extend(told.broken);
    // Rules of access are those of callers, who reach no table without routes.
    let served: Vec<Registration> = served(registrations).cloned().collect();
    problems.extend(access_rules::problems(&served, callers));
    // The merge finds contradictions of versions that share a table, and goes on all the same.
    let tables = tables::merge(registrations, &mut problems);
    // These need the merged tables: another version of a target may bring the unique set or the column.
    problems.extend(reference_checks::ambiguous_references(
        registrations,
        &tables,
    ));
    problems.extend(reference_checks::missing_columns(registrations, &tables));
    // The order of tables is asked for only without problems, when every reference has its target.
    if problems.is_empty() {
        let successors = successors::successor_hints(&held);
        let hints = told.hints.into_iter().chain(successors).collect();
        Ok(CheckedRegistrations {
            tables: order::referenced_first(&tables),
            registrations: held,
            hints,
        })
    } else {
        Err(Error::of_problems(problems))
    }
}
