//! The assembly of an API from its registrations and settings, once they are found to be without mistakes.

use std::sync::Arc;

use resource_model::query::{PageLimits, Selection};
use resource_model::registry::{self, Registration};
use resource_model::schema::{Attribute, Table};
use tokio::sync::OnceCell;

use super::Api;
#[cfg(feature = "metrics")]
use super::metrics::MetricsPlace;
use super::settings::Settings;
use crate::authorization::View;
use crate::hooks::hooks_of;
use crate::http::respond::{Formatters, Shape, Unsent};
use crate::http::{Entry, Mount, ServedResource, VersionIndex};
#[cfg(feature = "metrics")]
use crate::metrics::{Endpoints, Metrics};
use crate::operation::Service;
use crate::store::Database;

/// Assembles an API from registrations and settings without mistakes.
pub(super) fn assembled(
    tables: Vec<Table>,
    registrations: &[Registration],
    settings: Settings,
    database: Database,
) -> Api {
    #[cfg(feature = "metrics")]
    let metrics = metrics(&settings, &database);
    // The buffer is shared by all resources: its limits are for all answers together.
    let unsent = Arc::new(Unsent::new(
        settings.unsent_in_memory,
        settings.unsent_on_disk,
    ));
    let mounts = registrations.iter().map(|registration| Mount {
        routes: registration.routes,
        resource: Arc::new(ServedResource {
            #[cfg(feature = "metrics")]
            endpoints: endpoints(registration, metrics.as_deref()),
            ..served(registration, registrations, &database, &settings, &unsent)
        }),
        is_latest: registration.is_latest(registrations),
    });
    Api {
        tables,
        mounts: mounts.collect(),
        catalogue: Arc::new(catalogue(registrations, &settings)),
        database,
        settings,
        readiness: Arc::default(),
        #[cfg(feature = "metrics")]
        metrics,
    }
}

fn catalogue(registrations: &[Registration], settings: &Settings) -> VersionIndex {
    let mut catalogue = VersionIndex::new(settings.root.clone());
    for registration in registrations {
        let definition = registration.definition;
        let entry = Entry {
            name: definition.name(),
            collection: definition.collection(),
        };
        catalogue.add(definition.version(), entry);
    }
    catalogue
}

#[cfg(feature = "metrics")]
fn metrics(settings: &Settings, database: &Database) -> Option<Arc<Metrics>> {
    let is_asked_for = settings.metrics != MetricsPlace::Nowhere;
    is_asked_for.then(|| Arc::new(Metrics::new(database)))
}

#[cfg(feature = "metrics")]
fn endpoints(registration: &Registration, metrics: Option<&Metrics>) -> Option<Endpoints> {
    metrics.map(|metrics| metrics.endpoints(registration.definition))
}

fn served(
    registration: &Registration,
    all: &[Registration],
    database: &Database,
    settings: &Settings,
    unsent: &Arc<Unsent>,
) -> ServedResource {
    let definition = registration.definition;
    let shape = Shape::of(
        definition,
        &Selection::all(View::whole(definition)),
        &Formatters::default(),
    );
    ServedResource {
        service: Arc::new(service(registration, all, database, settings)),
        authorizer: settings.authorizer(definition),
        #[cfg(feature = "metrics")]
        endpoints: None,
        shape: Arc::new(shape),
        unsent: Arc::clone(unsent),
        body_limit: settings.body_limit,
        unknown_parameters: settings.unknown_parameters,
    }
}

fn service(
    registration: &Registration,
    all: &[Registration],
    database: &Database,
    settings: &Settings,
) -> Service {
    let definition = registration.definition;
    let subresources = definition.all_subresources().iter();
    let of_other_versions =
        |wanted| registry::attributes_of_other_versions(definition, all, wanted);
    Service {
        definition,
        database: database.clone(),
        hooks: registration.validator.as_ref().and_then(hooks_of),
        subresource_hooks: subresources
            .map(|it| {
                registry::subresource_validator(it, all)
                    .as_ref()
                    .and_then(hooks_of)
            })
            .collect(),
        query_limits: settings.query_limits,
        page_limits: PageLimits::of(registration.definition, settings.max_limit),
        hook_timeout: settings.hook_timeout,
        defaulted_by_other_versions: of_other_versions(Attribute::has_default),
        updated_by_other_versions: of_other_versions(Attribute::has_default_on_update),
        unique: registry::unique_sets(definition),
        references: registry::references(definition),
        referrers: registry::referrers(definition, all),
        diverting: OnceCell::new(),
    }
}
