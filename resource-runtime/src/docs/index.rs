use resource_model::schema::ResourceDefinition;

use super::volume::{Overview, Volume};
use crate::http::respond::{Link, Page, escape, paragraphs, summary};

/// Beside `/docs`, as it names it.
const LINKS: [Link<'_>; 1] = [Link {
    text: "Error codes",
    to: "errors",
}];

/// `GET /docs`: what there is, and where to read on.
pub(super) fn page(overview: &Overview<'_>) -> String {
    let volumes = overview.volumes.iter();
    let volumes: String = volumes.map(|volume| section(overview, volume)).collect();
    let body = format!(
        "<h1>{}</h1>\n{}{volumes}",
        escape(overview.title),
        paragraphs(overview.description, "lead"),
    );
    let page = Page {
        title: overview.title,
        links: &LINKS,
        body: &body,
        ..Page::default()
    };
    page.written()
}

fn section(overview: &Overview<'_>, volume: &Volume<'_>) -> String {
    let segment = volume.segment;
    let (heading, note) = match segment {
        "latest" => (
            String::from("Latest"),
            "<p>The newest version of each resource.</p>\n",
        ),
        number => (format!("Version {number}"), ""),
    };
    let resources = volume.resources.iter();
    let resources: String = resources
        .map(|definition| item(overview, volume, definition))
        .collect();
    let description = overview.relative(volume, "openapi.json");
    let older = overview.relative(volume, "openapi-3.0.json");
    format!(
        "<section class=\"version\" aria-labelledby=\"version-{segment}\">\n\
         <h2 id=\"version-{segment}\">{heading}</h2>\n{note}<ul class=\"ways\">\n\
         <li><a class=\"reference\" href=\"docs/{segment}\" \
         aria-label=\"API reference, {heading}\">API reference</a></li>\n\
         <li><a href=\"{description}\">OpenAPI 3.1</a></li>\n\
         <li><a href=\"{older}\">OpenAPI 3.0</a></li>\n</ul>\n\
         <ul class=\"resources\">\n{resources}</ul>\n</section>\n"
    )
}

fn item(overview: &Overview<'_>, volume: &Volume<'_>, definition: &ResourceDefinition) -> String {
    let (segment, root, name) = (volume.segment, overview.root, escape(definition.name()));
    let collection = definition.collection();
    let number = if segment == "latest" {
        format!(" <span class=\"tag\">{}</span>", definition.version())
    } else {
        String::new()
    };
    let meaning = summary(definition.meaning())
        .map_or_else(String::new, |meaning| format!("<p>{meaning}</p>\n"));
    format!(
        "<li>\n<h3><a href=\"docs/{segment}#/{name}\">{name}</a>{number}</h3>\n{meaning}\
         <a href=\"{}\"><code>{root}/{segment}/{collection}</code></a>\n</li>\n",
        overview.relative(volume, collection),
    )
}
