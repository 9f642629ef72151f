//! The documentation pages of an API, for people.

use axum::Router;

use super::Api;
use super::openapi::is_served;
use crate::docs::{self, LogIn, Overview, VersionDocs};

impl Api {
    /// The address of the documentation pages of a service at `base`, unless they are hidden.
    #[cfg(feature = "cli")]
    pub(crate) fn documentation(&self, base: &str) -> Option<String> {
        let base = self.base_url().unwrap_or(base);
        let settings = &self.parts.settings;
        settings.has_pages().then(|| format!("{base}/docs"))
    }

    /// The routes of the documentation pages.
    pub(super) fn pages(&self) -> Router {
        let settings = &self.parts.settings;
        let segments = self.parts.served_versions.segments();
        // `latest` is the last segment, and thus the first page.
        let newest_first = segments.iter().rev();
        // A missing description leaves the page without an introduction.
        docs::router(&Overview {
            title: settings.about.title(),
            description: settings.about.description.as_deref().unwrap_or_default(),
            contact: settings.about.contact.as_ref(),
            license: settings.about.license.as_ref(),
            root: &settings.root,
            changes: settings.changes.as_ref().and_then(|it| it.as_deref().ok()),
            versions: newest_first
                .map(|segment| self.version_docs(segment))
                .collect(),
            log_in: LogIn::of(&settings.schemes().unwrap_or_default()),
        })
    }

    fn version_docs<'api>(&'api self, segment: &'api str) -> VersionDocs<'api> {
        // The same rule decides here and in the OpenAPI document, so both show the same resources.
        let mounts = self.parts.mounts.iter().filter(|it| is_served(it, segment));
        let mut resources: Vec<_> = mounts.map(|it| &*it.resource.service).collect();
        // By name, as the order of registration means nothing to readers.
        resources.sort_by_key(|service| service.definition.name());
        VersionDocs { segment, resources }
    }
}
