use super::asset::Asset;
use super::volume::{Overview, Volume};
use crate::http::respond::{Content, Link, Page, escape};

/// `GET /docs/<version>`: every operation, to read and to try.
pub(super) fn page(overview: &Overview<'_>, volume: &Volume<'_>) -> String {
    let description = format!("../{}", overview.relative(volume, "openapi.json"));
    let links = [
        ("API documentation", "../docs"),
        ("Error codes", "../errors"),
        ("OpenAPI 3.1", &description),
    ];
    let links = links.map(|(text, to)| Link { text, to });
    let body = format!(
        "<div id=\"reference\" data-description=\"{description}\">\n\
         <p class=\"waiting\">The reference is being loaded.</p>\n\
         <noscript><p class=\"waiting\">The reference needs JavaScript; all that it shows is in \
         the <a href=\"{description}\">OpenAPI document</a>.</p></noscript>\n</div>\n"
    );
    let (title, segment) = (overview.title, volume.segment);
    let page = Page {
        title: &format!("{title} {segment}"),
        head: &head(),
        links: &links,
        content: Content::Application,
        body: &body,
    };
    page.written()
}

fn head() -> String {
    let elements = Asset::all().iter().map(|asset| {
        let address = escape(&asset.address());
        if asset.is_style() {
            format!("<link rel=\"stylesheet\" href=\"{address}\">\n")
        } else {
            format!("<script defer src=\"{address}\"></script>\n")
        }
    });
    elements.collect()
}
