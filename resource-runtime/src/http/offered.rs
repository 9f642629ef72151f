/// Which documents each version has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Offered {
    /// An OpenAPI document.
    pub(crate) description: bool,
    /// Pages for people.
    pub(crate) pages: bool,
}

impl Offered {
    /// The header `Link` that leads from a version's index to what tells of it, to people and to
    /// machines (RFC 8631); `prefix` stands before the paths of the service.
    pub(crate) fn links(self, prefix: &str, root: &str, version: &str) -> Option<String> {
        let page = format!("<{prefix}/docs/{version}>; rel=\"service-doc\"");
        let document = format!("<{prefix}{root}/{version}/openapi.json>; rel=\"service-desc\"");
        let links = [(self.pages, page), (self.description, document)];
        let links = links
            .into_iter()
            .filter_map(|(offered, link)| offered.then_some(link));
        let links: Vec<String> = links.collect();
        Some(links.join(", ")).filter(|links| !links.is_empty())
    }
}
