//! The resources of each version, and explanations of unknown paths.

use std::collections::BTreeMap;

use resource_model::error::did_you_mean;
use resource_model::schema::{ResourceDefinition, Version};

/// The resources that each version serves, for its index and for refusals of unknown paths.
#[derive(Debug, Clone)]
pub(crate) struct ServedVersions {
    /// The path before the versions: links of an index begin with it.
    root: String,
    versions: BTreeMap<Version, Vec<&'static ResourceDefinition>>,
}

impl ServedVersions {
    pub(crate) fn new(
        root: String,
        served: impl Iterator<Item = &'static ResourceDefinition>,
    ) -> Self {
        let mut versions: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for definition in served {
            let of_version = versions.entry(definition.version());
            of_version.or_default().push(definition);
        }
        Self { root, versions }
    }

    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// The version segments that have an index, `latest` among them.
    pub(crate) fn segments(&self) -> Vec<String> {
        let versions = self.versions.keys().map(Version::to_string);
        versions.chain([String::from("latest")]).collect()
    }

    /// The resources of a version; of `latest`, the newest version of every collection.
    pub(super) fn resources(&self, segment: &str) -> Vec<&'static ResourceDefinition> {
        if segment != "latest" {
            let mut versions = self.versions.iter();
            // Compared as text, since only the registered spelling is a route: `01.0` is unknown.
            let version = versions.find(|(version, _)| version.to_string() == segment);
            return version.map_or_else(Vec::new, |(_, served)| served.clone());
        }
        let mut latest: Vec<&ResourceDefinition> = Vec::new();
        // From the newest version on, so that the first definition of a collection is its latest.
        for served in self.versions.values().rev().flatten() {
            if !latest
                .iter()
                .any(|it| it.collection() == served.collection())
            {
                latest.push(served);
            }
        }
        latest.sort_by_key(|it| it.collection());
        latest
    }

    /// An explanation why `path` is unknown, with a suggestion of the path that may have been meant.
    pub(super) fn explain(&self, path: &str) -> String {
        let rest = path.strip_prefix(&self.root);
        // `/apix` begins with the root `/api`, but does not lie below it.
        let rest = rest.filter(|rest| rest.len() > 1 && rest.starts_with('/'));
        let Some(rest) = rest else {
            let root = &self.root;
            // It may be meant for a route of the service's own.
            let slash = without_slash(path).filter(|it| it != root);
            let slash =
                slash.map(|it| format!("paths have no slash at their end, so try `{it}`; "));
            let slash = slash.unwrap_or_default();
            return format!(
                "there is nothing here; {slash}the resources are below `{root}/latest`"
            );
        };
        let mut segments = rest.split('/').skip(1);
        let version = segments.next().unwrap_or_default();
        let collection = segments.next().unwrap_or_default();
        let known = self.segments();
        // From the left to the right: the first unknown segment is the mistake.
        if !known.iter().any(|segment| segment == version) {
            let versions = known.join("`, `");
            return format!("there is no such version; there are `{versions}`");
        }
        let resources = self.resources(version);
        let names = resources.iter().map(|it| it.collection());
        if names.clone().any(|name| name == collection) {
            if let Some(path) = without_slash(path) {
                return format!("paths have no slash at their end; write `{path}`");
            }
            let root = &self.root;
            let item = format!("{root}/{version}/{collection}/<id>");
            let mut resources = resources.iter();
            let definition = resources.find(|it| it.collection() == collection);
            let below = match (segments.nth(1), definition) {
                (Some(name), Some(it)) if shows(it, name) => {
                    format!(", and `{item}?fields={name}` shows its `{name}`")
                }
                (Some(_), _) => {
                    String::from(", and routes of the service's own have other addresses")
                }
                (None, _) => String::new(),
            };
            return format!("there is nothing here; an item is at `{item}`{below}");
        }
        if let (true, Some(path)) = (collection.is_empty(), without_slash(path)) {
            return format!("paths have no slash at their end; write `{path}`");
        }
        let is_there = |it: &&String| {
            self.resources(it)
                .iter()
                .any(|it| it.collection() == collection)
        };
        if let Some(other) = known.iter().rev().skip(1).find(is_there) {
            return format!("there is no such collection in this version; it is in `{other}`");
        }
        let suggestion = did_you_mean(collection, names);
        format!("there is no such collection in this version{suggestion}")
    }
}

/// Tests whether an item shows others under this name.
fn shows(definition: &ResourceDefinition, name: &str) -> bool {
    definition.find_collection(name).is_some() || definition.find_subresource(name).is_some()
}

/// The length of the longest path that an error repeats.
const LONGEST_SHOWN: usize = 128;

/// The path without the slash by which other frameworks end each one.
fn without_slash(path: &str) -> Option<&str> {
    let path = path.strip_suffix('/')?;
    let is_shown = !path.is_empty() && !path.ends_with('/') && path.len() <= LONGEST_SHOWN;
    is_shown.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::{ResourceDefinition, ServedVersions, Version};

    static SERVED: [ResourceDefinition; 3] = [
        ResourceDefinition::new("Setting", "settings", Version::new(1, 9)),
        ResourceDefinition::new("Setting", "settings", Version::new(1, 10)),
        ResourceDefinition::new("Address", "addresses", Version::new(1, 9)),
    ];

    fn served_versions() -> ServedVersions {
        ServedVersions::new(String::from("/api"), SERVED.iter())
    }

    #[test]
    fn latest_holds_every_collection_once() {
        let latest = served_versions().resources("latest");
        let collections: Vec<&str> = latest.iter().map(|it| it.collection()).collect();
        assert_eq!(collections, ["addresses", "settings"]);
        assert_eq!(served_versions().segments(), ["1.9", "1.10", "latest"]);
    }

    #[test]
    fn unknown_path_is_explained_with_its_nearest_known_part() {
        let served_versions = served_versions();
        for (path, expected) in [
            (
                "/x",
                "there is nothing here; the resources are below `/api/latest`",
            ),
            (
                "/apix/1.9/settings",
                "there is nothing here; the resources are below `/api/latest`",
            ),
            (
                "/api/",
                "there is nothing here; the resources are below `/api/latest`",
            ),
            (
                "/api/3.0/settings",
                "there is no such version; there are `1.9`, `1.10`, `latest`",
            ),
            (
                "/api/1.9/setings",
                "there is no such collection in this version; did you mean `settings`?",
            ),
            (
                "/api/1.9/settings/1/x",
                "there is nothing here; an item is at `/api/1.9/settings/<id>`, and routes of the service's own have \
                 other addresses",
            ),
            (
                "/api/1.9/settings/1",
                "there is nothing here; an item is at `/api/1.9/settings/<id>`",
            ),
            (
                "/api/1.9/",
                "paths have no slash at their end; write `/api/1.9`",
            ),
            (
                "/api/1.10/addresses",
                "there is no such collection in this version; it is in `1.9`",
            ),
            (
                "/settings/1/x/",
                "there is nothing here; paths have no slash at their end, so try `/settings/1/x`; the resources are \
                 below `/api/latest`",
            ),
            (
                "/api/1.9/settings/",
                "paths have no slash at their end; write `/api/1.9/settings`",
            ),
        ] {
            assert_eq!(served_versions.explain(path), expected);
        }
    }
}
