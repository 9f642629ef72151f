//! The documentation pages: an index of the versions, and a reference of each.

use super::asset::Asset;
use super::{LogIn, changes};
use crate::http::respond::{LINKS_UP, Link, Page, escape, paragraphs, summary};
use crate::openapi::{NamedUrl, notice};
use crate::operation::Service;

/// Links of `/docs` to pages beside it; the last one leads to a page that not every API has.
const LINKS: [Link<'_>; 2] = [("Error codes", "errors"), ("Changes", "docs/changes")];

/// `GET /docs`: the versions with their resources, and links to their references.
pub(super) fn page(overview: &Overview<'_>) -> String {
    let versions = overview.versions.iter();
    let versions: String = versions.map(|version| section(overview, version)).collect();
    // Texts of the developer are escaped or made into paragraphs, so that none of them is markup.
    let body = format!(
        "<h1>{}</h1>\n{}{versions}{}",
        escape(overview.title),
        paragraphs(overview.description, "lead"),
        about(overview),
    );
    let links = LINKS.len() - usize::from(overview.changes.is_none());
    let page = Page {
        title: overview.title,
        links: LINKS.get(..links).unwrap_or(&LINKS),
        body: &body,
        // The index loads no script or style sheet of its own.
        ..Page::default()
    };
    page.html()
}

/// Contact and license of the API.
fn about(overview: &Overview<'_>) -> String {
    let links = [("Contact", overview.contact), ("License", overview.license)];
    let links = links.into_iter().filter_map(|(label, to)| {
        let (name, url) = (escape(&to?.name), escape(&to?.url));
        Some(format!(
            "<p class=\"about\">{label}: <a href=\"{url}\">{name}</a></p>\n"
        ))
    });
    links.collect()
}

/// The mark of a version whose resources are all deprecated, with the first day from which on one of them may be gone.
fn deprecated(version: &VersionDocs<'_>) -> Option<String> {
    let deprecations = version.resources.iter();
    let deprecations = deprecations.map(|it| it.definition.deprecation());
    let deprecations: Option<Vec<_>> = deprecations.collect();
    let sunset = deprecations?.into_iter().filter_map(|it| it.sunset()).min();
    let sunset = sunset.map_or_else(String::new, |day| format!(", may be gone from {day} on"));
    Some(format!(" <span class=\"tag\">deprecated{sunset}</span>"))
}

fn section(overview: &Overview<'_>, version: &VersionDocs<'_>) -> String {
    let segment = version.segment;
    let (heading, note) = match segment {
        // `latest` is no version: it holds resources of several.
        "latest" => (
            String::from("Latest"),
            "<p>The newest version of each resource.</p>\n",
        ),
        number => (format!("Version {number}"), ""),
    };
    let changes = changes::of_version(overview, segment);
    let (standing, changes) = changes.map_or_else(Default::default, |(address, standing)| {
        (
            format!(" <span class=\"tag\">{}</span>", escape(standing)),
            format!("<li><a href=\"{address}\">Changes</a></li>\n"),
        )
    });
    let deprecated = deprecated(version).unwrap_or_default();
    let resources = version.resources.iter();
    let resources: String = resources.map(|it| item(overview, version, it)).collect();
    // Both forms are offered, since some generators know only the older one.
    let description = overview.relative(version, "openapi.json");
    let older = overview.relative(version, "openapi-3.0.json");
    let client = overview.relative(version, "openapi-client.json");
    format!(
        "<section class=\"version\" aria-labelledby=\"version-{segment}\">\n\
         <h2 id=\"version-{segment}\">{heading}{standing}{deprecated}</h2>\n{note}<ul class=\"ways\">\n\
         <li><a class=\"reference\" href=\"docs/{segment}\" \
         aria-label=\"API reference, {heading}\">API reference</a></li>\n\
         <li><a href=\"{description}\">OpenAPI 3.1</a></li>\n\
         <li><a href=\"{older}\">OpenAPI 3.0</a></li>\n\
         <li><a href=\"{client}\">OpenAPI for generated clients</a></li>\n{changes}</ul>\n\
         <ul class=\"resources\">\n{resources}</ul>\n</section>\n"
    )
}

fn item(overview: &Overview<'_>, version: &VersionDocs<'_>, service: &Service) -> String {
    let definition = service.definition;
    let (segment, root, name) = (version.segment, overview.root, escape(definition.name()));
    let collection = definition.collection();
    // Below `latest` each resource has a version of its own; elsewhere the heading names it.
    let mut tags = if segment == "latest" {
        format!(" <span class=\"tag\">{}</span>", definition.version())
    } else {
        String::new()
    };
    let deprecation = notice(service, root).unwrap_or_default();
    if !deprecation.is_empty() {
        tags += " <span class=\"tag\">deprecated</span>";
    }
    let notice = paragraphs(&deprecation, "deprecation");
    let meaning = summary(definition.meaning())
        .map_or_else(String::new, |meaning| format!("<p>{meaning}</p>\n"));
    // Swagger UI opens the tag of the resource by the fragment of this link.
    format!(
        "<li>\n<h3><a href=\"docs/{segment}#/{name}\">{name}</a>{tags}</h3>\n{meaning}{notice}\
         <a href=\"{}\"><code>{root}/{segment}/{collection}</code></a>\n</li>\n",
        overview.relative(version, collection),
    )
}

/// An API, as its pages show it.
#[derive(Debug)]
pub(crate) struct Overview<'api> {
    pub(crate) title: &'api str,
    pub(crate) description: &'api str,
    pub(crate) contact: Option<&'api NamedUrl>,
    pub(crate) license: Option<&'api NamedUrl>,
    /// The path before the versions.
    pub(crate) root: &'api str,
    /// The changes from version to version, as Markdown, where they are told.
    pub(crate) changes: Option<&'api str>,
    pub(crate) versions: Vec<VersionDocs<'api>>,
    /// The log-in of the reference; without one it takes tokens.
    pub(crate) log_in: Option<LogIn>,
}

/// A version of the API, or `latest`.
#[derive(Debug)]
pub(crate) struct VersionDocs<'api> {
    /// The version segment of the paths.
    pub(crate) segment: &'api str,
    pub(crate) resources: Vec<&'api Service>,
}

impl Overview<'_> {
    /// The address of `path` of a version, relative to a page at the top, so that it leads to the same place
    /// behind whatever path the service is put.
    pub(super) fn relative(&self, version: &VersionDocs<'_>, path: &str) -> String {
        let absolute = format!("{}/{}/{path}", self.root, version.segment);
        absolute.trim_start_matches('/').to_owned()
    }
}

/// `GET /docs/<version>`: every operation, to read and to try.
pub(super) fn reference(overview: &Overview<'_>, version: &VersionDocs<'_>) -> String {
    // The page is one level below the top, so its links go up first.
    let description = format!("../{}", overview.relative(version, "openapi.json"));
    let [documentation, errors] = LINKS_UP;
    let links = [documentation, errors, ("OpenAPI 3.1", &description)];
    let client = overview.log_in.as_ref().map_or_else(String::new, |it| {
        format!(" data-client=\"{}\"", escape(&it.client_id))
    });
    let title = format!("{} {}", overview.title, version.segment);
    // Swagger UI replaces the content of this element, which is for the time before.
    let body = format!(
        "<div id=\"reference\" data-description=\"{description}\"{client}>\n<main class=\"waiting\">\n<h1>{}</h1>\n\
         <p role=\"status\">The reference is being loaded.</p>\n\
         <noscript><p>The reference needs JavaScript; all that it shows is in \
         the <a href=\"{description}\">OpenAPI document</a>.</p></noscript>\n</main>\n</div>\n",
        escape(&title),
    );
    let page = Page {
        title: &title,
        head: &Asset::head_of_reference(),
        links: &links,
        is_application: true,
        body: &body,
    };
    page.html()
}
