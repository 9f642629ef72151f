//! The page with the changes from version to version, from a Markdown of headings, lists and paragraphs.

use super::index::Overview;
use crate::http::respond::{LINKS_UP, Page, escape, inline};

/// `GET /docs/changes`: a section for each version.
pub(super) fn page(overview: &Overview<'_>) -> Option<String> {
    let sections: String = sections(overview.changes?).map(section).collect();
    let title = format!("Changes of {}", overview.title);
    let page = Page {
        title: &title,
        links: &LINKS_UP,
        body: &format!("<h1>{}</h1>\n{sections}", escape(&title)),
        ..Page::default()
    };
    Some(page.html())
}

/// The sections of the Markdown, each with its number: a version begins with a heading of the second level, and the title
/// stands before the first.
fn sections(changes: &str) -> impl Iterator<Item = (usize, &str)> {
    changes.split("\n## ").skip(1).enumerate()
}

/// The address of the section of a version, relative to `/docs`, and what its heading tells beside the version: the day of
/// its publication.
pub(super) fn of_version<'api>(
    overview: &Overview<'api>,
    version: &str,
) -> Option<(String, &'api str)> {
    sections(overview.changes?).find_map(|(number, text)| {
        let heading = text.lines().next()?;
        let standing = heading.strip_prefix(version)?.strip_prefix(", ")?;
        Some((format!("docs/changes#changes-{number}"), standing))
    })
}

fn section((number, text): (usize, &str)) -> String {
    let (heading, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (mut html, mut is_list) = (String::new(), false);
    for line in rest.lines().filter(|line| !line.is_empty()) {
        let item = line.strip_prefix("- ");
        if item.is_some() != is_list {
            html += if is_list { "</ul>\n" } else { "<ul>\n" };
            is_list = !is_list;
        }
        let element = match (item, line.strip_prefix("### ")) {
            (Some(item), _) => format!("<li>{}</li>\n", inline(item)),
            (None, Some(heading)) => format!("<h3>{}</h3>\n", inline(heading)),
            (None, None) => format!("<p>{}</p>\n", inline(line)),
        };
        html += &element;
    }
    let end = if is_list { "</ul>\n" } else { "" };
    format!(
        "<section class=\"version\" aria-labelledby=\"changes-{number}\">\n\
         <h2 id=\"changes-{number}\">{}</h2>\n{html}{end}</section>\n",
        inline(heading),
    )
}
