//! The template of all HTML pages, and the escaping of text for HTML.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

/// The style sheet of the pages of the service: `/docs`, `/errors`, and those of the authorization server. A page beside
/// them looks alike with it, if its text is in an element of the class `page`.
pub const STYLE: &str = include_str!("page.css");

/// Content security policy of pages without a script. The only style that it allows is `page.css`, by its
/// digest, which a test computes.
pub(crate) const STYLE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; img-src data:; \
     style-src 'sha256-EBzYde345GA+8nrS7YV+1ZMwa4Kp3GUuJFYm5NK6LLo='; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The icon as a data URL, so that browsers do not request one.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E\
    %3Crect width='16' height='16' rx='4' fill='%230b5a73'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' \
    stroke='white' stroke-width='1.5'/%3E%3C/svg%3E";

/// A page; all but its title is HTML.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Page<'page> {
    /// The title, as plain text.
    pub(crate) title: &'page str,
    /// Elements of the head beside those of every page.
    pub(crate) head: &'page str,
    pub(crate) links: &'page [Link<'page>],
    /// True of a body that is an application, with landmarks and a style of its own, and not a text in our style.
    pub(crate) is_application: bool,
    pub(crate) body: &'page str,
}

/// The text and the address of a link to another page of the documentation. The address is relative to the page, so that
/// it leads to the same place behind whatever path the service is put.
pub(crate) type Link<'page> = (&'page str, &'page str);

/// Links of the pages one level below the top; the first one leads to pages that not every API has.
pub(crate) const LINKS_UP: [Link<'_>; 2] = [
    ("API documentation", "../docs"),
    ("Error codes", "../errors"),
];

impl Page<'_> {
    /// The response with the page, under the policy of pages without a script.
    pub(crate) fn response(&self, status: StatusCode) -> Response {
        // The pages show texts of requests, such as the id; if their escaping ever failed, the
        // policy would run no script.
        let policy = [(header::CONTENT_SECURITY_POLICY, STYLE_POLICY)];
        (status, policy, Html(self.html())).into_response()
    }

    pub(crate) fn html(&self) -> String {
        let Self { head, body, .. } = self;
        // An application has a `main` landmark of its own, and a page may have only one.
        let (element, class) = if self.is_application {
            ("div", "application")
        } else {
            ("main", "page")
        };
        // Only the title is plain text; whoever makes a page has escaped its other parts.
        let (title, links) = (escape(self.title), self.navigation());
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<link rel=\"icon\" href=\"{ICON}\">\n\
             <style>{STYLE}</style>\n{head}</head>\n<body>\n\
             <a class=\"skip\" href=\"#content\">Skip to the content</a>\n{links}\
             <{element} id=\"content\" class=\"{class}\" tabindex=\"-1\">\n{body}</{element}>\n\
             </body>\n</html>\n"
        )
    }

    fn navigation(&self) -> String {
        if self.links.is_empty() {
            return String::new();
        }
        let item = |(text, to): &Link<'_>| format!("<li><a href=\"{to}\">{text}</a></li>\n");
        let links: String = self.links.iter().map(item).collect();
        format!(
            "<header class=\"site\">\n<nav aria-label=\"Documentation\">\n<ul>\n{links}</ul>\n\
             </nav>\n</header>\n"
        )
    }
}

/// Escapes plain text for HTML, also within the quotes of an attribute.
pub(crate) fn escape(text: &str) -> String {
    // The ampersand comes first, as the other replacements bring new ones.
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Escapes a text for HTML, with backticks turned into `<code>` elements.
pub(crate) fn inline(text: &str) -> String {
    // Escaped first, so that the tags added below stay tags; escaping leaves backticks alone.
    let mut parts = escape(text);
    while let Some((before, after)) = parts.split_once('`') {
        // A backtick without a partner is a character like any other.
        let Some((code, after)) = after.split_once('`') else {
            break;
        };
        parts = format!("{before}<code>{code}</code>{after}");
    }
    parts
}

/// The paragraphs of a longer text. No Markdown is supported here but paragraphs and code; the reference
/// shows all of it.
#[cfg(feature = "docs")]
pub(crate) fn paragraphs(text: &str, class: &str) -> String {
    let paragraph = |text| format!("<p class=\"{class}\">{}</p>\n", inline(text));
    split(text).map(paragraph).collect()
}

/// The first paragraph of a longer text; none of an empty one.
#[cfg(feature = "docs")]
pub(crate) fn summary(text: &str) -> Option<String> {
    split(text).next().map(inline)
}

#[cfg(feature = "docs")]
fn split(text: &str) -> impl Iterator<Item = &str> {
    let paragraphs = text.split("\n\n").map(str::trim);
    paragraphs.filter(|paragraph| !paragraph.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{escape, inline};

    #[test]
    fn nothing_breaks_out_of_a_text_or_an_attribute() {
        assert_eq!(
            escape(r#"<script src="a">'&lt;'"#),
            "&lt;script src=&quot;a&quot;&gt;&#39;&amp;lt;&#39;"
        );
    }

    #[test]
    fn text_between_backticks_is_code() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a `b` c `d`", "a <code>b</code> c <code>d</code>"),
            ("`<b>`", "<code>&lt;b&gt;</code>"),
            ("one ` alone", "one ` alone"),
            ("`a` and ` alone", "<code>a</code> and ` alone"),
        ] {
            assert_eq!(inline(text), expected);
        }
    }
}
