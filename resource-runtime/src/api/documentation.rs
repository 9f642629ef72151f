//! The documentation pages of an API, for people.

use axum::Router;
use resource_model::schema::ResourceDefinition;

use super::Api;
use super::openapi::is_served;
use crate::docs::{self, Overview, Volume};
use crate::http::Mount;

impl Api {
    /// The routes of the documentation pages.
    pub(super) fn pages(&self) -> Router {
        let settings = &self.settings;
        let segments = self.catalogue.segments();
        let newest_first = segments.iter().rev();
        docs::router(&Overview {
            title: settings.about.title(),
            description: settings.about.description.as_deref().unwrap_or_default(),
            root: &settings.root,
            volumes: newest_first.map(|segment| self.volume(segment)).collect(),
        })
    }

    fn volume<'segment>(&self, segment: &'segment str) -> Volume<'segment> {
        let mounts = self.mounts.iter().filter(|it| is_served(it, segment));
        let mut resources: Vec<_> = mounts.map(Mount::definition).collect();
        resources.sort_by_key(|definition: &&ResourceDefinition| definition.name());
        Volume { segment, resources }
    }
}
