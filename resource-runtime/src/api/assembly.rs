//! The assembly of an API from its registrations and settings, once they are found to be without mistakes.

use std::sync::{Arc, Weak};

use axum::http::HeaderValue;
use resource_model::query::{PageLimits, Selection};
use resource_model::registry::{self, CheckedRegistrations, Registration};
use resource_model::schema::{Attribute, Kind, Peculiarity, ResourceDefinition};
use tokio::sync::OnceCell;

use super::health::Readiness;
#[cfg(feature = "metrics")]
use super::metrics::MetricsPlace;
use super::own::Stop;
use super::settings::Settings;
use super::{Api, ApiParts};
use crate::authorization::{Authorizer, View};
use crate::hooks::hooks_of;
use crate::http::extract::Format;
use crate::http::respond::{Formatters, RowEncoder, Unsent};
use crate::http::{Mount, ServedResource, ServedVersions};
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::operation::{Service, Services, TagSource};
use crate::store::Database;

/// Assembles an API from registrations and settings without mistakes.
pub(super) fn assembled(
    checked: CheckedRegistrations,
    settings: Settings,
    database: Database,
) -> Api {
    #[cfg(feature = "metrics")]
    // Without an endpoint for metrics nothing would read them, so nothing is measured.
    let metrics =
        (settings.metrics != MetricsPlace::Nowhere).then(|| Arc::new(Metrics::new(&database)));
    // All resources share one buffer: its limits hold for all responses together.
    let unsent = Arc::new(Unsent::new(
        settings.unsent_in_memory,
        settings.unsent_on_disk,
    ));
    let registrations = &*checked.registrations;
    let mut all = Vec::new();
    let services = Arc::new_cyclic(|services| {
        let service = |it| Arc::new(service(it, registrations, &database, &settings, services));
        all = registrations.iter().map(service).collect();
        let types = registrations.iter().map(|it| it.type_id);
        Services(types.zip(all.iter().cloned()).collect())
    });
    let served = |registration: &Registration, service| {
        let definition = registration.definition;
        // The usual caller sees all that clients may read, so one encoder serves most requests.
        let unrestricted = Selection::all(View::unrestricted(definition));
        ServedResource {
            // Services and settings are copied into each resource: a request then finds all that it needs in
            // one place.
            service,
            _services: Arc::clone(&services),
            authorizer: Authorizer {
                definition,
                authentication: settings.authentication(),
            },
            quota: settings.quota.clone(),
            #[cfg(feature = "metrics")]
            endpoints: metrics
                .as_ref()
                .map(|it| it.endpoints(definition, registration.routes, &settings.root)),
            encoder: Arc::new(RowEncoder::of(
                definition,
                &unrestricted,
                &Formatters::default(),
                Format::Json,
            )),
            unsent: Arc::clone(&unsent),
            body_limit: settings.body_limit,
            unknown_parameters: settings.unknown_parameters,
            // A text that is no header was refused before.
            cache_control: definition
                .cache_control()
                .and_then(|text| HeaderValue::from_str(text).ok()),
        }
    };
    let mounts = registrations.iter().zip(all);
    let mounts = mounts.filter(|(registration, _)| registration.is_served);
    let mounts = mounts.map(|(registration, service)| Mount {
        routes: registration.routes,
        resource: Arc::new(served(registration, service)),
        // Fixed now, as registrations cannot change once the API is built.
        is_latest: registration.is_latest(registrations),
        type_id: registration.type_id,
    });
    let mounts: Vec<Mount> = mounts.collect();
    let definitions = registry::served(registrations).map(|it| it.definition);
    let served_versions = ServedVersions::new(settings.root.clone(), definitions);
    let parts = ApiParts {
        authentication: settings.authentication(),
        tables: checked.tables,
        services,
        mounts,
        // The index is written once for all versions, since it depends on registrations alone.
        served_versions: Arc::new(served_versions),
        database,
        settings,
        readiness: Readiness::default(),
        stop: Stop::default(),
        #[cfg(feature = "metrics")]
        metrics,
    };
    Api {
        parts: Arc::new(parts),
    }
}

fn service(
    registration: &Registration,
    all: &[Registration],
    database: &Database,
    settings: &Settings,
    services: &Weak<Services>,
) -> Service {
    let definition = registration.definition;
    // The validators of other resources are resolved here, once, rather than for each request.
    let subresources = definition.all_subresources().iter();
    let of_subresources =
        subresources.map(|it| registry::validator_of(it.target_type(), it.target(), all));
    let collections = definition.all_collections().iter();
    let of_collections =
        collections.map(|it| registry::validator_of(it.target_type(), it.target(), all));
    // Versions share a table, so a write of this one may have to fill columns of others.
    let of_other_versions =
        |wanted| registry::attributes_of_other_versions(definition, all, wanted);
    let referrers = registry::referrers(definition, all);
    let is_referred_to = |peculiarity| {
        let mut sources = referrers.iter().map(|it| it.source);
        sources.any(|it| it.accepts(peculiarity))
    };
    Service {
        definition,
        successor: registry::successor(definition, all),
        defers_keys: definition.accepts(Peculiarity::DeferredKeys)
            || is_referred_to(Peculiarity::DeferredKeys),
        has_unenforced_referrers: is_referred_to(Peculiarity::UnenforcedReferences),
        is_served: registration.is_served,
        database: database.clone(),
        // Hooks are taken out of their registration here; a resource without a validator has none to call.
        hooks: hooks_of(registration.validator.as_ref()),
        collection_hooks: of_collections.map(|it| hooks_of(it.as_ref())).collect(),
        subresource_hooks: of_subresources.map(|it| hooks_of(it.as_ref())).collect(),
        query_limits: settings
            .query_limits
            .within_lists_of(settings.max_limit, settings.pages.max_offset),
        page_limits: PageLimits::of(definition, settings.max_limit, settings.pages),
        hook_timeout: settings.hook_timeout,
        idempotency: settings.idempotency.clone(),
        clock: Arc::clone(&settings.clock),
        services: Weak::clone(services),
        defaulted_by_other_versions: of_other_versions(Attribute::has_default),
        updated_by_other_versions: of_other_versions(Attribute::has_default_on_update),
        told_back: told_back(definition),
        // The constraints are looked up here, once, rather than for each write.
        unique: registry::unique_sets(definition),
        references: registry::references(definition),
        referrers,
        tags: TagSource::of(definition),
        requires_if_match: settings.requires_if_match || definition.requires_if_match(),
        // Read with the first write: building an API does not touch the database.
        diverted_writes: OnceCell::new(),
    }
}

/// The attributes with a remedy for what other versions store. What nobody reads is compared with no body, and JSON has no
/// limits.
fn told_back(definition: &ResourceDefinition) -> Vec<usize> {
    let attributes = definition.all_attributes().iter().enumerate();
    let attributes = attributes.filter(|(_, it)| {
        let has_remedy = it.truncation().is_some() || it.readable_by().is_some();
        has_remedy && !it.is_secret() && it.kind() != Kind::Json
    });
    attributes.map(|(index, _)| index).collect()
}
