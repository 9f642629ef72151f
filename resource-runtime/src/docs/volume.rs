use resource_model::schema::ResourceDefinition;

/// An API, as its pages show it.
#[derive(Debug)]
pub(crate) struct Overview<'api> {
    pub(crate) title: &'api str,
    pub(crate) description: &'api str,
    /// The path before the versions.
    pub(crate) root: &'api str,
    pub(crate) volumes: Vec<Volume<'api>>,
}

/// One version of it, or `latest`.
#[derive(Debug)]
pub(crate) struct Volume<'api> {
    /// The version segment of the paths.
    pub(crate) segment: &'api str,
    pub(crate) resources: Vec<&'static ResourceDefinition>,
}

impl Overview<'_> {
    /// Where `path` of a version is, as a page at the top writes it: relative, so that it leads to
    /// the same place behind whatever path the service is put.
    pub(super) fn relative(&self, volume: &Volume<'_>, path: &str) -> String {
        let absolute = format!("{}/{}/{path}", self.root, volume.segment);
        absolute.trim_start_matches('/').to_owned()
    }
}
