//! The documentation pages of an API, for people.

use axum::Router;
use resource_model::schema::ResourceDefinition;

use super::Api;
use super::openapi::is_served;
use crate::docs::{self, Overview, VersionDocs};
use crate::http::Mount;

impl Api {
    /// The routes of the documentation pages.
    pub(super) fn pages(&self) -> Router {
        let settings = &self.settings;
        let segments = self.served_versions.segments();
        let newest_first = segments.iter().rev();
        docs::router(&Overview {
            title: settings.about.title(),
            description: settings.about.description.as_deref().unwrap_or_default(),
            root: &settings.root,
            versions: newest_first
                .map(|segment| self.version_docs(segment))
                .collect(),
        })
    }

    fn version_docs<'segment>(&self, segment: &'segment str) -> VersionDocs<'segment> {
        let mounts = self.mounts.iter().filter(|it| is_served(it, segment));
        let mut resources: Vec<_> = mounts.map(Mount::definition).collect();
        resources.sort_by_key(|definition: &&ResourceDefinition| definition.name());
        VersionDocs { segment, resources }
    }
}
